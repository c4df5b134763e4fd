"""Answers for data of any size, some rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from petree.columns import NUMBER
from petree.estimators.base import TreeClassifier
from petree.estimators.replacing import as_it_stays, by_one_model
from petree.partitions.reading.supplying import stream_of

BATCH_ROWS = 65_536


class AnswersInBatches(TreeClassifier):
    """A classifier of one table, for tables that do not fit into memory."""

    @by_one_model
    def predict_batches(self, data: Any, n_rows: int = BATCH_ROWS) -> Iterator[NDArray[np.float64]]:
        """Class probabilities of data of any size: an array for each run of rows, as they come.

        Parameters
        ----------
        data : path, pyarrow Dataset, lazy frame, query or record batches
            Whatever `code_files` reads; only the columns that the tree tests are read.
        n_rows : int, default=65536
            The most rows of a run.

        Yields
        ------
        array (rows, classes)
        """
        check_is_fitted(self)
        model = as_it_stays(self)
        names = model.required_columns_ or [column.name for column in model.columns_]
        told = {one.name: "number" for one in model.columns_ if one.kind == NUMBER and not one.quantity}
        told |= {one.name: "nominal" for one in model.columns_ if _is_text(one.categories)}
        return _answers(model, stream_of(data, names, {name: told[name] for name in names if name in told}, n_rows))


def _is_text(categories: tuple[Any, ...]) -> bool:
    return any(isinstance(category, str) for category in categories)


def _answers(model: TreeClassifier, batches: Iterator[Any]) -> Iterator[NDArray[np.float64]]:
    import pyarrow

    for batch in batches:
        yield model.predict_proba(pyarrow.Table.from_batches([batch]))
