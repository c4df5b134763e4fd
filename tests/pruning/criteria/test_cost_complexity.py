"""Weakest links, and which tree cross-validation takes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier
from tests.oracles.cases import (
    error_length,
    loss_of_case,
    plain_cost_complexity,
    squared_length,
    weakest_link_path,
)
from tests.oracles.pruning import data_length, plain_tree, shape
from tests.pruning.trees import trees, with_class_weight
from tests.random_trees import option_tree

from petree.pruning import CostComplexity, cost_complexity_path
from petree.pruning.criteria.validation.cost_complexity import choose
from petree.pruning.engine.context import Context
from petree.tree import Tree

LOSSES = {"error": error_length, "log": data_length, "brier": squared_length}
# 40 errors at the root, 28 at the leaves; the right stump saves 2 of them, the left one 10.
WORKED = Tree.from_counts([[[28, 6], [3, 13]], [[20, 10], [9, 11]]])


def test_path_of_the_worked_tree() -> None:
    path = cost_complexity_path(WORKED)
    np.testing.assert_allclose(path.alphas, [0, 0.02, 0.05])
    np.testing.assert_allclose(path.risks, [0.28, 0.30, 0.40])
    assert path.n_leaves.tolist() == [4, 3, 1]
    assert [path.at(alpha).n_leaves for alpha in (0.0, 0.019, 0.02, 0.049, 0.05, 1.0)] == [4, 4, 3, 3, 1, 1]


@pytest.mark.parametrize("loss", LOSSES)
@given(tree=trees(), weight=st.sampled_from((1.0, 2.5)))
def test_paths_are_what_the_definition_gives(loss: str, tree: Tree, weight: float) -> None:
    tree = with_class_weight(tree, weight)
    path, plain = cost_complexity_path(tree, loss), weakest_link_path(plain_tree(tree), LOSSES[loss])
    np.testing.assert_allclose(path.alphas, [alpha for alpha, _ in plain], atol=1e-10)
    assert path.n_leaves.tolist() == [len(smaller.leaves) for _, smaller in plain]
    n_cases = max(float(tree.weighted_counts[0].sum()), 1e-300)
    np.testing.assert_allclose(path.risks, [LOSSES[loss](smaller) / n_cases for _, smaller in plain], atol=1e-10)
    for alpha, (_, smaller) in zip(path.alphas, plain, strict=True):
        assert shape(plain_tree(path.at(alpha))) == shape(smaller)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_impurity_paths_are_those_of_scikit_learn(criterion: str, weighted: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(200, 4)).round(1), random.integers(0, 3, 200)
    y[X[:, 0] > 0.5] = 0
    weights = random.integers(1, 4, 200) if weighted else None
    model = DecisionTreeClassifier(criterion=criterion, random_state=seed).fit(X, y, sample_weight=weights)
    theirs = model.cost_complexity_pruning_path(X, y, sample_weight=weights)
    path = cost_complexity_path(Tree.from_sklearn(model), "impurity")
    is_last = np.append(np.diff(theirs.ccp_alphas) > 1e-12, True)  # of equal alphas
    np.testing.assert_allclose(path.alphas, theirs.ccp_alphas[is_last], atol=1e-10)
    np.testing.assert_allclose(path.risks, theirs.impurities[is_last], atol=1e-10)
    assert len(path.alphas) > 5
    middle = float(path.alphas[len(path.alphas) // 2])
    smaller = DecisionTreeClassifier(criterion=criterion, random_state=seed, ccp_alpha=middle + 1e-9)
    assert path.at(middle).n_leaves == smaller.fit(X, y, sample_weight=weights).get_n_leaves()


def test_impurities_and_ordinary_trees_are_needed() -> None:
    with pytest.raises(ValueError, match="This tree has no impurities at its nodes"):
        cost_complexity_path(WORKED, "impurity")
    with pytest.raises(ValueError, match=r"The loss must be one of error, log, brier, impurity. Got 'gini'"):
        cost_complexity_path(WORKED, "gini")
    with pytest.raises(ValueError, match="This tree has option nodes"):
        cost_complexity_path(option_tree())


def test_long_chains_are_pruned_too() -> None:
    nested: Any = [40, 1]
    for i in range(1000):
        nested = [nested, [i % 3, 2]]
    path = cost_complexity_path(Tree.from_counts(nested), "log")
    assert path.n_leaves[0] == 1001 - int((path.cut_at <= 1e-12).sum())
    assert (np.diff(path.alphas) > 0).all()
    assert path.n_leaves[-1] == 1


# -- cross-validation --------------------------------------------------------------------------------------------------


def left_out_counts(tree: Tree, counts: list[list[int]]) -> Any:
    """Class counts of left-out cases at all nodes, given those at the leaves."""
    at_nodes = np.zeros(tree.counts.shape)
    at_nodes[tree.is_leaf] = counts
    for node in range(tree.n_nodes - 1, 0, -1):
        at_nodes[tree.parents[node]] += at_nodes[node]
    return at_nodes


@st.composite
def folds_of(draw: Any) -> tuple[Tree, list[tuple[Tree, Any]]]:
    """A tree, and trees of folds with the class counts of left-out cases at their nodes."""
    tree, folds = draw(trees(classes=(2,), max_leaves=8)), []
    for _ in range(draw(st.integers(2, 4))):
        fold = draw(trees(classes=(2,), max_leaves=8))
        ones = left_out_counts(fold, [[0, 1]] * fold.n_leaves)
        fold = fold.with_counts(fold.counts + ones)  # what an empty node predicts is another matter
        leaf = st.lists(st.integers(0, 6), min_size=2, max_size=2)
        counts = draw(st.lists(leaf, min_size=fold.n_leaves, max_size=fold.n_leaves))
        counts[0][0] += 1
        folds.append((fold, left_out_counts(fold, counts)))
    return tree, folds


def plain_choice(tree: Tree, folds: list[tuple[Tree, Any]], loss: str, rule: str) -> float:
    """The alpha by the text: prune every fold tree at every mean of neighbouring alphas and add up the losses."""
    alphas = [alpha for alpha, _ in weakest_link_path(plain_tree(tree), LOSSES[loss])]
    means, errors = [], []
    for k, alpha in enumerate(alphas):
        between = math.sqrt(alpha * alphas[k + 1]) if k + 1 < len(alphas) else math.inf
        losses: list[float] = []
        for fold, counts in folds:
            for leaf in plain_cost_complexity(plain_tree(fold), between, LOSSES[loss]).leaves:
                for c, n in enumerate(counts[leaf.index]):
                    losses += [loss_of_case(leaf.counts, c, loss)] * round(n)
        means.append(np.mean(losses))
        errors.append(np.std(losses) / math.sqrt(len(losses)))
    best = max(k for k in range(len(alphas)) if means[k] <= min(means) + 1e-12)
    limit = means[best] + (errors[best] if rule == "1-SE" else 0)
    return alphas[max(k for k in range(len(alphas)) if means[k] <= limit + 1e-12)]


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("rule", ["0-SE", "1-SE"])
@given(drawn=folds_of())
def test_cross_validation_takes_the_alpha_of_the_definition(loss: str, rule: str, drawn: Any) -> None:
    tree, folds = drawn
    asked = []
    context = Context(grow_folds=lambda k: asked.append(k) or folds)
    pruned = CostComplexity(loss, 7, rule).prune(tree, context)
    alpha = plain_choice(tree, folds, loss, rule)
    assert shape(plain_tree(pruned)) == shape(plain_cost_complexity(plain_tree(tree), alpha, LOSSES[loss]))
    assert asked in ([7], [])
    if tree.n_internal:
        np.testing.assert_allclose(pruned.pruning_log.verdicts.threshold, alpha, atol=1e-10)


def test_one_standard_error_of_the_text() -> None:
    """A rate of .2 among 100 cases has the standard error .04."""
    rates = np.array([0.25, 0.2, 0.2, 0.235, 0.24, 0.241])
    sums = np.column_stack((np.full(6, 100.0), 100 * rates, 100 * rates))
    assert choose(sums, "0-SE") == 2
    assert choose(sums, "1-SE") == 4


def test_every_node_says_when_it_goes() -> None:
    log = CostComplexity(alpha=0.03).prune(WORKED).pruning_log
    assert log.nodes.tolist() == [0, 1, 2]
    np.testing.assert_allclose(log.verdicts.statistic, [0.05, 0.05, 0.02])
    assert log.verdicts.accepted.tolist() == [True, True, False]
    assert log.cut.tolist() == [2]


@pytest.mark.parametrize(
    ("member", "sentence"),
    [
        (CostComplexity("gini"), "'loss' parameter of CostComplexity must be one of error, log, brier. Got 'gini'"),
        (CostComplexity(folds=1), "'folds' parameter of CostComplexity must be an integer not below 2. Got 1"),
        (CostComplexity(rule="2-SE"), "'rule' parameter of CostComplexity must be one of 0-SE, 1-SE. Got '2-SE'"),
        (CostComplexity(alpha=-1), "'alpha' parameter of CostComplexity must be a finite number not below 0. Got -1"),
        (CostComplexity(), "CostComplexity needs the training data, not only the counts of a tree; give it to an est"),
    ],
)
def test_bad_parameters_and_missing_data_are_refused(member: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        member.prune(WORKED)
