"""On a single table without missing values a relational tree is the tree of that table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from petree import ProbabilityTreeClassifier, RelationalTreeClassifier
from petree.pruning import MDL, Chi, CostComplexity, ErrorBased
from petree.relational import Database

# Criteria that look at nothing but the tree: no random numbers that hang on the names of tests, no held-out cases.
PRUNINGS = [
    "none",
    "chi",
    "mdl",
    "bic",
    "error_based",
    "pessimistic",
    "minimum_error",
    "card_per_class",
    "quinlan_rivest",
    "map",
    "negligible",
    "safe",
    "smoothed",
    "wallace_patrick",
    CostComplexity(alpha=0.01),
    Chi(alpha=0.3, when="pre"),
    MDL(when="pre"),
    ErrorBased(collapsing=True),
]
SMOOTHINGS = ["none", "laplace", "m_estimate", "m_branch", "curtailment", "hierarchical", "shrinkage", "bayes"]


def make_columns(seed: int, n: int = 120) -> tuple[dict[str, Any], list[str]]:
    """Numbers, text and booleans, and classes that depend a little on them."""
    numbers = np.random.default_rng(seed)
    columns: dict[str, Any] = {
        "size": numbers.normal(size=n).round(1),
        "colour": numbers.choice(["red", "green", "it's blue"], n),
        "count": numbers.integers(0, 5, n),
        "is_new": numbers.random(n) < 0.5,
        "shape": numbers.choice(list("uvwxyz"), n),
    }
    tilt = (columns["size"] > 0.3).astype(int) + (columns["colour"] == "red")
    noise = numbers.integers(0, 3, n)
    labels = [("low", "middle", "high")[k] for k in np.where(numbers.random(n) < 0.7, tilt, noise)]
    return columns, labels


def both(columns: dict[str, Any], labels: list[str], **parameters: Any) -> tuple[Any, Any, Any]:
    """A relational and an ordinary model, and the keys of the examples."""
    keys = np.arange(len(labels)) * 7 % 1009
    database = Database({"thing": {"id": keys, **columns, "class": labels}}, keys={"thing": "id"})
    relational = RelationalTreeClassifier(database, "thing.class", aggregates=(), min_examples=1, **parameters)
    return relational.fit(keys), ProbabilityTreeClassifier(**parameters).fit(columns, labels), keys


def check_same(columns: dict[str, Any], labels: list[str], **parameters: Any) -> Any:
    relational, flat, keys = both(columns, labels, **parameters)
    one, other = relational.tree_, flat.tree_
    np.testing.assert_array_equal(one.counts, other.counts)
    np.testing.assert_array_equal(one.sizes, other.sizes)
    np.testing.assert_array_equal(one.children, other.children)
    np.testing.assert_allclose(relational.predict_proba(keys), flat.predict_proba(columns), atol=1e-12)
    assert relational.classes_.tolist() == flat.classes_.tolist()
    return one


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("binning", ["entropy", "quantile", "exact"])
def test_unpruned_trees(binning: str, seed: int) -> None:
    columns, labels = make_columns(seed)
    tree = check_same(
        columns, labels, binning=binning, pruning="none", smoothing="laplace", min_samples_leaf=1 + seed % 3
    )
    assert tree.n_nodes > 20


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("pruning", PRUNINGS, ids=str)
def test_prunings(pruning: Any, seed: int) -> None:
    columns, labels = make_columns(seed)
    check_same(columns, labels, binning="entropy", pruning=pruning, smoothing="m_branch", min_samples_leaf=2)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_smoothings(smoothing: str) -> None:
    columns, labels = make_columns(5)
    check_same(columns, labels, binning="entropy", pruning="error_based", smoothing=smoothing)


@pytest.mark.parametrize(("pruning", "seed"), [("chi", 47), ("map", 38), ("quinlan_rivest", 53)])
def test_prunings_that_pay_for_the_choice_among_tests(pruning: str, seed: int) -> None:
    """Cases in which one candidate more or less at a node decides."""
    columns, labels = make_columns(seed, 60 + seed)
    check_same(columns, labels, binning="entropy", pruning=pruning, smoothing="none")


@pytest.mark.parametrize("split", ["gini", "gain_ratio"])
def test_splits(split: str) -> None:
    columns, labels = make_columns(6)
    check_same(columns, labels, split=split, binning="entropy", pruning="none", smoothing="none")


def test_numbers_of_tests() -> None:
    columns, labels = make_columns(0)
    relational, flat, _ = both(columns, labels, binning="entropy", pruning="none", smoothing="none")
    np.testing.assert_array_equal(relational.tree_.n_tests, flat.tree_.n_tests)


def test_class_weights_and_limits() -> None:
    columns, labels = make_columns(7)
    check_same(
        columns, labels, binning="entropy", pruning="none", smoothing="laplace", class_weight="balanced", max_depth=3
    )
    check_same(columns, labels, binning="entropy", pruning="none", smoothing="laplace", min_gain=0.05)


def test_the_prunings_differ() -> None:
    """What is compared is worth comparing."""
    columns, labels = make_columns(0)
    sizes = [
        both(columns, labels, binning="entropy", pruning=one, smoothing="none", min_samples_leaf=2)[0].tree_.n_nodes
        for one in ("none", "chi", "bic", "error_based", "map")
    ]
    assert len(set(sizes)) > 2
