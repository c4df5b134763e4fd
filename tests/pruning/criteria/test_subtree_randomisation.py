"""Randomisation tests of whole subtrees."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.pruning import PlainNode, plain_tree, prune_before, shape
from tests.oracles.pruning_by_errors import wrong
from tests.pruning.grown import make_cases, make_recipe
from tests.pruning.trees import trees
from tests.sources.made import make_table

from petree.estimators.learning.learner import learn
from petree.pruning import CostComplexity, ErrorBased, NoPruning, ReducedError, Sampled, SubtreeRandomisation
from petree.pruning.engine.context import Context
from petree.threads import Threads
from petree.tree import Tree

# Saves 12 of 18 errors.
WORKED = Tree.from_counts([[[12, 0], [3, 5]], [[1, 9], [6, 4]]])


def saving(n_errors: int) -> Tree:
    """A tree that saves so many errors."""
    return Tree.from_counts([[30, 0], [0, n_errors]])


class Regrown:
    """Trees that save given numbers of errors, whatever the node; counts how many were taken."""

    def __init__(self, saved: list[int]) -> None:
        self.saved, self.n_taken = saved, 0

    def __call__(self, criterion: Any, node: int) -> Iterator[Tree]:
        for n_errors in cycle(self.saved):
            self.n_taken += 1
            yield saving(n_errors)


def judge(saved: list[int], **parameters: Any) -> tuple[Tree, int]:
    regrow = Regrown(saved)
    stump = Tree.from_counts([[10, 2], [4, 9]])  # 11 errors as a leaf, 6 as it is
    pruned = SubtreeRandomisation(criterion=NoPruning(), **parameters).prune(stump, Context(regrow=regrow))
    return pruned, regrow.n_taken


@pytest.mark.parametrize(
    ("saved", "stays"),
    [
        ([4] * 95 + [5] * 5, True),
        ([4] * 94 + [5] * 6, False),
        ([6] * 5 + [4] * 95, True),
        ([6] * 6 + [4] * 94, False),
        ([0] * 100, True),
    ],
)
def test_a_subtree_must_save_strictly_more_than_95_of_100(saved: list[int], stays: bool) -> None:
    pruned, _ = judge(saved)
    assert pruned.n_leaves == (2 if stays else 1)
    assert pruned.pruning_log.verdicts.threshold.tolist() == [5]


def test_no_more_trees_are_grown_than_the_verdict_takes() -> None:
    assert judge([7] * 100)[1] == 6
    assert judge([1] * 100)[1] == 95
    assert judge([1] * 10, permutations=10)[1] == 10
    assert judge([7] * 100, alpha=0.5)[1] == 51


@given(tree=trees(), data=st.data())
def test_verdicts_from_the_root_down(tree: Tree, data: Any) -> None:
    saved = data.draw(st.lists(st.integers(0, 20), min_size=tree.n_nodes, max_size=tree.n_nodes))
    context = Context(regrow=lambda criterion, node: cycle([saving(saved[node])]))
    pruned = SubtreeRandomisation(criterion=NoPruning(), permutations=3).prune(tree, context)

    def stays(node: PlainNode) -> bool:
        return wrong(node) - sum(map(wrong, node.leaves)) > saved[node.index]

    assert shape(plain_tree(pruned)) == shape(prune_before(plain_tree(tree), stays))


def test_the_tree_is_pruned_by_another_criterion_first() -> None:
    """Nodes that are judged are named as in the grown tree, and both logs can be read."""
    nested = [[[1, 1], [1, 1]], [[[30, 1], [1, 30]], [[2, 2], [2, 2]]]]
    tree, asked = Tree.from_counts(nested), []

    def regrow(criterion: Any, node: int) -> Iterator[Tree]:
        asked.append(int(node))
        return cycle([saving(0)])

    pruned = SubtreeRandomisation().prune(tree, Context(regrow=regrow))
    first = ErrorBased().prune(tree)
    assert shape(plain_tree(pruned)) == shape(plain_tree(first))
    assert first.n_nodes < tree.n_nodes
    stayed = [node for node in range(tree.n_nodes) if not tree.is_leaf[node] and node not in first.pruning_log.cut]
    assert asked == stayed
    assert pruned.pruning_log.grown.pruning_log.criterion == "ErrorBased()"
    assert "SubtreeRandomisation" in pruned.pruning_log.criterion


def test_structure_stays_and_noise_goes() -> None:
    frame, codes = make_table(0, 150, 2)
    recipe = make_recipe(SubtreeRandomisation(permutations=20))
    assert learn(recipe, make_cases(frame, codes), Threads(1))[0].n_leaves <= 3
    signal = np.where(frame["small"] > 1, 1, 0)
    signal[::10] = 1 - signal[::10]
    tree, _ = learn(recipe, make_cases(frame, signal), Threads(1))
    assert tree.n_leaves >= 2
    assert str(tree.conditions[0]).startswith("small")


class Updater(NoPruning):
    """Gives other counts to nodes."""

    def prune(self, tree: Tree, context: Any = None) -> Tree:
        return tree.with_counts(tree.counts + 1)


@pytest.mark.parametrize(
    "criterion", [ReducedError(), Sampled(), CostComplexity(), ErrorBased(raising=True), SubtreeRandomisation()]
)
def test_a_criterion_that_needs_more_than_rows_cannot_be_used_inside(criterion: Any) -> None:
    with pytest.raises(ValueError, match=f"{type(criterion).__name__} needs .*, so it cannot be used inside of Sub"):
        SubtreeRandomisation(criterion=criterion).check()
    SubtreeRandomisation(criterion=CostComplexity(alpha=0.1)).check()


@pytest.mark.parametrize(
    ("member", "context", "sentence"),
    [
        (
            SubtreeRandomisation(alpha=2),
            None,
            "'alpha' parameter of SubtreeRandomisation must be .* not above 1. Got 2",
        ),
        (SubtreeRandomisation(permutations=0), None, "'permutations' parameter of SubtreeRandomisation must be an int"),
        (SubtreeRandomisation(), None, "SubtreeRandomisation needs the training data, not only the counts of a tree"),
        (
            SubtreeRandomisation(criterion=Updater()),
            Context(regrow=Regrown([1])),
            "needs a 'criterion' that cuts nodes",
        ),
    ],
)
def test_what_cannot_be_is_refused(member: Any, context: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        member.prune(WORKED, context)
