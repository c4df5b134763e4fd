"""The size of a tree, chosen on inner folds."""

from __future__ import annotations

import re
from math import log2
from typing import Any

import numpy as np
import pytest

from petree import ProbabilityTreeClassifier
from petree.estimators.learning.cases import read_cases
from petree.estimators.tuning import sizes
from petree.estimators.tuning.finish import FOLDS_OF_SMALL
from petree.estimators.tuning.folds import deal_folds
from petree.pruning import BestSize, prune
from petree.pruning.engine.counts import FLOOR
from petree.smoothing import Hierarchical
from petree.tree import Tree


def noise(seed: int, n_rows: int) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    return random.normal(size=(n_rows, 8)), random.integers(0, 2, n_rows)


def one_effect(seed: int, n_rows: int = 1000) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 20))
    return X, (random.random(n_rows) < np.where(X[:, 3] > 0, 0.62, 0.38)).astype(int)


@pytest.mark.parametrize("n_rows", [100, 400, 2000])
def test_noise_is_a_single_leaf(n_rows: int) -> None:
    sizes = [ProbabilityTreeClassifier().fit(*noise(seed, n_rows)).get_n_leaves() for seed in range(12)]
    assert sum(size == 1 for size in sizes) >= 10
    assert max(sizes) <= 5


def test_one_effect_among_twenty_columns_is_found_and_nothing_else() -> None:
    models = [ProbabilityTreeClassifier().fit(*one_effect(seed)) for seed in range(6)]
    assert [model.get_n_leaves() for model in models] == [2] * 6
    assert {model.tree_.conditions[0].column.name for model in models} == {"x3"}


def test_a_column_of_names_is_not_learned() -> None:
    random = np.random.default_rng(0)
    columns = {"id": np.arange(600).astype(str), "size": random.normal(size=600)}
    model = ProbabilityTreeClassifier(categorical_features=["id"])
    model.fit(columns, (columns["size"] > 0) ^ (random.random(600) < 0.2))
    assert {condition.column.name for condition in model.tree_.conditions} == {"size"}


def test_of_many_class_counts_those_above_zero_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = one_effect(0)
    y += 2 * (np.arange(len(y)) % 40)
    whole = ProbabilityTreeClassifier().fit(X, y).sizes_
    calls = []
    estimate = Hierarchical.estimate
    monkeypatch.setattr(sizes, "CELLS", 0)
    monkeypatch.setattr(Hierarchical, "estimate", lambda *given: calls.append(1) or estimate(*given))
    model = ProbabilityTreeClassifier().fit(X, y)
    assert model.sizes_.n_leaves == whole.n_leaves
    np.testing.assert_allclose(model.sizes_.bits, whole.bits, rtol=1e-12)
    n_coarse, n_values = 5, 10
    others = 2 + 2 * FOLDS_OF_SMALL  # where each tree starts, what leaves are worth, and the model
    assert len(calls) <= FOLDS_OF_SMALL * (n_coarse + n_values) + others


def plain_bits(tree: Tree, counts: Any, probabilities: Any) -> Any:
    return -(counts * np.log2(np.maximum(probabilities, FLOOR))).sum(axis=1)


def plain_subtrees(tree: Tree, losses: Any) -> list[tuple[float, set[int]]]:
    """Weakest links by definition: again and again the node whose subtree saves least per leaf, with its price."""

    def leaves(node: int) -> list[int]:
        if node in cut or tree.is_leaf[node]:
            return [node]
        return [leaf for child in tree.children_of(np.array([node])).tolist() for leaf in leaves(child)]

    cut: set[int] = set()
    steps, price = [(0.0, set(leaves(0)))], 0.0
    while leaves(0) != [0]:
        inner = [node for node in range(tree.n_nodes) if leaves(node) != [node] and is_reached(tree, node, cut)]
        saved = {
            node: (losses[node] - losses[leaves(node)].sum()) / (len(leaves(node)) - 1) / losses_scale(tree)
            for node in inner
        }
        weakest = min(saved, key=lambda node: (saved[node], -node))
        price = max(price, saved[weakest])
        cut.add(weakest)
        steps.append((price, set(leaves(0))))
    return steps


