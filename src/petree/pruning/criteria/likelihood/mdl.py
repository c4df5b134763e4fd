"""The minimum description length of a probability tree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from petree.pruning.criteria.likelihood.description_length import DescriptionLength


class MDL(DescriptionLength):
    """Minimum description length of tree and data (Friedman & Goldszmidt 1998; Fierens et al. 2007, section 4.3).

    A leaf is ``1 + 0.5 (C - 1) log2 N`` bits long, an inner node ``1 + log2 N_test`` and its children; the data are
    ``sum_leaves N_l H_l``. So a binary test must save more than ``2 + log2 N_test + 0.5 (C - 1) log2 N`` bits. N is the
    whole training set, N_test the number of candidate tests of the node.

    Parameters
    ----------
    when : {"post", "pre"}, default="post"
        Bottom-up on a grown tree, or while growing.
    by : {"subtree", "stump"}, default="subtree"
        Whether postpruning compares whole subtrees with leaves, or only stumps (section 2.2).
    class_exponent : float, default=1.0
        ``(C - 1)`` is raised to this: below 1, many classes cost less, as Fierens et al. (2005) propose to try; two
        classes always cost the same.
    keep_equal : bool, default=False
        Whether a subtree that costs what it saves stays, as in Fierens et al. (2005).
    """

    def leaf_length(self, n_classes: int, n_cases: float) -> float:
        return 1 + self.parameter_length(n_classes, n_cases)

    def test_length(self, n_tests: NDArray[np.int64]) -> NDArray[np.float64]:
        return 1 + np.log2(np.maximum(n_tests, 1))
