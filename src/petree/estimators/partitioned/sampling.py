"""The sample of data in parts on which tests are chosen, or why there can be none."""

from __future__ import annotations

from typing import Any

import numpy as np

from petree.estimators.learning.recipe import Recipe
from petree.partitions.budget import write_memory
from petree.partitions.engines import chosen
from petree.partitions.ground import SHARE_OF_ROWS, bytes_of_row
from petree.partitions.partition import CodedData
from petree.partitions.sampled import drawing
from petree.partitions.sampled.drawing import Drawing
from petree.pruning.engine.gate import Gate
from petree.sources.sampling import refuse_ratio_scores


def sample_of(data: CodedData, recipe: Recipe[Any], ratio: float) -> tuple[Drawing, float] | None:
    """Which rows choose tests, and how sure they must be; None where all rows are no more than a sample.

    What a sample cannot do is refused before anything is read.
    """
    refuse_ratio_scores(recipe.split)
    if Gate(recipe.pruning).chooses:
        raise ValueError(
            f"{recipe.pruning!r} chooses among all tests of a node, which a sample does not tell; set "
            "sample_ratio=None, or when='post' of the criterion."
        )
    if data.n_rows <= drawing.SAMPLE_ROWS:
        return None
    needed = drawing.SAMPLE_ROWS * bytes_of_row(np.array([column.n_bins for column in data.columns]))
    if needed > SHARE_OF_ROWS * chosen().memory:
        raise ValueError(
            f"With sample_ratio={ratio:g} tests are chosen on {drawing.SAMPLE_ROWS:,} rows, which take "
            f"{write_memory(needed)}; of the {write_memory(chosen().memory)} that are allowed "
            f"{write_memory(SHARE_OF_ROWS * chosen().memory)} are for them; allow "
            f"{write_memory(needed / SHARE_OF_ROWS)} by petree.partitions.use(memory=...), or set sample_ratio=None."
        )
    return Drawing.of(data.n_rows, recipe.seed), ratio