def losses_scale(tree: Tree) -> float:
    return float(tree.counts[0].sum())


def is_reached(tree: Tree, node: int, cut: set[int]) -> bool:
    while node > 0:
        node = int(tree.parents[node])
        if node in cut:
            return False
    return True


@pytest.mark.parametrize("seed", range(4))
def test_bits_of_all_sizes_are_those_of_the_definition(seed: int) -> None:
    random = np.random.default_rng(seed)
    X = random.normal(size=(90, 3))
    y = np.digitize(X[:, 0] + X[:, 1] + random.normal(0, 0.7, 90), [-0.5, 0.7])
    smoothing = Hierarchical(7.0)
    model = ProbabilityTreeClassifier(pruning=BestSize(4), smoothing=smoothing).fit(X, y)
    whole = ProbabilityTreeClassifier(pruning="none", smoothing=smoothing, min_samples_leaf=4)
    tree = whole.fit(X, y).tree_
    steps = plain_subtrees(tree, plain_bits(tree, tree.counts, smoothing.estimate(tree)))
    last = dict(steps)  # of trees at one price the smallest
    prices = sorted(last)
    assert [len(last[price]) for price in prices] == list(model.sizes_.n_leaves)
    between = [*np.sqrt(np.array(prices[:-1]) * prices[1:]), np.inf]
    bits = np.zeros(len(prices))
    cases = read_cases(whole, X, y, None, None, None, None)
    for dealt in deal_folds(cases, FOLDS_OF_SMALL, 0):
        learn, rest = dealt.others(), dealt.rest()
        fold = whole.fit(learn.table.matrix, learn.codes, classes=[0, 1, 2])
        found = plain_subtrees(fold.tree_, plain_bits(fold.tree_, fold.tree_.counts, smoothing.estimate(fold.tree_)))
        ends = fold.apply(rest.table.matrix)
        for place, price in enumerate(between):
            leaves = [leaves for at, leaves in found if at <= price + 1e-12][-1]
            bits[place] += sum(
                one_loss(fold, int(end), leaves, code) for end, code in zip(ends, rest.codes, strict=True)
            )
    np.testing.assert_allclose(model.sizes_.bits, bits / 90, rtol=1e-9)


def one_loss(fold: Any, node: int, leaves: set[int], code: int) -> float:
    while node not in leaves:
        node = int(fold.tree_.parents[node])
    return float(-np.log2(max(fold.node_probabilities_[node, code], FLOOR)))


def test_no_more_leaves_than_asked_for() -> None:
    random = np.random.default_rng(1)
    X = random.normal(size=(800, 4))
    y = (X[:, 0] * X[:, 1] > 0) ^ (random.random(800) < 0.1)
    sizes = [ProbabilityTreeClassifier(max_leaf_nodes=most).fit(X, y).get_n_leaves() for most in (None, 5, 4, 1)]
    assert sizes[0] >= 4
    assert sizes[1] <= 5
    assert sizes[3] == 1


def test_a_bound_that_the_criterion_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'max_leaf_nodes' parameter .* NoPruning\(\) does not; .*'best_size'"):
        ProbabilityTreeClassifier(pruning="none", max_leaf_nodes=3).fit(*noise(0, 50))


def test_why_there_is_a_single_leaf() -> None:
    X, _ = noise(3, 60)
    model = ProbabilityTreeClassifier(pruning=BestSize(standard_errors=1000.0)).fit(X, X[:, 0] > 0)
    sentence, line = model.why()
    assert re.match(
        r"The tree is a single leaf: .* trees rank the classes \d+\.\d\d standard errors better than chance "
        r"\(Mann-Whitney test\), and more than 1000 are needed\. resized\(max_leaf_nodes\) gives a tree nevertheless",
        sentence,
    )
    assert "was cut. Standard errors by which left-out cases are ranked better than by chance: " in line
    assert model.get_n_leaves() == 1
    assert model.resized(2).get_n_leaves() == 2


