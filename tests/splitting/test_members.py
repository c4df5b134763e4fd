"""Split scores, member by member."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.families.splits import SPLITS, VARIANTS, WORKED_SPLITS, squared_error

from petree import splitting
from petree.splitting import DKM, MAUC, MSEE, GainRatio
from petree.splitting.codes import GrowthSetting

EVERY = SPLITS + VARIANTS
every_split = pytest.mark.parametrize(("split", "plain", "worked"), EVERY, ids=[str(row[0]) for row in EVERY])
seldom = settings(max_examples=10, deadline=None)


def tables(n_classes=3):
    child = st.lists(st.integers(0, 30), min_size=n_classes, max_size=n_classes)
    return st.lists(child, min_size=2, max_size=5)


@every_split
def test_scores_of_the_worked_splits(split, plain, worked):
    for name, expected in worked.items():
        # what is worked out from two numbers of six digits is a little less exact
        assert plain(WORKED_SPLITS[name]) == pytest.approx(expected, abs=7e-7)
        assert splitting.score(split, WORKED_SPLITS[name]) == pytest.approx(expected, abs=7e-7)


@pytest.mark.parametrize(
    ("counts", "expected"), [([8, 2], 0.2176), ([6, 3, 1], 0.3564), ([5, 5, 5], 4 / 9), ([4, 0], 0.0)]
)
def test_the_slow_squared_error_has_its_worked_values(counts, expected):
    assert squared_error(counts) == pytest.approx(expected, abs=1e-12)


@every_split
@seldom
@given(table=tables(), data=st.data())
def test_scores_equal_their_definition_whatever_the_order(split, plain, worked, table, data):
    expected = splitting.score(split, table)
    assert expected == pytest.approx(plain(table), abs=1e-9)
    classes = data.draw(st.permutations(range(3)))
    shuffled = [[child[c] for c in classes] for child in data.draw(st.permutations(table))]
    assert splitting.score(split, shuffled) == pytest.approx(expected, abs=1e-9)


@every_split
@seldom
@given(table=tables(n_classes=2))
def test_scores_of_two_classes_equal_their_definition(split, plain, worked, table):
    assert splitting.score(split, table) == pytest.approx(plain(table), abs=1e-9)


@every_split
@seldom
@given(child=st.lists(st.integers(0, 30), min_size=3, max_size=3), place=st.integers(0, 2))
def test_a_test_that_does_not_divide_scores_zero(split, plain, worked, child, place):
    table = [[0, 0, 0], [0, 0, 0]]
    table.insert(place, child)
    assert splitting.score(split, table) == pytest.approx(0, abs=1e-12)


@every_split
def test_an_empty_table_scores_zero(split, plain, worked):
    assert splitting.score(split, [[0, 0, 0], [0, 0, 0]]) == 0


@every_split
@settings(max_examples=5, deadline=None)
@given(st.lists(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=4, max_size=4), min_size=1))
def test_a_block_of_tables_is_scored_table_by_table(split, plain, worked, block):
    scores = splitting.resolve_split(split).score(np.array([block, block[::-1]], np.float64))
    expected = [plain(table) for table in block]
    np.testing.assert_allclose(scores, [expected, expected[::-1]], atol=1e-9)


@pytest.mark.parametrize("counts", [[1, 2], [[1, -1], [2, 3]], [[1, np.nan], [2, 3]]])
def test_nonsense_tables_are_refused(counts):
    with pytest.raises(ValueError, match="one row a child"):
        splitting.score("gain", counts)


@pytest.mark.parametrize(
    ("member", "sentence"),
    [
        (GainRatio(slack=-0.1), r"The 'slack' parameter of GainRatio must be a finite number not below 0\. Got -0\.1"),
        (GainRatio(slack="a little"), r"The 'slack' parameter of GainRatio must be .* Got 'a little' instead\."),
        (DKM(form="gini"), r"The 'form' parameter of DKM must be one of one_vs_rest, majority\. Got 'gini' instead\."),
        (MSEE(penalty="yes"), r"The 'penalty' parameter of MSEE must be one of None, True, False. Got 'yes' instead\."),
        (MAUC(penalty=2), r"The 'penalty' parameter of MAUC must be one of None, True, False. Got 2 instead\."),
    ],
)
def test_a_wrong_parameter_is_named_before_growing(member, sentence):
    with pytest.raises(ValueError, match=sentence):
        member.code(GrowthSetting("binary", 10.0))


@pytest.mark.parametrize("member", [DKM(form="gini"), MSEE(penalty="yes"), MAUC(penalty=2)])
def test_a_wrong_parameter_is_named_by_a_single_score(member):
    with pytest.raises(ValueError, match="parameter of"):
        splitting.score(member, WORKED_SPLITS["S1"])


@pytest.mark.parametrize("member", [MSEE, MAUC])
def test_the_penalty_is_on_for_multiway_tests_alone_unless_told(member):
    def has_penalty(penalty, tests):
        return hasattr(member(penalty=penalty).code(GrowthSetting(tests, 10.0)), "base")

    assert [has_penalty(None, tests) for tests in ("binary", "multiway")] == [False, True]
    assert [has_penalty(True, tests) for tests in ("binary", "multiway")] == [True, True]
    assert [has_penalty(False, tests) for tests in ("binary", "multiway")] == [False, False]
