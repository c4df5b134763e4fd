"""CHI: critical values and verdicts of the papers."""

import numpy as np
import pytest
from hypothesis import given
from tests.pruning.trees import trees

from petree.pruning import Chi
from petree.pruning.criteria.significance.chi import chi_square
from petree.pruning.engine.stumps import Stumps
from petree.tree import Tree


def only_stump(children, n_tests=1):
    return Stumps.of(Tree.from_counts(children, n_tests=n_tests), np.array([0]))


@pytest.mark.parametrize(
    ("n_classes", "n_tests", "critical", "critical_2005"),
    [
        (2, 1, 3.841459, 2.705543),
        (2, 51, 10.864235, 9.585889),
        (3, 16, 11.536642, 10.150348),
        (10, 112, 29.955543, 28.171658),
    ],
)
def test_critical_values(n_classes, n_tests, critical, critical_2005):
    stumps = only_stump([[1] * n_classes, [2] * n_classes], n_tests)
    assert Chi().critical(stumps) == pytest.approx([critical], abs=5e-7)
    assert Chi(alpha=0.1).critical(stumps) == pytest.approx([critical_2005], abs=5e-7)
    assert Chi(bonferroni=False).critical(stumps) == Chi().critical(only_stump([[1] * n_classes] * 2))


def test_the_two_papers_differ_on_the_worked_split():
    tree = Tree.from_counts([[8, 2], [2, 8]], n_tests=10)
    assert chi_square(Stumps.of(tree, np.array([0]))) == pytest.approx([7.2])
    assert [Chi(alpha).prune(tree).n_leaves for alpha in (0.05, 0.1)] == [1, 2]


def test_empty_children_give_no_freedom():
    assert Chi().critical(only_stump([[3, 1], [0, 0], [1, 3]])) == pytest.approx([3.841459], abs=5e-7)
    assert Chi().critical(only_stump([[3, 1], [2, 2], [1, 3]])) == pytest.approx([5.991465], abs=5e-7)
    assert Chi(alpha=0.9).prune(Tree.from_counts([[3, 1], [0, 0]])).n_leaves == 1


@given(trees())
def test_postpruning_leaves_more_than_prepruning(tree):
    post, pre = Chi().prune(tree), Chi(when="pre").prune(tree)
    assert tree.n_leaves >= post.n_leaves >= pre.n_leaves
