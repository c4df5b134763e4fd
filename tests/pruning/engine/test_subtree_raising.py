"""Error-based pruning in C4.5's way: raising and collapsing."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.pruning import plain_tree, shape
from tests.plain import plain_classifier
from tests.pruning.engine.raising import Rows, shape_of

from petree.pruning import ErrorBased
from petree.tree import Tree

CATEGORIES = [0.0, 1.0, 2.0]


def make(seed, n_rows=120, n_classes=3, noise=0.4, lost=0.0):
    """Noisy rows of two numbers and a category, a share of them missing, and their classes."""
    numbers = np.random.default_rng(seed)
    X = np.column_stack((numbers.integers(0, 6, (n_rows, 2)), numbers.integers(0, 3, n_rows))).astype(float)
    y = np.where(numbers.random(n_rows) < noise, numbers.integers(0, n_classes, n_rows), X[:, 0] % n_classes)
    y[:n_classes] = np.arange(n_classes)
    X[numbers.random(X.shape) < lost] = np.nan
    return X, y.astype(np.intp)


def fit(X, y, pruning):
    """A tree with a branch for each value of the category."""
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": pd.Categorical(X[:, 2], categories=CATEGORIES)})
    return plain_classifier(pruning=pruning, tests="multiway", missing="fractions").fit(frame, y).tree_


def grow(seed, **settings):
    X, y = make(seed, **settings)
    return Rows(fit(X, y, "none"), X, y)


def context(rows):
    return SimpleNamespace(reroute=rows.reroute)


def slow(rows, collapsing=False):
    place = rows.place()
    if collapsing:
        rows.collapse(place)
    rows.estimate(place, rows.every(), True)
    return place


@settings(max_examples=5)
@given(
    seed=st.integers(0, 10**6),
    n_rows=st.sampled_from((20, 60, 120)),
    n_classes=st.sampled_from((2, 3)),
    collapsing=st.booleans(),
)
def test_raised_trees_are_what_c45_leaves(seed, n_rows, n_classes, collapsing):
    rows = grow(seed, n_rows=n_rows, n_classes=n_classes)
    pruned = ErrorBased(raising=True, collapsing=collapsing).prune(rows.grown, context(rows))
    assert shape(plain_tree(pruned)) == shape_of(slow(rows, collapsing))


@pytest.mark.parametrize("lost", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("seed", range(4))
def test_estimators_raise_branches(seed, lost):
    rows = grow(seed, lost=lost)
    pruned = fit(rows.X, rows.codes, ErrorBased(raising=True, collapsing=True))
    assert_same_shape(shape(plain_tree(pruned)), shape_of(slow(rows, collapsing=True)))


def assert_same_shape(ours, theirs):
    np.testing.assert_allclose(ours[0], theirs[0], atol=1e-9)
    for our, their in zip(ours[1], theirs[1], strict=True):
        assert_same_shape(our, their)


def test_parts_of_rows_are_divided_anew_where_a_branch_is_raised():
    """By the rows that come by then: with those of the branch alone the counts below would be others."""
    for seed in range(50):
        rows = grow(seed, lost=0.4)
        pruned = fit(rows.X, rows.codes, ErrorBased(raising=True))
        if is_raised(pruned):
            np.testing.assert_allclose(rows.reroute(pruned, [0], [0])[0], pruned.counts, atol=1e-9)
            return
    raise AssertionError("No branch was raised.")


def is_raised(pruned):
    """Whether cutting alone does not give this tree."""
    return pruned.pruning_log.pruned().n_nodes != pruned.n_nodes


@pytest.fixture(scope="module")
def raised():
    """A tree in which branches were raised, with its rows."""
    for seed in range(50):
        rows = grow(seed)
        pruned = ErrorBased(raising=True).prune(rows.grown, context(rows))
        if is_raised(pruned):
            return rows, pruned
    raise AssertionError("No branch was raised.")


def test_a_raised_tree_sends_its_rows_where_its_counts_say(raised):
    rows, pruned = raised
    counts, sizes = rows.reroute(pruned, [0], [0])
    assert (pruned.counts == counts).all()
    assert (pruned.sizes == sizes).all()
    assert not pruned.is_dag


def test_the_log_of_a_raised_tree_names_its_leaves_and_what_went(raised):
    rows, pruned = raised
    log = pruned.pruning_log
    assert log.grown is rows.grown
    assert not rows.grown.is_leaf[log.cut].any()
    assert np.isin(log.cut, log.nodes[~log.verdicts.accepted]).all()
    assert log.names[1] == "errors to be expected in its place, less 0.1"


@pytest.mark.parametrize("collapsing", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_what_stays_is_predicted_a_tenth_of_an_error_less(seed, collapsing):
    rows = grow(seed)
    verdicts = ErrorBased(raising=True, collapsing=collapsing).prune(rows.grown, context(rows)).pruning_log.verdicts
    excess = verdicts.statistic - verdicts.threshold
    assert (excess[verdicts.accepted] < 1e-9).all()
    assert (excess[~verdicts.accepted] > -1e-9).all()
    assert len(set(verdicts.accepted.tolist())) == 2


def test_gains_of_raised_splits_are_not_known(raised):
    rows, pruned = raised
    gains = pruned.annotations["gain"][~pruned.is_leaf]
    assert np.isnan(gains).any()
    assert set(gains[~np.isnan(gains)]) <= set(rows.grown.annotations["gain"])
    assert set(pruned.annotations) == set(rows.grown.annotations)


def test_raising_needs_rows():
    assert ErrorBased(raising=True).needs == ("reroute",)
    assert ErrorBased(collapsing=True).needs == ()
    with pytest.raises(ValueError, match=r"ErrorBased needs the rows of every node to send .*, not only the counts"):
        ErrorBased(raising=True).prune(Tree.from_counts([[3, 1], [1, 3]]))


def test_collapsing_alone_needs_no_rows():
    tree = Tree.from_counts([[[9, 1], [5, 2]], [0, 6]])
    pruned = ErrorBased(collapsing=True).prune(tree)
    assert pruned.counts[pruned.is_leaf].tolist() == [[14, 3], [0, 6]]
    assert pruned.pruning_log.cut.tolist() == [1]
