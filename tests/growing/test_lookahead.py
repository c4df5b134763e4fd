"""Looking ahead: the choice equals that of a plain search over pairs of tests."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from tests.plain import plain_classifier

from petree import splitting

SCORES = ["gain", "gini", "msee", "dkm", "bayes"]


def plain_value(X: Any, y: Any, rows: Any, test: tuple[int, float], score: Any, n_classes: int) -> float:
    """A score times the cases of the node, of the test ``x < t``."""
    left = rows & (X[:, test[0]] < test[1])
    counts = [np.bincount(y[part], minlength=n_classes) for part in (left, rows & ~left)]
    value = float(score.score(np.array(counts, float)))
    return value * rows.sum() if getattr(score, "per_case", True) else value


def divides(X: Any, rows: Any, test: tuple[int, float]) -> bool:
    left = rows & (X[:, test[0]] < test[1])
    return 0 < left.sum() < rows.sum()


def best_value(X: Any, y: Any, rows: Any, tests: Any, score: Any, plies: int) -> float:
    """What the best test and those below it gain, over so many plies."""
    if len(np.unique(y[rows])) < 2:
        return 0.0
    values = [total_value(X, y, rows, test, tests, score, plies) for test in tests if divides(X, rows, test)]
    return max(values, default=0.0)


def total_value(X: Any, y: Any, rows: Any, test: Any, tests: Any, score: Any, plies: int) -> float:
    own = plain_value(X, y, rows, test, score, int(y.max()) + 1)
    if plies == 1:
        return own
    left = rows & (X[:, test[0]] < test[1])
    parts = (left, rows & ~left)
    return own + sum(max(0.0, best_value(X, y, part, tests, score, plies - 1)) for part in parts)


@pytest.mark.parametrize("alias", [alias for alias in SCORES if alias != "bayes"])
@pytest.mark.parametrize("plies", [2, 3])
def test_the_root_is_the_best_of_a_plain_search(alias: str, plies: int) -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(0, 2, (40, 4)).astype(float), rng.integers(0, 3, 40)
        tests = [(column, 0.5) for column in range(4)]
        model = plain_classifier(alias, lookahead=plies, beam=4, max_depth=1).fit(X, y)
        chosen = (int(model.tree_.conditions.column[0]), 0.5)
        rows, score = np.ones(40, bool), splitting.resolve_split(alias)
        values = {test: total_value(X, y, rows, test, tests, score, plies) for test in tests}
        assert values[chosen] == pytest.approx(max(values.values()), abs=1e-9)


@pytest.mark.parametrize("alias", SCORES)
def test_two_plies_see_what_one_does_not(alias: str) -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([np.array(list(product([0.0, 1.0], repeat=2)) * 40), rng.integers(0, 2, (160, 6))])
    y = (X[:, 0] != X[:, 1]).astype(int)
    ones, twos = (plain_classifier(alias, lookahead=plies, beam=8, max_depth=2).fit(X, y) for plies in (1, 2))
    assert twos.score(X, y) == 1.0
    assert ones.score(X, y) < 0.8


def test_the_beam_limits_what_is_looked_behind() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([np.array(list(product([0.0, 1.0], repeat=2)) * 40), rng.integers(0, 2, (160, 6))])
    y = (X[:, 0] != X[:, 1]).astype(int)
    one_ply = plain_classifier(max_depth=2).fit(X, y)
    narrow = plain_classifier(lookahead=2, beam=1, max_depth=2).fit(X, y)
    assert narrow.tree_.conditions.column[0] == one_ply.tree_.conditions.column[0]


def test_scores_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(ValueError, match=r"needs a split score whose gains add up, such as gain, not GainRatio\(\)"):
        plain_classifier("gain_ratio", lookahead=2).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("name", ["lookahead", "beam"])
def test_numbers_are_checked(name: str) -> None:
    with pytest.raises(ValueError, match=f"The '{name}' parameter of ProbabilityTreeClassifier must be an integer"):
        plain_classifier(**{name: 0}).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize(("score", "tests"), [(splitting.MSEE(penalty=True), "binary"), ("msee", "multiway")])
def test_scores_with_a_penalty_do_not_add_up(score: Any, tests: str) -> None:
    with pytest.raises(ValueError, match="whose gains add up"):
        plain_classifier(score, lookahead=2, tests=tests).fit([[0], [1]], [0, 1])
    plain_classifier(splitting.MSEE(penalty=False), lookahead=2, tests=tests).fit([[0], [1]], [0, 1])
