"""Sums and means divide examples by what was written, not by the rounding of its sum."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from petree import RelationalTreeClassifier
from petree.relational import Database
from petree.relational.bias.modes import IGNORED, INPUT, OUTPUT, AggregateMode, Argument, Bias, Mode
from petree.relational.bias.rounding import least_alike


def database_of(parts: list[list[float]], classes: list[str], order: int = 1) -> Database:
    """Bills and their amounts, in the order given or the other way round."""
    bills = [bill for bill, amounts in enumerate(parts) for _ in amounts][::order]
    amounts = [amount for one in parts for amount in one][::order]
    tables = {"bill": {"id": range(len(parts)), "class": classes}, "part": {"bill": bills, "amount": amounts}}
    return Database(tables, links=["part.bill -> bill.id"])


def fitted(database: Database, function: str) -> RelationalTreeClassifier:
    """A tree that asks for nothing but a function of the amounts of a bill."""
    mode = Mode("part", (Argument(INPUT, "Bill"), Argument(OUTPUT, "Amount"), Argument(IGNORED)))
    bias = Bias((), aggregates=(AggregateMode(function, mode, 1),))
    return RelationalTreeClassifier(database, "bill.class", bias=bias, pruning="none").fit(database.keys("bill"))


@pytest.mark.parametrize("function", ["sum", "mean"])
def test_the_order_of_rows_says_nothing(function: str) -> None:
    """Added up from the left 0.1 + 0.2 + 0.3 is more than 0.3 + 0.2 + 0.1."""
    parts = [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.5]] * 10
    texts = [fitted(database_of(parts, ["a", "b", "c"] * 10, order), function).export_text() for order in (1, -1)]
    assert texts[0] == texts[1]
    assert len(texts[0].splitlines()) == 4


@pytest.mark.parametrize(
    ("function", "one", "other"),
    [
        ("sum", [0.1, 0.7], [0.8]),
        ("sum", [1e6, 0.1, -1e6], [0.1]),
        ("mean", [0.1, 0.2, 0.3], [0.2]),
        ("mean", [0.1] * 3, [0.1]),
    ],
)
def test_no_threshold_lies_within_the_rounding(function: str, one: list[float], other: list[float]) -> None:
    assert fitted(database_of([one, other] * 10, ["a", "b"] * 10), function).tree_.n_nodes == 1


def test_thresholds_are_the_shortest_decimals_between() -> None:
    model = fitted(database_of([[0.1, 0.2], [0.1, 0.4], [0.3, 0.6]] * 4, ["a", "a", "b"] * 4), "sum")
    assert "the sum of amount over parts of the bill < 0.7" in model.export_text()


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 2)), min_size=1, max_size=9))
def test_values_are_alike_up_to_the_first_gap_that_is_wider_than_both_errors(drawn: list[tuple[int, int]]) -> None:
    values = [value for value, _ in drawn]
    errors = [Fraction(error, 2) for _, error in drawn]
    found = least_alike(np.array(values, float), np.array([float(one) for one in errors]))
    ranked = sorted(range(len(values)), key=lambda place: values[place])
    least: dict[int, int] = {}
    for before, place in zip([None, *ranked], ranked, strict=False):
        is_alike = before is not None and values[place] - values[before] <= errors[place] + errors[before]
        least[place] = least[before] if is_alike and before is not None else values[place]
    assert found.tolist() == [least[place] for place in range(len(values))]
