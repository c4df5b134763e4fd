"""Conditions print themselves in the user's words."""

import pytest

from petree.columns import NOMINAL, ORDERED, Column
from petree.conditions import Conditions, Equals, In, IsMissing, Multiway, Query, Threshold

SIZE = Column("size (cm)")
COLOUR = Column("colour", NOMINAL, ("red", "green", "blue"))
SHAPE = Column("shape", NOMINAL, ("a", "b", "c", "d"))
HOME = Column("home", NOMINAL, ("own", "rent"))
ACTIVE = Column("active", NOMINAL, (False, True))
ODD = Column("a < b", NOMINAL, ("3", 3, " x", "", "b, c", 'say "no"'))
GRADE = Column("grade", ORDERED, ("low", "middle", "high"))


@pytest.mark.parametrize(
    ("condition", "texts"),
    [
        (Threshold(SIZE, 2.5), ("size (cm) < 2.5", "size (cm) >= 2.5")),
        (Threshold(SIZE, 3.0, missing=1), ("size (cm) < 3", "size (cm) >= 3 or missing")),
        (Threshold(SIZE, 0.1 + 0.2), ("size (cm) < 0.30000000000000004", "size (cm) >= 0.30000000000000004")),
        (Threshold(SIZE, 1e22), ("size (cm) < 1e+22", "size (cm) >= 1e+22")),
        (Threshold(GRADE, 2.0), ("grade < high", "grade >= high")),
        (Equals(COLOUR, 1, missing=0), ("colour = green or missing", "colour != green")),
        (In(COLOUR, (0, 2)), ("colour in {red, blue}", "colour = green")),
        (In(COLOUR, (1,)), ("colour = green", "colour != green")),
        (In(SHAPE, (0, 3)), ("shape in {a, d}", "shape not in {a, d}")),
        (Equals(HOME, 0), ("home = own", "home = rent")),
        (Equals(HOME, 1, missing=1), ("home = rent", "home = own or missing")),
        (Equals(ACTIVE, 0), ("not active", "active")),
        (Equals(ACTIVE, 1, missing=0), ("active or missing", "not active")),
        (Multiway(ACTIVE, missing=2), ("not active", "active", "active is missing")),
        (Equals(ODD, 0), ('"a < b" = "3"', '"a < b" != "3"')),
        (Equals(ODD, 1), ('"a < b" = 3', '"a < b" != 3')),
        (Equals(ODD, 2), ('"a < b" = " x"', '"a < b" != " x"')),
        (In(ODD, (3, 4)), ('"a < b" in {"", "b, c"}', '"a < b" not in {"", "b, c"}')),
        (Equals(ODD, 5), (r'"a < b" = "say \"no\""', r'"a < b" != "say \"no\""')),
        (IsMissing(ODD), ('"a < b" is missing', '"a < b" is not missing')),
        (Multiway(COLOUR), ("colour = red", "colour = green", "colour = blue")),
        (Multiway(COLOUR, missing=3), ("colour = red", "colour = green", "colour = blue", "colour is missing")),
        (IsMissing(SIZE, missing=0), ("size (cm) is missing", "size (cm) is not missing")),
        (Query("some atom is charged"), ("some atom is charged", "not some atom is charged")),
        (Query("charge", 3), ("charge, branch 1", "charge, branch 2", "charge, branch 3")),
    ],
)
def test_every_branch_has_its_words(condition, texts):
    assert condition.branches == texts
    assert condition.n_branches == len(texts)
    assert str(condition) in {texts[0], "colour = ?", "active = ?", "charge"}


def test_arrays_give_back_the_records_they_were_made_of():
    conditions = Conditions.from_arrays(
        (SIZE, COLOUR), [0, 1, 2, 3, 4], [0, 1, 1, 1, 0], [2.5, 2, 0, 0, 0], [1, -1, 0, 3, 0], [(0, 1)]
    )
    expected = [
        Threshold(SIZE, 2.5, missing=1),
        Equals(COLOUR, 2),
        In(COLOUR, (0, 1), missing=0),
        Multiway(COLOUR, missing=3),
        IsMissing(SIZE, missing=0),
    ]
    assert list(conditions) == expected
    assert list(conditions.take([4, 0])) == [expected[4], expected[0]]
    assert len(conditions) == 5


@pytest.mark.parametrize(
    ("condition", "codes"),
    [
        (Threshold(GRADE, 2.0, missing=0), ([0, 1], [2])),
        (Threshold(GRADE, 0.5), ([0], [1, 2])),
        (Equals(COLOUR, 1), ([1], [0, 2])),
        (In(SHAPE, (3, 0)), ([0, 3], [1, 2])),
        (Multiway(COLOUR, missing=3), ([0], [1], [2], [])),
    ],
)
def test_each_branch_takes_some_categories(condition, codes):
    assert tuple(condition.codes_of(branch) for branch in range(condition.n_branches)) == codes