def test_noise_is_told_in_words() -> None:
    X, y = noise(1, 300)
    model = ProbabilityTreeClassifier().fit(X, y)
    assert model.get_n_leaves() == 1
    assert "and more than 2 are needed" in model.why()[0]
    asked_for = ProbabilityTreeClassifier(max_leaf_nodes=1).fit(X, X[:, 0] > 0)
    assert not [line for line in asked_for.why() if "single leaf" in line]


def test_a_bound_below_the_smallest_tree_is_told() -> None:
    random = np.random.default_rng(0)
    X = random.integers(0, 2, (400, 2)).astype(float)
    y = (X[:, 0] != X[:, 1]) ^ (random.random(400) < 0.05)
    sizes = ProbabilityTreeClassifier().fit(X, y).sizes_.n_leaves
    model = ProbabilityTreeClassifier(max_leaf_nodes=sizes[-2] - 1).fit(X, y)
    assert sizes[-2] > 2
    assert model.get_n_leaves() == 1
    assert model.why()[0].endswith(f"the smallest other one has {sizes[-2]} leaves.")


def test_another_size_tells_what_it_cut() -> None:
    X, y = several_effects(0, 400)
    model = ProbabilityTreeClassifier(pruning=BestSize(saving=0)).fit(X, y)
    smaller = model.resized(3)
    assert len(smaller.why()) >= 1
    assert all("was cut. Bits of log loss" in line for line in smaller.why())


def test_by_itself_it_cuts_nothing() -> None:
    tree = Tree.from_counts([[12, 0], [3, 5]])
    assert prune("best_size", tree).n_leaves == 2


def several_effects(seed: int, n_rows: int) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, 3))
    return X, (random.random(n_rows) < 1 / (1 + np.exp(-X @ [1.0, 0.7, 0.0]))).astype(int)


def plain_choice(model: Any, y: Any, saving: float) -> int:
    """The size by definition, where it is sure that there is something to learn."""
    _, counts = np.unique(y, return_counts=True)
    luck = log2(len(y) / (len(y) - counts.max()))
    *trees, (_, of_single) = [
        (n_leaves, bits * len(y)) for n_leaves, bits in zip(model.sizes_.n_leaves, model.sizes_.bits, strict=True)
    ]
    fewest = min(bits for _, bits in trees)
    price = saving * min(fewest, 3 * (of_single - fewest)) - luck
    return min(trees, key=lambda pair: (round(pair[1] + price * log2(pair[0]), 9), pair[0]))[0]


@pytest.mark.parametrize("directions", [None, [1, 1, 0]])
@pytest.mark.parametrize("saving", [0.0, 0.01, 0.03, 0.5])
def test_twice_as_many_leaves_must_save_a_share_of_the_bits(saving: float, directions: Any) -> None:
    X, y = several_effects(0, 1000)
    model = ProbabilityTreeClassifier(pruning=BestSize(saving=saving), monotonic_cst=directions).fit(X, y)
    assert model.get_n_leaves() == plain_choice(model, y, saving)


def test_larger_savings_make_smaller_trees() -> None:
    X, y = several_effects(0, 1000)
    n_leaves = [
        ProbabilityTreeClassifier(pruning=BestSize(saving=saving)).fit(X, y).get_n_leaves()
        for saving in (0.0, 0.015, 0.5)
    ]
    assert n_leaves == sorted(n_leaves, reverse=True)
    assert n_leaves[0] > n_leaves[1] > n_leaves[2] == 2


def test_a_small_effect_that_is_sure_is_kept() -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(40_000, 3))
    y = random.random(40_000) < np.where(X[:, 0] > 0, 0.22, 0.18)
    model = ProbabilityTreeClassifier().fit(X, y)
    assert 1 < model.get_n_leaves() <= 8
    assert model.tree_.conditions[0].column.name == "x0"


