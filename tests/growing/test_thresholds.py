"""Where the threshold of a node lies: in the gap between the node's own values, and in its middle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.plain import plain_classifier

from petree import OptionTreeClassifier, ProbabilityTreeClassifier
from petree.binning import Quantile, cuts_between
from petree.conditions import THRESHOLD
from petree.tree import Tree

# Every way in which tests are searched; the least rows of a leaf keeps trees small.
WAYS: dict[str, dict[str, Any]] = {
    "by value": {},
    "by ratio": {"split": "gain_ratio"},
    "by ratio, cut by gain": {"split": "gain_ratio", "tests": "multiway"},
    "by evidence": {"split": "bayes"},
    "by many scores": {"split": "mauc"},
    "lookahead": {"lookahead": 2},
    "wide columns": {"binning": "exact"},
    "quantiles": {"binning": "quantile"},
    "entropy": {"binning": "entropy"},
    "fractions": {"missing": "fractions"},
    "majority": {"missing": "majority"},
    "surrogates": {"missing": "surrogates"},
    "while growing": {"pruning": "chi", "min_samples_leaf": 2},
}


def table(seed: int, has_missing: bool, n_rows: int = 250) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Numbers of several kinds, of which nodes have few: whole ones, real ones, some far from others."""
    random = np.random.default_rng(seed)
    X = np.column_stack((
        random.integers(0, 30, n_rows), random.normal(size=n_rows), np.exp(4 * random.normal(size=n_rows)),
        random.integers(0, 2, n_rows),
    ))  # fmt: skip
    y = (X[:, 0] > 14) ^ (X[:, 1] > 0.3) ^ (random.random(n_rows) < 0.2)
    if has_missing:
        X[random.random(X.shape) < 0.1] = np.nan
    return X, y


def rows_at(tree: Tree, X: NDArray[np.float64]) -> Iterator[tuple[int, int, NDArray[np.float64], NDArray[np.float64]]]:
    """Each cut with its column and the known values on its left and on its right, by the rows that surely come there.

    Rows whose value is missing at a test above are left out, since they may go elsewhere, or every way.
    """
    pending = [(0, np.arange(len(X)))]
    while pending:
        node, rows = pending.pop()
        for split in range(tree.split_start[node], tree.split_start[node + 1]):
            if tree.conditions.kind[split] != THRESHOLD:
                continue
            column, threshold = int(tree.conditions.column[split]), tree.conditions.value[split]
            values = X[rows, column]
            left, right = rows[values < threshold], rows[values >= threshold]
            yield split, column, X[left, column], X[right, column]
            first = tree.child_start[split]
            pending += [(int(tree.children[first]), left), (int(tree.children[first + 1]), right)]


def check(tree: Tree, X: NDArray[np.float64]) -> int:
    """Each threshold divides the training values of its column as the middle of the node's gap does."""
    n_checked = 0
    for split, column, left, right in rows_at(tree, X):
        middle = left.max() / 2 + right.min() / 2
        every = np.unique(X[~np.isnan(X[:, column]), column])
        below, above = every[every <= middle].max(), every[every > middle].min()
        (expected,) = cuts_between(np.array([below]), np.array([above]))
        assert left.max() < expected <= right.min()
        assert tree.conditions.value[split] == expected
        n_checked += 1
    return n_checked


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_thresholds_lie_in_the_middle_of_the_gap_of_their_node(way):
    n_checked = 0
    for seed in range(5):
        X, y = table(seed, has_missing=False)
        model = plain_classifier(**({"binning": "exact"} | way)).fit(X, y)
        if way.get("binning") == "entropy":  # whose bins hold several values
            for split, _, left, right in rows_at(model.tree_, X):
                assert left.max() < model.tree_.conditions.value[split] <= right.min()
                n_checked += 1
        else:
            n_checked += check(model.tree_, X)
    assert n_checked > 10


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from([5, 20, 60]))
def test_bins_of_many_values(seed, max_bins):
    """The middle is that of the bins: the gap is between the values of the node's own neighbouring bins."""
    X, y = table(seed, has_missing=False)
    tree = plain_classifier(binning=Quantile(max_bins)).fit(X, y).tree_
    for split, column, left, right in rows_at(tree, X):
        cuts = np.asarray(Quantile(max_bins).thresholds(X[:, column].copy(), y, None, 2))
        bins = np.searchsorted(cuts, X[:, column], "right")
        ends = {one: (X[bins == one, column].min(), X[bins == one, column].max()) for one in np.unique(bins).tolist()}
        centres = {one: low / 2 + high / 2 for one, (low, high) in ends.items()}
        lower, upper = np.searchsorted(cuts, left.max(), "right"), np.searchsorted(cuts, right.min(), "right")
        middle = centres[int(lower)] / 2 + centres[int(upper)] / 2
        last = max(one for one in centres if centres[one] <= middle and one < upper)
        assert tree.conditions.value[split] == cuts[last]


@pytest.mark.parametrize("way", ["branch", "fractions", "majority", "surrogates"])
def test_only_known_values_bound_the_gap(way):
    for seed in range(5):
        X, y = table(seed, has_missing=True)
        tree = plain_classifier(missing=way, binning="exact", max_depth=1).fit(X, y).tree_
        assert check(tree, X) == 1


def test_option_trees():
    X, y = table(0, has_missing=False)
    model = OptionTreeClassifier(binning="exact", random_state=0).fit(X, y)
    assert check(model.tree_, X) > 100


def test_a_value_in_the_middle_goes_left():
    """As in C4.5, whose tests are x <= middle."""
    X = np.array([[0, 1], [0, 3], [0, 1], [0, 3], [1, 2], [1, 2], [1, 2]], float)
    model = plain_classifier(categorical_features=[0], split="gain").fit(X, ["a", "b", "a", "b", "c", "c", "c"])
    texts = [str(condition) for condition in model.tree_.conditions]
    assert texts[-1] == "x1 < 3"


def test_new_rows_do_not_move_the_threshold_of_a_test_that_is_kept():
    X = np.array([[1.0], [1.0], [10.0], [10.0]] * 10)
    y = np.array([0, 0, 1, 1] * 10)
    model = ProbabilityTreeClassifier("gain", "none", binning="exact").fit(X, y)
    model.partial_fit(X, y)
    before = model.tree_.conditions[0]
    model.partial_fit(np.array([[2.0], [9.0]] * 20), np.array([0, 1] * 20))
    assert model.tree_.conditions[0] == before
