"""Conclusions and claims of the paper: what makes them hold, and what does not."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from tests.lab.papers.buntine.made import NAMES, PRINTED, Cells, apart_of, priors_of, summary_of, times_of

from lab.papers.buntine import claims
from lab.papers.buntine.protocol import OPTIONS
from lab.papers.buntine.verdicts import verdicts
from lab.papers.printed import conclusions


def judged(
    cells: Cells = PRINTED, spreads: tuple[float, float] = (4.0, 1.0), ratio: float = 20.0
) -> dict[str, bool | None]:
    found = verdicts(summary_of(cells), priors_of(*spreads), times_of(ratio))
    return {key: verdict.holds for key, verdict in found.items()}


def test_the_papers_results_make_its_conclusions_hold() -> None:
    assert judged() == dict.fromkeys((conclusion.key for conclusion in conclusions("buntine")), True)


@pytest.mark.parametrize(
    ("key", "other"),
    [
        ("option_error", {"cells": PRINTED | {("voting", "CART-like"): (9.0, 0.22)}}),
        ("option_brier", {"cells": PRINTED | {("voting", "MDL-like"): (12.9, 0.15)}}),
        ("option_prior", {"spreads": (1.0, 4.0)}),
        ("option_time", {"ratio": 5.0}),
    ],
)
def test_other_results_make_them_fail(key: str, other: dict[str, Any]) -> None:
    assert [name for name, holds in judged(**other).items() if not holds] == [key]


def test_option_trees_must_be_ahead_of_all_others_in_several_cases() -> None:
    alike = dict.fromkeys(product(NAMES[1:], ("CART-like", *OPTIONS)), (20.0, 0.5))
    found = verdicts(summary_of(PRINTED | alike), priors_of(4, 1), times_of(20))
    assert found["option_significant"] == (
        False,
        "in 2 cases: 1-ply option trees on LED 100, 2-ply option trees on LED 100",
        "",
    )


def test_what_fails_is_explained() -> None:
    found = verdicts(summary_of(PRINTED | {("voting", "CART-like"): (9.0, 0.22)}), priors_of(1, 4), times_of(5))
    failing = [key for key, verdict in found.items() if not verdict.holds]
    assert failing == ["option_error", "option_prior", "option_time"]
    assert all(found[key].cause for key in failing)
    assert not found["option_brier"].cause


def test_a_method_that_is_better_by_luck_does_not_count() -> None:
    cells = PRINTED | {("voting", "CART-like"): (10.3, 0.22)}
    unsteady = summary_of(cells, swinging={"CART-like": 3.0})
    assert verdicts(unsteady, priors_of(4, 1), times_of(20))["option_error"].holds is True
    assert "on 4 of 5 problems" in verdicts(unsteady, priors_of(4, 1), times_of(20))["option_error"].figure


def claimed(cells: Cells = PRINTED, swings: tuple[float, float] = (3.0, 1.0)) -> list[bool | None]:
    """Error and Brier score of one ply and of two, near the paper, erratic."""
    return [verdict.holds for verdict in claims.claims(summary_of(cells), apart_of(*swings)).values()]


def with_options(problems: tuple[str, ...], error: float, brier: float) -> dict[tuple[str, str], tuple[float, float]]:
    """Both option trees have other results on some problems."""
    return PRINTED | dict.fromkeys(product(problems, OPTIONS), (error, brier))


def test_the_papers_results_meet_all_claims() -> None:
    assert claimed() == [True] * 6
    table = claims.claims_table(claims.claims(summary_of(PRINTED), apart_of(3, 1)))
    assert {row[1] for row in table.rows} == {"holds"}
    assert table.rows[0][2] == "on 4 of 4: LED, glass, voting, hepatitis"


@pytest.mark.parametrize(
    ("problems", "error", "brier", "expected"),
    [
        (("LED 900",), 29.0, 0.41, [True, True, True, True, True, True]),
        (("LED 900", "glass"), 37.0, 0.41, [False, True, False, True, False, True]),
        (("LED 100", "LED 900"), 28.0, 0.58, [True, True, True, True, False, True]),
        (("voting", "hepatitis"), 10.4, 0.36, [True, False, True, False, False, True]),
    ],
)
def test_option_trees_must_be_ahead_on_three_of_four_sets(
    problems: tuple[str, ...], error: float, brier: float, expected: list[bool]
) -> None:
    assert claimed(with_options(problems, error, brier)) == expected


def test_a_second_ply_is_erratic_where_single_trials_differ_far_more_than_option_trees() -> None:
    assert claimed(swings=(1.5, 1.0))[-1] is False
    figure = list(claims.claims(summary_of(PRINTED), apart_of(3, 1)).values())[-1].figure
    assert "cost-complexity +0.0 ± 3.0" in figure
