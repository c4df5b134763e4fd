"""A score that the compiled loops do not know grows the tree that the same score grows inside them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from tests.growing.checks import assert_same_tree
from tests.plain import plain_classifier
from tests.sources.made import grow_all, make_source, make_table

from petree import splitting
from petree.tree import Tree


class Own(BaseEstimator):
    """A user's score: that of a member, without its code."""

    def __init__(self, member: Any = None) -> None:
        self.member = member

    @property
    def per_case(self) -> bool:
        return getattr(self.member, "per_case", True)

    def score(self, counts: Any) -> Any:
        return self.member.score(counts)


MEMBERS = [splitting.Gain(), splitting.ChiSquare(), splitting.MAUC(penalty=False)]


@pytest.mark.parametrize("member", MEMBERS, ids=lambda member: type(member).__name__)
@pytest.mark.parametrize("tests", ["binary", "sets", "multiway"])
@pytest.mark.parametrize("seed", range(6))
def test_trees_do_not_depend_on_who_scores(member: Any, tests: str, seed: int) -> None:
    frame, classes = make_table(seed, 30 + 40 * seed, 2 + seed % 2)
    random = np.random.default_rng(seed)
    settings = {
        "tests": tests,
        "min_samples_leaf": 1 + seed % 3,
        "binning": "exact" if seed % 2 else "quantile",
        "weights": random.integers(1, 4, len(frame)).astype(float) if seed % 3 == 1 else None,
        "class_weight": np.array([1.0, 2.0, 0.5])[: classes.max() + 1] if seed == 4 else None,
    }
    trees = [
        grow_all(make_source(frame, classes, split, **settings), 1 + seed % 3).tree for split in (member, Own(member))
    ]
    _assert_alike(*trees)


def _assert_alike(one: Tree, other: Tree) -> None:
    """The same tests and counts; scores may differ by rounding."""
    np.testing.assert_allclose(one.annotations["gain"], other.annotations["gain"], atol=1e-9)
    assert_same_tree(one, other.with_annotations(gain=one.annotations["gain"]))


def test_an_own_score_serves_an_estimator() -> None:
    class Balance(BaseEstimator):
        """The test that divides its cases most evenly, whatever the classes."""

        def score(self, counts: Any) -> Any:
            sizes = counts.sum(axis=-1)
            return -np.abs(sizes[..., 0] - sizes[..., 1])

    X = np.array([[0.0, 1], [1, 1], [2, 1], [3, 1], [4, 1], [5, 0]])
    model = plain_classifier(split=Balance(), max_depth=1).fit(X, [0, 0, 1, 1, 1, 1])
    assert model.tree_.sizes.tolist() == [6, 3, 3]


class Answering(BaseEstimator):
    """A score that answers whatever it is told to."""

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer

    def score(self, counts: Any) -> Any:
        return self.answer(counts)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda counts: 1.0, r"must give one finite number for each table .* it gave an array of shape \(\)"),
        (lambda counts: None, "must give one finite number for each table"),
        (lambda counts: np.full(counts.shape[:-2], np.inf), "of them not finite"),
        (lambda counts: "much", "cannot score class counts"),
    ],
)
def test_an_own_score_that_makes_no_sense_is_refused(answer: Any, sentence: str) -> None:
    X = np.array([[0.0], [1.0], [2.0]])
    with pytest.raises(ValueError, match=sentence):
        plain_classifier(split=Answering(answer)).fit(X, [0, 1, 0])


def test_an_own_score_passes_over_a_constant_column() -> None:
    X = {"same": [1.0] * 6, "other": [1.0, 2, 3, 4, 5, 6]}
    model = plain_classifier(split=Own(splitting.Gain())).fit(X, [0, 0, 0, 1, 1, 1])
    assert model.tree_.conditions.column.tolist() == [1]
