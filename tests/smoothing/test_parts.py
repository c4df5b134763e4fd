"""Estimates that are made of others."""

import numpy as np
import pytest
from sklearn.base import clone

from petree import smoothing
from petree.tree import Tree

PATH = Tree.from_counts([[[[3, 0], [5, 2]], [22, 8]], [30, 30], [0, 0]])
ALL_LEAVES = [smoothing.Confusion, smoothing.Doubt]

# -- the parts of an average ------------------------------------------------------------------------------------------


def test_parameters_of_the_parts_are_parameters_of_the_average():
    parameters = smoothing.Average().get_params()
    assert {name: value for name, value in parameters.items() if "__" in name} == {"0__shrinkage": 25.0, "1__m": 4.0}
    assert (type(parameters["0"]), type(parameters["1"])) == (smoothing.Hierarchical, smoothing.MBranch)
    assert list(smoothing.Average().get_params(deep=False)) == ["parts"]
    nested = smoothing.Average((smoothing.Average(("m_branch",)), "laplace"))
    assert nested.get_params()["0__0__m"] == 4.0


def test_parts_are_set_by_their_places():
    average = smoothing.Average().set_params(**{"1__m": 2.0})
    assert average.get_params()["1__m"] == 2.0
    assert average.parts[0] == "hierarchical"
    assert smoothing.Average().get_params()["1__m"] == 4.0
    average.set_params(**{"0": "m_estimate", "0__m": 8.0})
    assert average.get_params()["0__m"] == 8.0
    np.testing.assert_allclose(
        average.estimate(PATH),
        (smoothing.MEstimate(8.0).estimate(PATH) + smoothing.MBranch(2.0).estimate(PATH)) / 2,
    )
    assert smoothing.Average().set_params(parts=["laplace"]).parts == ["laplace"]
    deep = smoothing.Average((smoothing.Average(), "none")).set_params(**{"0__1__m": 1.0})
    assert deep.get_params()["0__1__m"] == 1.0


@pytest.mark.parametrize("name", ["2", "2__m", "-1", "m", "parts__m", "1__shrinkage"])
def test_parts_that_are_not_there_cannot_be_set(name):
    with pytest.raises(ValueError, match=name.rpartition("__")[2]):
        smoothing.Average().set_params(**{name: 1.0})


def test_an_average_is_cloned_with_its_parts_and_prints_them():
    average = smoothing.Average((smoothing.Hierarchical(7.0), "laplace"))
    copy = clone(average)
    assert copy.parts[0] is not average.parts[0]
    assert copy.set_params(**{"0__shrinkage": 3.0}).parts[0].shrinkage == 3.0
    assert average.parts[0].shrinkage == 7.0
    assert repr(average) == "Average(parts=(Hierarchical(shrinkage=7.0), 'laplace'))"


def test_an_average_goes_by_row_where_a_part_does():
    assert smoothing.Average(("laplace", "confusion")).by_row
    assert not smoothing.Average().by_row


# -- what the leaves say where all of them answer ---------------------------------------------------------------------


@pytest.mark.parametrize("member", ALL_LEAVES)
@pytest.mark.parametrize("leaf", [alias for alias, member in smoothing.MEMBERS.items() if not member().by_row])
def test_nodes_are_estimated_as_leaves_are(member, leaf):
    expected = smoothing.resolve_smoothing(leaf)
    np.testing.assert_array_equal(member(leaf=leaf).estimate(PATH), expected.estimate(PATH))
    np.testing.assert_array_equal(member(leaf=expected).strength(PATH), expected.strength(PATH))


def test_an_estimate_that_does_not_tell_its_strength_has_the_cases_of_the_node():
    class Mine:
        def estimate(self, tree):
            return smoothing.Laplace().estimate(tree)

    cases = PATH.counts.sum(axis=1)
    np.testing.assert_array_equal(smoothing.Doubt(leaf=Mine()).strength(PATH), cases)
    mean = smoothing.Average((Mine(), smoothing.Laplace())).strength(PATH)
    np.testing.assert_array_equal(mean, cases + PATH.n_classes / 2)
    assert smoothing.Doubt(leaf=Mine()).get_params()["doubt"] == 0.1


@pytest.mark.parametrize("member", ALL_LEAVES)
def test_parameters_of_the_leaves_are_parameters_of_the_whole(member):
    whole = member(leaf="m_branch")
    assert whole.get_params(deep=False)["leaf"] == "m_branch"
    assert whole.get_params()["leaf__m"] == 4.0
    assert whole.set_params(leaf__m=2.0) is whole
    assert repr(whole.leaf) == "MBranch(m=2.0)"
    copy = clone(whole).set_params(leaf__m=3.0)
    assert (copy.leaf.m, whole.leaf.m) == (3.0, 2.0)
    whole.set_params(leaf="hierarchical", leaf__shrinkage=7.0)
    assert whole.get_params()["leaf__shrinkage"] == 7.0
    assert whole.set_params(leaf="laplace").leaf == "laplace"
    with pytest.raises(ValueError, match="Invalid parameter 'm' for estimator Laplace"):
        whole.set_params(leaf__m=2.0)
    nested = smoothing.Average((member(leaf=smoothing.Average()), "none"))
    assert nested.set_params(**{"0__leaf__1__m": 1.0}).get_params()["0__leaf__1__m"] == 1.0


@pytest.mark.parametrize("member", ALL_LEAVES)
def test_a_leaf_that_cannot_be_is_replaced(member):
    assert member(leaf="laplas").set_params(leaf="laplace").leaf == "laplace"
