"""Things are counted as English does."""

import pytest

from petree.words import counted, plural


@pytest.mark.parametrize(
    ("one", "many"), [("atom", "atoms"), ("city", "cities"), ("day", "days"), ("atoms", "atoms"), ("y", "ys")]
)
def test_plurals(one, many):
    assert plural(one) == many


@pytest.mark.parametrize(("number", "said"), [(0, "0 leaves"), (1, "1 leaf"), (2, "2 leaves")])
def test_one_thing_is_no_plural(number, said):
    assert counted(number, "leaf", "leaves") == said
    assert counted(number, "row") == f"{number} row" + "s" * (number != 1)
