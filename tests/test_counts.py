"""The bounds of `tools/counts.py` hold, and what it counts is there."""

import ast

import pytest
from tools.counts import (
    HOUSE,
    Source,
    attributes_by_text,
    counts,
    family_ladders,
    functions_of_many_parameters,
    ignored_types,
    packed_assignments,
    parameters_of_any_type,
    statements,
)

TEXT = """
def first(a: Any, *, b: int, **c: Any) -> None:
    x, y = a, b
    d, e = both()
    x = a.b  # type: ignore[attr]
    return getattr(x, "name") or getattr(x, b) or hasattr(x, "other")


class Thing:
    def __init__(self, a, b, c, d, e, f, g, h):
        pass

    def many(self, a, b, c, d, e, f, g, h):
        pass


def ladder(one):
    if isinstance(one, Threshold):
        return 1
    elif isinstance(one, (Equals, In)):
        return 2
    return 3 if isinstance(one, Gain) else 4
"""


@pytest.fixture(scope="module")
def source() -> Source:
    return Source(HOUSE / "made.py", TEXT, ast.parse(TEXT))


def test_bounds_hold() -> None:
    found = counts()
    assert len(found) == 7
    assert [(count.what, count.places) for count in found if not count.holds] == []


@pytest.mark.parametrize(
    ("search", "lines"),
    [
        (parameters_of_any_type, [2, 2]),
        (packed_assignments, [3]),
        (ignored_types, [5]),
        (attributes_by_text, [6, 6]),
        (functions_of_many_parameters, [13]),
        (family_ladders, [17]),
    ],
)
def test_what_is_found(search, lines, source) -> None:
    assert [int(place.rpartition(":")[2]) for place in search(source)] == lines
    assert len(statements(source)) == 16
