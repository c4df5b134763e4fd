"""A source of another kind: the protocol is all that growing, pruning and the estimators know of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.growing.checks import assert_same_tree
from tests.pruning.grown import make_cases, make_recipe
from tests.sources.made import grow_all, make_source, make_table

from petree.estimators.learning.cases import Cases
from petree.estimators.learning.learner import learn
from petree.estimators.learning.recipe import Recipe, SourceMaker
from petree.growing import Stopping, grow
from petree.pruning import ErrorBased, Rand
from petree.pruning.engine.permutation_tests import PermutationTests
from petree.sources.base import Finished, Limits, Nodes, Source, Splits
from petree.sources.table import TableSource
from petree.threads import Threads


class Lettered(Source):
    """A table whose handles are texts, which nobody but itself can read: it knows which slice each stands for."""

    def __init__(self, source: TableSource, finishes: bool = False) -> None:
        self.source = source
        self.finishes = finishes
        self.slices: dict[str, Any] = {}

    def _hidden(self, nodes: Nodes) -> Nodes:
        names = [f"node {len(self.slices) + place}" for place in range(len(nodes))]
        self.slices |= dict(zip(names, nodes.handles, strict=True))
        return Nodes(np.array(names, object), nodes.counts, nodes.sizes)

    def _known(self, nodes: Nodes) -> Nodes:
        return Nodes(self._handles(nodes.handles), nodes.counts, nodes.sizes)

    def _handles(self, names: NDArray[Any]) -> NDArray[np.int64]:
        return np.array([self.slices[name] for name in names], np.int64).reshape(len(names), 2)

    def root(self) -> Nodes:
        return self._hidden(self.source.root())

    def n_tests(self, nodes: Nodes) -> Any:
        return self.source.n_tests(nodes)

    def best_splits(self, nodes: Nodes) -> Splits:
        return self.source.best_splits(self._known(nodes))

    def candidates(self, nodes: Nodes) -> Any:
        return self.source.candidates(self._known(nodes))

    def divide(self, nodes: Nodes, splits: Splits) -> Any:
        children, n_children = self.source.divide(self._known(nodes), splits)
        return self._hidden(children), n_children

    def finish(self, nodes: Nodes, limits: Limits) -> Finished | None:
        """Every second node, where this is asked for."""
        which = np.arange(0, len(nodes), 2)
        done = self.source.finish(self._known(nodes.take(which)), limits) if self.finishes else None
        if done is None:
            return None
        numbers = np.concatenate((which, np.arange(len(nodes), len(nodes) + len(done.children))))
        left_open = np.setdiff1d(np.arange(len(nodes)), which)
        return Finished(numbers[done.owners], done.splits, self._hidden(done.children), done.n_children, left_open)

    def conditions(self, waves: Any) -> Any:
        return self.source.conditions(waves)

    def rows_of(self, handles: NDArray[Any]) -> Any:
        return self.source.rows_of(self._handles(handles))

    def permuted(self, handle: str, key: np.uint64) -> Lettered:
        return Lettered(self.source.permuted(self.slices[handle], key))

    def exceedances(self, trials: PermutationTests, moves_attributes: bool = False) -> Any:
        handles = self._handles(trials.handles)
        known = PermutationTests(
            handles, trials.counts, trials.keys, trials.scores, trials.n_permutations, trials.allowed
        )
        return self.source.exceedances(known)


@dataclass(frozen=True)
class LetteredMaker(SourceMaker[Lettered]):
    """Makes it of cases."""

    maker: SourceMaker[TableSource]

    def source(self, cases: Cases, split: Any, min_samples_leaf: int, threads: Threads) -> Lettered:
        return Lettered(self.maker.source(cases, split, min_samples_leaf, threads))


@pytest.mark.parametrize("pruning", ["none", Rand(permutations=20), ErrorBased(raising=True), "subtree_randomisation"])
def test_handles_are_opaque(pruning: Any) -> None:
    frame, codes = make_table(0, 120, 2)
    recipe = make_recipe(pruning)
    hidden = Recipe(recipe.split, recipe.pruning, recipe.stopping, LetteredMaker(recipe.maker))
    cases = make_cases(frame, codes)
    assert_same_tree(*(learn(one, cases, Threads(1))[0] for one in (recipe, hidden)))


@pytest.mark.parametrize("seed", range(3))
def test_some_nodes_may_be_finished_and_others_left_open(seed: int) -> None:
    frame, classes = make_table(seed, 200, 3)
    whole = grow_all(make_source(frame, classes))
    source = Lettered(make_source(frame, classes), finishes=True)
    grown = grow(source, Stopping(), range(3))
    assert whole.tree.n_nodes > 20
    assert_same_tree(whole.tree, grown.tree)
    np.testing.assert_array_equal(source._handles(grown.handles), whole.handles)


def test_a_source_that_does_not_go_by_columns_cannot_look_ahead() -> None:
    recipe = make_recipe()
    hidden = Recipe(recipe.split, recipe.pruning, recipe.stopping, LetteredMaker(recipe.maker), lookahead=2)
    with pytest.raises(ValueError, match="not compared column by column; set lookahead=1"):
        hidden.grow(make_cases(*make_table(0, 30, 2)), Threads(1))
