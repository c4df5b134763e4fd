"""Probability estimates, member by member."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.families.smoothings import SMOOTHINGS, plain_shrinkage, shrinkage_weights
from tests.random_trees import option_tree

from petree import smoothing
from petree.tree import Tree

TUNABLE = [
    (member, name, values) for member in smoothing.MEMBERS.values() for name, values in member.candidates.items()
]


@st.composite
def nested_counts(draw, n_classes=3):
    """Class counts of a random tree, whole or not, some of them 0 or below 1."""
    number = st.integers(0, 9) if draw(st.booleans()) else st.sampled_from((0.0, 0.25, 0.5, 1.0, 1.75, 3.5, 9.0))
    leaf = st.lists(number, min_size=n_classes, max_size=n_classes)
    return draw(st.recursive(leaf, lambda below: st.lists(below, min_size=2, max_size=3), max_leaves=10))


def paths(tree):
    """Each node, with the class counts on the way to it from the root."""
    for node in range(tree.n_nodes):
        path = [node]
        while path[0]:
            path.insert(0, int(tree.parents[path[0]]))
        yield node, tree.counts[path].tolist()


@pytest.mark.parametrize(("alias", "_", "__", "worked"), SMOOTHINGS)
def test_estimates_of_the_worked_leaf(alias, _, __, worked):
    if worked is None:
        pytest.skip("worked on a path, below")
    leaf, expected = worked
    np.testing.assert_allclose(smoothing.estimate(alias, Tree.from_counts([leaf, [1, 1, 1]]))[1], expected, atol=5e-7)


@pytest.mark.parametrize(("alias", "plain", "plain_strength", "_"), SMOOTHINGS)
@given(nested=nested_counts())
def test_estimates_and_strengths_equal_their_definitions(alias, plain, plain_strength, _, nested):
    tree = Tree.from_counts(nested)
    member = smoothing.resolve_smoothing(alias)
    estimates, strengths = member.estimate(tree), member.strength(tree)
    np.testing.assert_allclose(estimates.sum(axis=1), 1)
    assert ((estimates >= 0) & (estimates <= 1)).all()
    assert (np.isfinite(strengths) & (strengths > 0)).all()
    for node, path in paths(tree) if plain else ():
        np.testing.assert_allclose(estimates[node], plain(path, tree.n_classes), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(strengths[node], plain_strength(path, tree.n_classes), rtol=1e-9)


@pytest.mark.parametrize("alias", ["none", "laplace", "m_estimate", "m_branch", "hierarchical"])
@given(nested=nested_counts())
def test_the_strength_is_the_number_of_cases_over_their_weight_in_the_estimate(alias, nested):
    """With other cases at a leaf, as many as before, the estimate moves by their weight."""
    tree = Tree.from_counts(nested)
    member = smoothing.resolve_smoothing(alias)
    for leaf in np.flatnonzero(tree.is_leaf & (tree.counts.sum(axis=1) > 0)):
        cases, counts = tree.counts[leaf].sum(), np.stack([tree.counts, tree.counts])
        counts[:, leaf] = [[cases, 0, 0], [0, cases, 0]]
        all_first, all_second = (member.estimate(tree.with_counts(other))[leaf, 0] for other in counts)
        np.testing.assert_allclose(member.strength(tree)[leaf], cases / (all_first - all_second))


# -- worked numbers of members with parameters -------------------------------------------------------------------


PATH = Tree.from_counts([[[[3, 0], [5, 2]], [22, 8]], [30, 30]])  # [60, 40], [30, 10], [8, 2], [3, 0]
LEAF = 5


@pytest.mark.parametrize(
    ("member", "expected"),
    [
        (smoothing.MBranch(4), 0.834848),
        (smoothing.Curtailment(5), 0.8),
        (smoothing.Hierarchical(10), 0.876364),
        (smoothing.Average((smoothing.Hierarchical(10), "laplace")), (0.876364 + 0.8) / 2),
    ],
)
def test_estimates_of_the_worked_path(member, expected):
    assert PATH.counts[[0, 1, 3, LEAF], 0].tolist() == [60, 30, 8, 3]
    assert member.estimate(PATH)[LEAF, 0] == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize(
    ("member", "expected"),
    [
        (smoothing.Frequency(), 3),
        (smoothing.Laplace(), 5),
        (smoothing.MBranch(4), 7),
        (smoothing.Curtailment(5), 10),
        (smoothing.Hierarchical(10), 6),  # 3 (1 + 10 / 10)
        (smoothing.Average((smoothing.Hierarchical(10), "laplace")), 5.5),
    ],
)
def test_strengths_of_the_worked_path(member, expected):
    assert member.strength(PATH)[LEAF] == pytest.approx(expected)


def test_m_branch_of_a_lone_root_and_m_estimate_of_base_rates():
    assert smoothing.MBranch(4).estimate(PATH.cut([0]))[0, 0] == pytest.approx(62 / 104)
    tree = Tree.from_counts([[3, 0, 1], [2, 3, 1]])  # base rates .5, .3, .2
    found = smoothing.MEstimate(2, "base_rate").estimate(tree)[1]
    np.testing.assert_allclose(found, [2 / 3, 0.1, 0.233333], atol=5e-7)


def test_shrinkage_of_the_worked_path():
    path, tree = [[10, 10], [6, 2], [3, 1]], Tree.from_counts([[[3, 1], [3, 1]], [4, 8]])
    weights = [0.271213, 0.256939, 0.259501, 0.212347]
    np.testing.assert_allclose(shrinkage_weights(path, 2, 1), weights, atol=5e-7)
    one_step = np.dot(weights, [0.5, 0.5, 0.75, 0.75])
    assert smoothing.Shrinkage(1).estimate(tree)[3, 0] == pytest.approx(one_step, abs=1e-6)
    # The limit .616667 is approached from above; the worked number stands 200 steps on the way.
    assert smoothing.Shrinkage(200).estimate(tree)[3, 0] == pytest.approx(0.616668, abs=5e-7)
    assert smoothing.Shrinkage(2000).estimate(tree)[3, 0] == pytest.approx(8 / 15 * 0.5 + 7 / 15 * 0.75)


@given(nested=nested_counts(), iterations=st.integers(1, 60))
def test_shrinkage_of_any_number_of_steps(nested, iterations):
    tree = Tree.from_counts(nested)
    estimates = smoothing.Shrinkage(iterations).estimate(tree)
    for node, path in paths(tree):
        np.testing.assert_allclose(estimates[node], plain_shrinkage(path, 3, iterations), rtol=1e-9, atol=1e-12)


# -- what estimates have to do with each other --------------------------------------------------------------------


@given(nested=nested_counts())
def test_estimates_that_are_the_same(nested):
    tree = Tree.from_counts(nested)
    plain, laplace = smoothing.Frequency(), smoothing.Laplace()
    np.testing.assert_allclose(smoothing.MEstimate(3).estimate(tree), laplace.estimate(tree))
    np.testing.assert_array_equal(smoothing.Hierarchical(0).estimate(tree), plain.estimate(tree))
    for method in ("estimate", "strength"):
        curtailed = getattr(smoothing.Curtailment(0.1), method)(tree)
        np.testing.assert_array_equal(curtailed, getattr(plain, method)(tree))
        alone = getattr(smoothing.Average(("laplace",)), method)(tree)
        np.testing.assert_array_equal(alone, getattr(laplace, method)(tree))


@given(nested=st.recursive(st.lists(st.integers(0, 3), min_size=2, max_size=2), lambda b: st.lists(b, min_size=2)))
def test_curtailment_at_one_case_gives_frequencies(nested):
    tree = Tree.from_counts(nested)
    np.testing.assert_array_equal(smoothing.Curtailment(1).estimate(tree), smoothing.Frequency().estimate(tree))


@pytest.mark.parametrize("alias", smoothing.MEMBERS)
@given(order=st.permutations(range(3)), nested=nested_counts())
def test_classes_may_come_in_any_order(alias, order, nested):
    tree = Tree.from_counts(nested)
    member = smoothing.resolve_smoothing(alias)
    moved = tree.with_counts(tree.counts[:, order])
    np.testing.assert_allclose(member.estimate(moved), member.estimate(tree)[:, order], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(member.strength(moved), member.strength(tree), rtol=1e-9)


# estimates that look at the nodes above; all others can be made of every tree
ALONG_A_PATH = ["m_branch", "bayes", "curtailment", "hierarchical", "shrinkage", "average", "doubt"]


@pytest.mark.parametrize("alias", ALONG_A_PATH)
def test_estimates_along_a_path_refuse_option_trees(alias):
    with pytest.raises(ValueError, match="path-based methods need an ordinary tree"):
        smoothing.estimate(alias, option_tree())


@pytest.mark.parametrize("alias", [alias for alias in smoothing.MEMBERS if alias not in ALONG_A_PATH])
def test_estimates_of_a_node_alone_do_not(alias):
    np.testing.assert_allclose(smoothing.estimate(alias, option_tree()).sum(axis=1), 1)


# -- parameters -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("member", "sentence"),
    [
        (smoothing.MEstimate(0), "'m' parameter of MEstimate must be a finite number above 0. Got 0"),
        (smoothing.MEstimate(4, "bayes"), "'prior' parameter of MEstimate must be one of uniform, base_rate"),
        (smoothing.MBranch(-1), "'m' parameter of MBranch must be a finite number above 0"),
        (smoothing.Curtailment("5"), "'v' parameter of Curtailment must be a finite number not below 0"),
        (smoothing.Hierarchical(np.inf), "'shrinkage' parameter of Hierarchical must be a finite number not below 0"),
        (
            smoothing.Confusion(1.5),
            "'factor' parameter of Confusion must be a finite number not below 0 and not above 1",
        ),
        (smoothing.Confusion(np.nan), "'factor' parameter of Confusion must be a finite number not below 0"),
        (smoothing.Doubt(-0.1), "'doubt' parameter of Doubt must be a finite number not below 0 and not above 1"),
        (smoothing.Doubt(0.1, smoothing.MEstimate(-1)), "'m' parameter of MEstimate must be"),
        (smoothing.Doubt(leaf="laplas"), "Unknown smoothing 'laplas'; .* Did you mean 'laplace'"),
        (smoothing.Doubt(leaf="confusion"), "'leaf' parameter of Doubt must be a smoothing of leaves, .* of Confusion"),
        (
            smoothing.Confusion(leaf=smoothing.Average(("laplace", "doubt"))),
            "'leaf' parameter of Confusion must be a smoothing of leaves, but the answers of Average depend on the row",
        ),
        (smoothing.Shrinkage(0), "'iterations' parameter of Shrinkage must be an integer not below 1"),
        (smoothing.Shrinkage("auto"), "'iterations' parameter of Shrinkage must be an integer not below 1"),
        (smoothing.Average(()), r"'parts' parameter of Average must be a list or tuple of one or more .* Got \(\)"),
        (
            smoothing.Average("laplace"),
            "'parts' parameter of Average must be a list or tuple of one or more smoothings",
        ),
        (smoothing.Average(("laplas",)), "Unknown smoothing 'laplas'; .* Did you mean 'laplace'"),
        (smoothing.Average(("laplace", smoothing.MEstimate(-1))), "'m' parameter of MEstimate must be"),
    ],
)
def test_parameters_of_estimates_are_checked(member, sentence):
    with pytest.raises(ValueError, match=sentence):
        member.estimate(PATH)


@pytest.mark.parametrize(("member", "name", "values"), TUNABLE)
def test_a_parameter_left_to_be_chosen_is_no_number_yet(member, name, values):
    sentence = f"'{name}' parameter of {member.__name__} is 'auto', which an estimator chooses while fitting; give a "
    for method in ("estimate", "strength"):
        with pytest.raises(ValueError, match=sentence):
            getattr(member(**{name: "auto"}), method)(PATH)


@pytest.mark.parametrize(("member", "name", "values"), TUNABLE)
def test_about_ten_values_are_tried_the_default_among_them(member, name, values):
    assert 8 <= len(values) <= 12
    assert list(values) == sorted(set(values))
    assert member().get_params()[name] in values
    for value in values:
        np.testing.assert_allclose(member(**{name: value}).estimate(PATH).sum(axis=1), 1)


def test_every_number_but_the_cap_on_iterations_can_be_chosen():
    assert {(member.__name__, name) for member, name, _ in TUNABLE} == {
        (member.__name__, name)
        for member in smoothing.MEMBERS.values()
        for name, value in member().get_params(deep=False).items()
        if isinstance(value, (int, float)) and name != "iterations"
    }
