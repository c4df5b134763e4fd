"""Fits of data in parts against fits in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.growing.checks import assert_same_tree
from tests.partitions.made import LITTLE, UNEQUAL, assert_nearly_same_tree, code, make_frame, make_weights

from petree import ProbabilityTreeClassifier
from petree.partitions.engines import use
from petree.pruning import Chi
from petree.splitting import MEMBERS, Bayes

SCORES = sorted(set(MEMBERS) - {"bayes"})
BY_COUNTS = [
    "bic", "mdl", "chi", "error_based", "pessimistic", "minimum_error", "card_per_class", "quinlan_rivest", "map",
    "negligible", "safe", "smoothed", "wallace_patrick", Chi(when="pre"), "cost_complexity", "best_size",
]  # fmt: skip


def fit(data: Any, memory: Any = LITTLE, **parameters: Any) -> ProbabilityTreeClassifier:
    with use(memory=memory):
        return ProbabilityTreeClassifier(**parameters).fit(data)


@pytest.mark.parametrize("weights", ["none", "copies", "fractions"])
@pytest.mark.parametrize("tests", ["binary", "sets", "multiway"])
@pytest.mark.parametrize("split", SCORES)
def test_every_score_grows_the_tree_of_the_table(split: str, tests: str, weights: str) -> None:
    frame, classes = make_frame()
    of_rows = make_weights(weights)
    parameters = {"split": split, "tests": tests, "pruning": "none", "smoothing": "laplace", "min_samples_leaf": 3}
    expected = ProbabilityTreeClassifier(**parameters).fit(frame, classes, of_rows).tree_
    rows = np.arange(len(frame)) if of_rows is None else np.flatnonzero(of_rows)
    of_rows = None if of_rows is None else of_rows[rows]
    tree = fit(code(frame.iloc[rows], classes[rows], of_rows, UNEQUAL), **parameters).tree_
    assert expected.n_leaves > 10
    (assert_nearly_same_tree if weights == "fractions" else assert_same_tree)(expected, tree)


@pytest.mark.parametrize(
    ("pruning", "class_weight"),
    [*((one, None) for one in BY_COUNTS), *((one, "balanced") for one in ("bic", "chi", "best_size"))],
    ids=str,
)
def test_every_criterion_by_counts_prunes_as_in_memory(pruning: Any, class_weight: Any) -> None:
    frame, classes = make_frame()
    data = code(frame, classes, None, UNEQUAL)
    parameters = {"pruning": pruning, "smoothing": "m_branch", "class_weight": class_weight, "random_state": 3}
    expected = fit(data, "1GB", **parameters)
    model = fit(data, **parameters)
    (assert_same_tree if class_weight is None else assert_nearly_same_tree)(expected.tree_, model.tree_)
    np.testing.assert_array_equal(expected.node_probabilities_, model.node_probabilities_)
    assert model.why(everything=True) == expected.why(everything=True)


@pytest.mark.parametrize("weights", ["none", "copies", "fractions"])
def test_the_default_is_that_of_the_same_codes_in_memory(weights: str) -> None:
    frame, classes = make_frame(n_classes=2)
    data = code(frame, classes, make_weights(weights), UNEQUAL)
    expected = fit(data, "1GB")
    model = fit(data)
    assert expected.tree_.n_leaves > 1
    (assert_nearly_same_tree if weights == "fractions" else assert_same_tree)(expected.tree_, model.tree_)
    assert model.tuning_.chosen == expected.tuning_.chosen
    np.testing.assert_allclose(model.node_probabilities_, expected.node_probabilities_, rtol=1e-12)
    np.testing.assert_allclose(model.sizes_.bits, expected.sizes_.bits, rtol=1e-12)
    assert model.certainty_.each == pytest.approx(expected.certainty_.each)
    np.testing.assert_allclose(model.predict_proba(frame), expected.predict_proba(frame), rtol=1e-12)


@pytest.mark.parametrize("weights", ["none", "copies", "fractions"])
@pytest.mark.parametrize(
    "parameters",
    [
        {"pruning": "none", "smoothing": "laplace"},
        {"pruning": "map", "tests": "multiway"},
        {"pruning": "map", "class_weight": "balanced", "split": Bayes("III")},
        {},
    ],
    ids=str,
)
def test_the_evidence_of_the_classes_grows_the_tree_of_the_same_codes(parameters: dict[str, Any], weights: str) -> None:
    """What cuts cost is the same, too, of nodes that are gathered and of those that are not."""
    frame, classes = make_frame(1000, n_classes=2)
    data = code(frame, classes, make_weights(weights, 1000), UNEQUAL)
    parameters = {"split": "bayes", "min_samples_leaf": 3, **parameters}
    expected = fit(data, "1GB", **parameters).tree_
    tree = fit(data, 12_000, **parameters).tree_
    assert expected.n_leaves > 2
    assert_nearly_same_tree(expected, tree)
    for name in ("cut_penalty", "n_prior_tests"):
        np.testing.assert_allclose(tree.annotations[name], expected.annotations[name], rtol=1e-9, atol=1e-9)


def test_the_default_does_not_depend_on_where_data_are_cut() -> None:
    frame, classes = make_frame(n_classes=2)
    for cuts in ((), (1, 2, 3, 399), (200,)):
        model = fit(code(frame, classes, None, cuts))
        assert_same_tree(fit(code(frame, classes)).tree_, model.tree_)


def test_count_based_fits_are_those_of_the_users_own_values() -> None:
    frame, classes = make_frame()
    expected = ProbabilityTreeClassifier(pruning="bic", smoothing="laplace").fit(frame, classes)
    for memory in (LITTLE, "1GB"):
        assert_same_tree(
            expected.tree_, fit(code(frame, classes, None, UNEQUAL), memory, pruning="bic", smoothing="laplace").tree_
        )
