"""Split scores, member by member."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.families.splits import SPLITS, WORKED_SPLITS

from petree import splitting


def tables(n_classes=3):
    child = st.lists(st.integers(0, 30), min_size=n_classes, max_size=n_classes)
    return st.lists(child, min_size=2, max_size=5)


@pytest.mark.parametrize(("alias", "_", "worked"), SPLITS)
def test_scores_of_the_worked_splits(alias, _, worked):
    for name, expected in worked.items():
        assert splitting.score(alias, WORKED_SPLITS[name]) == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize(("alias", "plain", "_"), SPLITS)
@settings(deadline=None)
@given(table=tables(), data=st.data())
def test_scores_equal_their_definition_whatever_the_order(alias, plain, _, table, data):
    expected = splitting.score(alias, table)
    assert expected == pytest.approx(plain(table), abs=1e-9)
    classes = data.draw(st.permutations(range(3)))
    shuffled = [[child[c] for c in classes] for child in data.draw(st.permutations(table))]
    assert splitting.score(alias, shuffled) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("alias", "_", "__"), SPLITS)
@given(child=st.lists(st.integers(0, 30), min_size=3, max_size=3))
def test_a_test_that_does_not_divide_scores_zero(alias, _, __, child):
    assert splitting.score(alias, [child, [0, 0, 0]]) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("counts", [[1, 2], [[1, -1], [2, 3]], [[1, np.nan], [2, 3]]])
def test_nonsense_tables_are_refused(counts):
    with pytest.raises(ValueError, match="one row a child"):
        splitting.score("gain", counts)