@pytest.mark.parametrize(
    ("evidence", "most_leaves", "chosen"), [(9.0, None, 12), (3.0, None, 5), (9.0, 4, 2), (3.0, 4, 2)]
)
def test_weak_evidence_makes_small_trees(evidence: float, most_leaves: int | None, chosen: int) -> None:
    n_leaves = np.array([30, 12, 5, 2, 1])
    bits = np.array([50.0, 50.5, 70.0, 90.0, 100.0])
    worth = BestSize().worth(bits, n_leaves, 0.1, evidence, most_leaves)
    assert n_leaves[worth.argmax()] == chosen
    assert (worth[n_leaves > (most_leaves or 30)] == -np.inf).all()


def test_luck_makes_larger_trees() -> None:
    n_leaves, bits = np.array([16, 4, 1]), np.array([50.0, 49.5, 100.0])
    chosen = [n_leaves[BestSize().worth(bits, n_leaves, luck, 9.0, None).argmax()] for luck in (0.1, 5.0)]
    assert chosen == [4, 16]


def test_a_rare_class_is_found() -> None:
    n_found = 0
    for seed in range(8):
        random = np.random.default_rng(seed)
        X = random.normal(size=(1000, 6))
        y = random.random(1000) < np.where(X[:, 0] > 1.5, 0.25, 0.005)
        model = ProbabilityTreeClassifier().fit(X, y)
        n_found += model.get_n_leaves() > 1 and "x0" in {one.column.name for one in model.tree_.conditions}
    assert n_found >= 7


@pytest.mark.parametrize("share", [0.1, 0.02, 0.01])
def test_a_rare_class_without_structure_is_a_single_leaf(share: float) -> None:
    sizes = []
    for seed in range(15):
        random = np.random.default_rng(seed)
        X = random.normal(size=(400, 6))
        y = np.arange(400) < share * 400
        sizes.append(ProbabilityTreeClassifier().fit(X, y).get_n_leaves())
    assert sum(size == 1 for size in sizes) >= 12


def test_copies_of_rows_are_no_evidence_where_they_are_groups() -> None:
    sizes = []
    for seed in range(12):
        X, y = noise(seed, 60)
        copies = np.repeat(np.arange(60), 10)
        model = ProbabilityTreeClassifier().fit(X[copies], y[copies], groups=copies)
        sizes.append(model.get_n_leaves())
    assert sum(size == 1 for size in sizes) >= 10


def test_another_size_of_the_same_fit() -> None:
    X, y = one_effect(0)
    model = ProbabilityTreeClassifier().fit(X, y)
    for size in (1, 2, 7, 10**6):
        other = model.resized(size)
        largest = max(n_leaves for n_leaves in model.sizes_.n_leaves if n_leaves <= size)
        assert other.get_n_leaves() == largest
        assert other.resized(2).get_n_leaves() == 2
        assert other.get_params()["max_leaf_nodes"] == size
        np.testing.assert_array_equal(other.predict_proba(X), other.node_probabilities_[other.apply(X)])
    assert model.get_n_leaves() == 2
    assert model.max_leaf_nodes is None


def test_where_there_is_no_other_size() -> None:
    X, y = one_effect(0, 60)
    with pytest.raises(ValueError, match="This model has one size only"):
        ProbabilityTreeClassifier(pruning="none").fit(X, y).resized(3)


def test_a_share_of_the_rows_as_least_size() -> None:
    X, y = one_effect(0, 210)
    share = ProbabilityTreeClassifier(pruning="none", min_samples_leaf=0.1).fit(X, y)
    number = ProbabilityTreeClassifier(pruning="none", min_samples_leaf=21).fit(X, y)
    assert share.export_text() == number.export_text()
    with pytest.raises(ValueError, match=r"'min_samples_leaf' parameter .* share of the rows between 0 and 1"):
        ProbabilityTreeClassifier(min_samples_leaf=1.5).fit(X, y)


def test_sizes_tell_themselves_in_a_line() -> None:
    X, y = one_effect(0)
    sizes = ProbabilityTreeClassifier().fit(X, y).sizes_
    shown = f"<{len(sizes.n_leaves)} sizes from {sizes.n_leaves[0]} leaves to 1; fewest bits {min(sizes.bits):.4g} at 2"
    assert repr(sizes) == f"{shown} leaves>"
