"""Predicted errors of leaves, and the rules that use them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.pruning_by_errors import c45_errors, exact_errors, j48_errors

from petree.pruning import ErrorBased
from petree.pruning.criteria.errors import error_limits
from petree.tree import Tree

# cases, errors, and the limits exact, C4.5's, J48's
TABLE = [
    (1, 0, 0.75, 0.75, 0.75),
    (6, 0, 1.237797, 1.237797, 1.237797),
    (9, 0, 1.284804, 1.284804, 1.284804),
    (2, 1, 1.732051, 1.796241, 1.791493),
    (16, 1, 2.553771, 2.506894, 2.475715),
    (10, 2, 3.554442, 3.547735, 3.518578),
    (14, 5, 6.769184, 6.794993, 6.761120),
    (100, 10, 12.821059, 12.814705, 12.749611),
    (100, 50, 53.856881, 53.951669, 53.862372),
    (10, 9, 9.716417, 9.803752, 9.799196),
]
# Leaves of a published tree for mutagenesis, cases and errors; Tilde printed the sum 66.6546112633088 for it.
MUTAGENESIS = [(7, 1), (20, 0), (4, 0), (6, 2), (60, 11), (12, 5), (36, 7), (6, 0), (79, 24)]
LIMITS = {"exact": exact_errors, "c4.5": c45_errors, "j48": j48_errors}


def predicted(pairs, limit, confidence=0.25):
    """Limits of leaves of so many cases and errors."""
    cases, wrong = np.array(pairs, float).T
    return error_limits.LIMITS[limit](cases, wrong, confidence)


@pytest.mark.parametrize(("limit", "column"), [("exact", 2), ("c4.5", 3), ("j48", 4)])
def test_tables_of_limits(limit, column):
    found = predicted([row[:2] for row in TABLE], limit)
    assert found == pytest.approx([row[column] for row in TABLE], abs=5e-7)


def test_tilde_s_own_estimate():
    counts = np.array([[cases - wrong, wrong] for cases, wrong in MUTAGENESIS], float)
    assert ErrorBased().leaf_costs(counts).sum() == pytest.approx(66.6546112633088, abs=1e-12)
    assert predicted(MUTAGENESIS, "c4.5").sum() == pytest.approx(66.6546112633088, abs=1e-12)
    assert predicted(MUTAGENESIS, "exact").sum() == pytest.approx(66.554679, abs=5e-7)
    assert predicted(MUTAGENESIS, "j48").sum() == pytest.approx(66.387582, abs=5e-7)


@pytest.mark.parametrize("limit", LIMITS)
@given(cases=st.integers(0, 60), share=st.floats(0, 1))
def test_limits_equal_their_definition(limit, cases, share):
    wrong = round(share * cases)
    found = predicted([(cases, wrong)], limit)[0]
    assert found == pytest.approx(LIMITS[limit](cases, wrong), rel=1e-9)
    assert wrong <= found <= cases + 1e-9


@pytest.mark.parametrize("limit", LIMITS)
def test_fractions_of_errors_lie_between_whole_ones(limit):
    wrong = np.array([0.0, 1e-9, 0.25, 0.5, 0.75, 0.99995, 1.0, 1.5, 2.0])
    found = predicted([(5.0, one) for one in wrong], limit)
    assert (np.diff(found) > -1e-12).all()


def test_a_smaller_level_predicts_more_errors():
    for limit in LIMITS:
        low, high = (predicted(MUTAGENESIS, limit, confidence=level) for level in (0.1, 0.4))
        assert (low > high).all()


def test_quinlan_s_example_is_pruned():
    tree = Tree.from_counts([[6, 0], [9, 0], [0, 1]])
    verdicts = ErrorBased().prune(tree).pruning_log.verdicts
    assert verdicts.threshold == pytest.approx([2.506894], abs=5e-7)
    assert verdicts.statistic == pytest.approx([3.272601], abs=5e-7)
    assert not verdicts.accepted.any()


def test_on_equality_the_subtree_stays_but_for_c45_s_margin():
    tree = Tree.from_counts([[6, 2], [0, 0]])
    assert ErrorBased().prune(tree).n_leaves == 2
    assert ErrorBased(collapsing=True).prune(tree).n_leaves == 1


def test_a_leaf_up_to_a_tenth_of_an_error_worse_replaces_a_subtree_in_c45_s_way():
    tree = Tree.from_counts([[3, 1], [2, 3]])
    verdicts = ErrorBased().prune(tree).pruning_log.verdicts
    assert verdicts.statistic[0] < verdicts.threshold[0] < verdicts.statistic[0] + 0.1
    assert ErrorBased().prune(tree).n_leaves == 2
    assert ErrorBased(collapsing=True).prune(tree).n_leaves == 1
