"""The registries that name the members of the families."""

import pytest
from sklearn.base import clone
from tests.families.prunings import PRUNINGS
from tests.families.smoothings import SMOOTHINGS
from tests.families.splits import SPLITS

from petree import binning, pruning, smoothing, splitting

REGISTRIES = [
    (splitting.MEMBERS, [row[0] for row in SPLITS]),
    (smoothing.MEMBERS, [row[0] for row in SMOOTHINGS]),
    (pruning.MEMBERS, [row[0] for row in PRUNINGS]),
    (binning.MEMBERS, ["quantile", "exact", "entropy"]),
]
RESOLVERS = [
    (splitting.resolve_split, "gain"),
    (smoothing.resolve_smoothing, "laplace"),
    (pruning.resolve_pruning, "none"),
    (binning.resolve_binning, "exact"),
]


@pytest.mark.parametrize(("members", "tested"), REGISTRIES)
def test_every_alias_has_a_row_in_the_test_lists(members, tested):
    assert sorted(members) == sorted(tested)


@pytest.mark.parametrize(("members", "_"), REGISTRIES)
def test_members_are_made_without_arguments_and_can_be_cloned_and_searched(members, _):
    for member in members.values():
        made = member()
        assert clone(made).get_params(deep=False) == made.get_params(deep=False)
        assert member.__doc__
        assert len(made.get_params(deep=False)) <= 5


@pytest.mark.parametrize(("resolver", "alias"), RESOLVERS)
def test_a_wrong_name_is_answered_with_the_right_ones(resolver, alias):
    with pytest.raises(ValueError, match=rf"Unknown \w+ '{alias}s'; valid names are .*{alias}.*Did you mean '{alias}'"):
        resolver(f"{alias}s")
    for wrong in (3, None, object):
        with pytest.raises(TypeError, match=r"must be one of .* or an object with a method"):
            resolver(wrong)
    member = resolver(alias)
    assert resolver(member) is member
