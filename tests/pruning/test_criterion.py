"""What a criterion declares, and criteria of a user's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.oracles.pruning import plain_tree, shape
from tests.plain import plain_classifier

from petree import pruning
from petree.pruning import CountCostCriterion, Criterion, Sampled, StumpCriterion, SubtreeRandomisation
from petree.pruning.engine.context import Context
from petree.pruning.engine.counts import errors
from petree.pruning.engine.stumps import Stumps, Verdicts
from petree.tree import Tree

NUMBERS = np.random.default_rng(0)
X = NUMBERS.integers(0, 6, (200, 3)).astype(float)
Y = np.where(NUMBERS.random(200) < 0.3, NUMBERS.integers(0, 2, 200), X[:, 0] > 2).astype(int)


class PricedErrors(CountCostCriterion):
    """Training errors, and half of one for each leaf."""

    def leaf_costs(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        return errors(counts) + 0.5


class Large(StumpCriterion):
    """Nodes of at least 30 cases are split."""

    def __init__(self, when: str = "post") -> None:
        self.when = when

    def judge(self, stumps: Stumps, context: Context) -> Verdicts:
        cases = stumps.counts.sum(axis=1)
        return Verdicts(cases, np.full(len(cases), 30.0), cases >= 30)


class Even(StumpCriterion):
    """Nodes are split whose two children have about as many cases each; it takes no parameter."""

    def judge(self, stumps: Stumps, context: Context) -> Verdicts:
        cases = stumps.children.sum(axis=1)
        apart = stumps.sum(np.abs(cases - np.repeat(stumps.counts.sum(axis=1) / 2, 2)))
        return Verdicts(apart, np.full(len(stumps), 20.0), apart <= 20)


class Rootless:
    """A user's own object: it derives from nothing, and keeps what it was given."""

    needs = ("training",)

    def prune(self, tree: Tree, context: Any = None) -> Tree:
        self.given = context
        return tree.cut([0])


def fitted(criterion: Any) -> Tree:
    return plain_classifier(pruning=criterion).fit(X, Y).tree_


@pytest.mark.parametrize("alias", pruning.MEMBERS)
def test_a_hook_that_is_declared_is_there(alias: str) -> None:
    member = pruning.MEMBERS[alias]
    for flag, hook in (("closes_nodes", "opens"), ("chooses_tests", "passes")):
        assert getattr(member, flag) == (getattr(member, hook) is not getattr(Criterion, hook))
    made = member()
    assert not made.judges_while_growing or member.judge is not Criterion.judge
    assert len(made.names) == 2


def test_costs_alone_are_a_criterion_that_others_can_use() -> None:
    tree = fitted("none")
    pruned = fitted(PricedErrors())
    assert 1 < pruned.n_leaves < tree.n_leaves
    assert pruned.pruning_log.names == ("statistic", "threshold")
    assert shape(plain_tree(pruned)) == shape(plain_tree(fitted(Sampled(PricedErrors(), alpha=1.0))))
    assert fitted(SubtreeRandomisation(permutations=5, criterion=PricedErrors())).n_leaves <= pruned.n_leaves


def test_a_verdict_alone_is_a_criterion_before_and_after_growing() -> None:
    before = fitted(Large("pre"))
    assert (before.counts[~before.is_leaf].sum(axis=1) >= 30).all()
    assert before.pruning_log.grown.n_nodes < fitted("none").n_nodes
    assert shape(plain_tree(before)) == shape(plain_tree(Large("pre").prune(fitted("none"))))
    with pytest.raises(ValueError, match="'when' parameter of Large must be 'pre' or 'post'"):
        fitted(Large("never"))


def test_a_verdict_without_parameters_is_asked_after_growing() -> None:
    assert not Even().judges_while_growing
    pruned = fitted(Even())
    assert pruned.pruning_log.grown.n_nodes == fitted("none").n_nodes
    assert shape(plain_tree(pruned)) == shape(plain_tree(Even().prune(fitted("none"))))


def test_an_object_that_derives_from_nothing_gets_what_it_needs() -> None:
    own = Rootless()
    assert fitted(own).n_nodes == 1
    assert len(own.given.training) == 200
    assert own.given.source is None


def test_what_is_no_criterion_yet_cannot_be_made() -> None:
    for base in (Criterion, StumpCriterion, pruning.CostCriterion, CountCostCriterion):
        with pytest.raises(TypeError, match="abstract"):
            base()
