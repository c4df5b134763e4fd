"""Many rows explained: arrays for all of them, and words for those that are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from petree.caching import cached_property
from petree.columns import NUMBER
from petree.estimators.explaining.grounds import Codes, Grounds, Numbers, Shapley
from petree.estimators.explaining.rows import Explanation, told, value_text, values_of
from petree.estimators.intervals.bounds import Intervals
from petree.inputs import Table
from petree.reading.frame import build, storable
from petree.words import counted

# Rows whose words a text has.
SHOWN = 3


@dataclass(frozen=True, eq=False, repr=False)
class Explanations(Sequence[Explanation]):
    """Why rows get their answers: a sequence with an `Explanation` for each row, and arrays for all of them.

    Nothing is computed before it is asked for, and then for all rows at once; a slice is of its rows alone. ``print``
    shows the first rows in words.

    Attributes
    ----------
    probabilities : array (rows, classes)
        What `predict_proba` answers.
    predicted : array (rows,)
        What `predict` answers.
    intervals : Intervals
        What `predict_interval` answers.
    contributions : array (rows, columns, classes)
        Shapley values: what each column adds to each probability. In each row and class they sum to the probability
        less the base value.
    base_values : array (classes,)
        Class probabilities where no column is known: a blend of all leaves, by training weight.
    nearest_leaves : array (rows,)
        The nearest leaf of another class than the predicted one, -1 where there is none.
    n_changes : array (rows,)
        How many columns would have to change for a row to come there.
    """

    _grounds: Grounds
    _table: Table
    _rows: NDArray[np.intp]
    _asked: tuple[int, ...]

    # -- arrays -------------------------------------------------------------------------------------------

    @cached_property
    def probabilities(self) -> Numbers:
        return self._grounds.answers.probabilities(self._table)

    @cached_property
    def _verdicts(self) -> Codes:
        return self._grounds.answers.verdicts(self.probabilities)

    @property
    def predicted(self) -> NDArray[Any]:
        return self._grounds.answers.classes[self._verdicts]

    @cached_property
    def intervals(self) -> Intervals:
        return self._grounds.answers.intervals(self._table)

    @cached_property
    def contributions(self) -> Numbers:
        return self._shapley.contributions(self._table)

    @property
    def base_values(self) -> Numbers:
        return self._shapley.base_values

    @property
    def has_contributions(self) -> bool:
        """Whether contributions are defined; where they are not, asking for them tells why."""
        return isinstance(self._grounds.shapley, Shapley)

    @property
    def _shapley(self) -> Shapley:
        shapley = self._grounds.shapley
        if isinstance(shapley, str):
            raise ValueError(shapley)
        return shapley

    @property
    def nearest_leaves(self) -> Codes:
        return self._nearest[0]

    @property
    def n_changes(self) -> Codes:
        return self._nearest[1]

    @cached_property
    def _nearest(self) -> tuple[Codes, Codes]:
        if self._grounds.others is None:
            return np.full(len(self), -1), np.zeros(len(self), np.int64)
        return self._grounds.others.find(self._table, self._verdicts)

    @cached_property
    def _leaves(self) -> Codes:
        return np.full(len(self), -1) if self._grounds.paths is None else self._grounds.paths.leaves(self._table)

    # -- rows ---------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self._table.n_rows

    @overload
    def __getitem__(self, place: int) -> Explanation: ...
    @overload
    def __getitem__(self, place: slice) -> Explanations: ...
    def __getitem__(self, place: int | slice) -> Explanation | Explanations:
        if isinstance(place, slice):
            places = np.arange(len(self))[place]
            return Explanations(self._grounds, self._table.take(places), self._rows[places], self._asked)
        return self._explain(range(len(self))[place])

    def _explain(self, row: int) -> Explanation:
        grounds = self._grounds
        verdict = int(self._verdicts[row])
        values = values_of(self._table, row) if grounds.columns else np.empty(0)
        leaf = int(self._leaves[row])
        path = () if grounds.paths is None else grounds.paths.of_row(leaf, verdict, values)
        others = grounds.others
        return Explanation(
            row=int(self._rows[row]),
            predicted=grounds.answers.classes[verdict],
            probability=float(self.probabilities[row, verdict]),
            lower=float(self.intervals.lower[row, verdict]),
            upper=float(self.intervals.upper[row, verdict]),
            n=int(self.intervals.n[row]),
            path=path,
            is_blend=(grounds.paths is not None and grounds.paths.by_row) or any(step.is_unknown for step in path),
            nearest=None if others is None else others.of_row(int(self.nearest_leaves[row]), grounds.columns, values),
            base_value=float(self.base_values[verdict]) if self.has_contributions else None,
            contributions=self._contributions_of(row, verdict),
            values=self._told(values),
            witnesses={} if grounds.witnesses is None else grounds.witnesses(self._table, row, leaf),
        )

    def _told(self, values: Numbers) -> dict[str, str]:
        """The values of a row in words; those of columns that no test asks were not read."""
        columns = self._grounds.columns
        return {columns[place].name: told(columns[place], values[place]) for place in self._asked}

    def _contributions_of(self, row: int, verdict: int) -> dict[str, float]:
        if not self.has_contributions:
            return {}
        names = [column.name for column in self._grounds.columns]
        return dict(zip(names, self.contributions[row, :, verdict].tolist(), strict=True))

    def __str__(self) -> str:
        shown = [str(one) for one in self[:SHOWN]]
        n_more = len(self) - len(shown)
        return "\n\n".join([*shown, f"and {counted(n_more, 'more row')}"] if n_more else shown)

    def __repr__(self) -> str:
        return f"<Explanations of {counted(len(self), 'row')}>"

    # -- for other libraries --------------------------------------------------------------------------------

    def to_frame(self) -> Any:
        """One row per row, as a data frame.

        Columns: `row`, `predicted`, `probability` of that class with `lower` and `upper`, `n`; where they are defined
        `nearest` (the nearest other verdict, null where there is none) and `n_changes`; `base_value` and
        `contribution_<column>`, to the probability of the predicted class.

        Returns
        -------
        pandas, polars or pyarrow table
            Of the first of these libraries that is installed.
        """
        rows = np.arange(len(self))
        data: dict[str, Any] = {
            "row": self._rows,
            "predicted": self.predicted,
            "probability": self.probabilities[rows, self._verdicts],
            "lower": self.intervals.lower[rows, self._verdicts],
            "upper": self.intervals.upper[rows, self._verdicts],
            "n": self.intervals.n,
        }
        if self._grounds.others is not None:
            labels = self._grounds.others.labels
            data["nearest"] = [None if leaf < 0 else labels[leaf] for leaf in self.nearest_leaves.tolist()]
            data["n_changes"] = self.n_changes
        if self.has_contributions:
            data["base_value"] = self.base_values[self._verdicts]
            names = [storable(f"contribution_{column.name}") for column in self._grounds.columns]
            data |= dict(zip(names, self.contributions[rows, :, self._verdicts].T, strict=True))
        return build(data)

    def to_shap(self) -> Any:
        """The contributions as an object of the library shap, for its plots.

        Take the values of one class for most of them: ``explanations.to_shap()[:, :, 1]``. Categories are codes in
        `data`, and words in `display_data`.

        Returns
        -------
        shap.Explanation
        """
        contributions = self.contributions  # which tells why where there are none
        if find_spec("shap") is None:
            raise ImportError("to_shap needs the library shap; install it with pip install 'petree[explain]'.")
        import shap

        columns = self._grounds.columns
        data = np.vstack([chunk for _, chunk in self._table.chunks()])
        words = [
            [value_text(column, value) for value in values] for column, values in zip(columns, data.T, strict=True)
        ]
        are_plain = all(column.kind == NUMBER and not column.quantity for column in columns)
        return shap.Explanation(
            values=contributions,
            base_values=np.tile(self.base_values, (len(self), 1)),
            data=data,
            display_data=None if are_plain else np.array(words, object).T,
            feature_names=[column.name for column in columns],
            output_names=[str(label) for label in self._grounds.answers.classes],
        )
