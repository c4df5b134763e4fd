"""Why nodes went: where they stood, what they were, what was found there."""

import re
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import narwhals as nw
import numpy as np
import pytest
from hypothesis import given
from sklearn.exceptions import NotFittedError
from tests.plain import plain_classifier
from tests.random_trees import COLUMNS
from tests.reading.logs import pruned_trees

from petree.conditions import EQUALS, THRESHOLD, Conditions
from petree.demo import make_loans
from petree.pruning import (
    MDL,
    MEMBERS,
    CardPerClass,
    ErrorBased,
    Rand,
    ReducedError,
    SmoothedCost,
    prune,
    resolve_pruning,
)
from petree.pruning.engine.log import CLOSED, CUT, KEPT, LOST, RAISED, PruningLog
from petree.pruning.engine.stumps import Verdicts
from petree.reading import reasons, rules, why, why_frame
from petree.smoothing import Average
from petree.tree import Tree, assemble

# What is said of a tree that is a single leaf and always was.
UNDIVIDED = (
    "No test was found that divides the rows, so that the tree is a single leaf and nothing was cut: all columns are "
    "constant, or parameters such as min_samples_leaf allow no test."
)
WORKED = Tree.from_counts([[[12, 0], [3, 5]], [[1, 9], [6, 4]]], n_tests=6)


def below(tree: Tree, node: int) -> list[int]:
    """The leaves below a node."""
    children = tree.children_of(np.array([node])).tolist()
    return [leaf for child in children for leaf in below(tree, child)] or [node]


def frontier(tree: Tree, is_cut: np.ndarray, node: int = 0) -> list[int]:
    """The nodes of a grown tree that are leaves after the cut, in reading order."""
    if tree.is_leaf[node] or is_cut[node]:
        return [node]
    return [leaf for child in tree.children_of(np.array([node])).tolist() for leaf in frontier(tree, is_cut, child)]


def everything_above(tree: Tree, node: int) -> list[int]:
    parents = []
    while node > 0:
        node = int(tree.parents[node])
        parents.append(node)
    return parents


# -- which nodes are told, and how -------------------------------------------------------------------------------------


@given(pruned_trees())
def test_every_leaf_that_was_cut_says_what_stood_there(tree: Tree) -> None:
    grown, expected = tree.pruning_log.grown, []
    leaves = frontier(grown, np.isin(np.arange(grown.n_nodes), tree.pruning_log.cut))
    for node, rule in zip(leaves, rules(tree), strict=True):
        if not grown.is_leaf[node]:
            where = "all rows" if rule.startswith("always ") else re.fullmatch(r"(.*) then P\(.*", rule).group(1)
            stood = f"{grown.node(node).conditions[0]} ({len(below(grown, node))} leaves, n={grown.sizes[node]})"
            expected.append(f"{where}: {stood} was cut. Heads: {100 + node}; needed: 50.50.")
    nothing = [UNDIVIDED] if tree.n_nodes == 1 else ["Chi(alpha=0.5) cut nothing that had been grown."]
    assert why(tree) == (expected or nothing)


@given(pruned_trees())
def test_everything_that_was_examined_is_told(tree: Tree) -> None:
    log = tree.pruning_log
    told = reasons(tree, everything=True)
    is_cut = np.isin(np.arange(log.grown.n_nodes), log.cut)
    assert sorted(reason.statistic - 100 for reason in told.reasons) == log.nodes.tolist()
    for reason in told.reasons:
        node = int(reason.statistic - 100)
        is_gone = is_cut[everything_above(log.grown, node)].any()
        assert reason.verdict == (CUT if is_cut[node] else LOST if is_gone else KEPT)
        assert reason.test == str(log.grown.node(node).conditions[0])
        assert reason.size == log.grown.sizes[node]
    assert len(why(tree, everything=True)) == max(len(told.reasons), 1)


def test_the_path_is_in_the_words_of_the_rules() -> None:
    conditions = Conditions.from_arrays(COLUMNS, [EQUALS, THRESHOLD], [1, 0], [2, 3.5], [-1, -1])
    counts = np.array([[10, 8], [8, 6], [2, 2], [5, 3], [3, 3]])
    tree = assemble(counts, counts.sum(1), np.full(5, 5), np.array([0, 1]), np.array([2, 2]), conditions, ("a", "b"))
    assert why(prune("chi", tree))[0].startswith(
        "all rows: colour = blue (3 leaves, n=18) was cut. How far the branches "
    )
    assert why(prune("chi", tree), everything=True)[1] == (
        "if colour = blue: size (cm) < 3.5 (2 leaves, n=14) was cut. "
        "How far the branches differ (chi-square): 0.22; needed to be more than chance: 6.63."
    )


def test_worked_numbers() -> None:
    counts = np.array([[22, 18], [15, 5], [7, 13]])
    root, left, right = -(counts * np.log2(counts / counts.sum(1, keepdims=True))).sum(1)
    limit, left_gain, right_gain = 7.245927, 8.590090, 4.281899

    def bits(subtree: float, leaf: float) -> str:
        what = "and its cases"
        return f"Bits to write down the subtree {what}: {subtree:.2f}; bits to write down one leaf {what}: {leaf:.2f}."

    kept_left = left - left_gain + limit
    assert why(prune("mdl", WORKED), everything=True) == [
        f"all rows: test 0 (4 leaves, n=40) was cut. {bits(kept_left + right + limit, root)}",
        f"if test 0: test 1 (2 leaves, n=20) was kept, but went with a node above it. {bits(kept_left, left)}",
        f"if not test 0: test 2 (2 leaves, n=20) was cut. {bits(right - right_gain + limit, right)}",
    ]


@pytest.mark.parametrize(
    ("statistic", "threshold", "texts"),
    [
        (7.0, 5.0, ("7", "5")),
        (2.1, 9.549, ("2.10", "9.55")),
        (7.0, 6.9999, ("7", "6.9999")),
        (3.14159, 3.14158, ("3.14159", "3.14158")),
        (1 / 3, 1 / 3 + 1e-13, ("0.3333333333333", "0.3333333333334")),
        (0.52, 0.52 + 1e-9, ("0.520000000", "0.520000001")),
        (1234.5, np.nextafter(1234.5, 2000), ("1234.5000000000000", "1234.5000000000002")),
        (0.01, np.nextafter(0.01, 1), ("0.01", "0.010000000000000002")),
        (0.25, 0.25, ("0.25", "0.25 (the same)")),
        (3.0, 3.0, ("3", "3 (the same)")),
        (0.0012345, 0.05, ("0.0012", "0.05")),
        (0.0012345, 0.0012399, ("0.00123", "0.00124")),
        (12345.678, np.inf, ("12345.68", "inf")),
        (np.nan, 0.5, ("nan", "0.50")),
    ],
)
def test_numbers_have_digits_enough_to_differ(statistic: float, threshold: float, texts: tuple[str, str]) -> None:
    tree = prune("chi", Tree.from_counts([[5, 5], [5, 5]]))
    verdicts = replace(tree.pruning_log.verdicts, statistic=np.array([statistic]), threshold=np.array([threshold]))
    tree = tree.with_log(replace(tree.pruning_log, verdicts=verdicts))
    assert why(tree)[0].endswith(f"(chi-square): {texts[0]}; needed to be more than chance: {texts[1]}.")


def test_trees_of_which_nothing_went() -> None:
    assert why(WORKED) == ["This tree was not pruned."]
    assert why(prune("none", WORKED)) == ["This tree was not pruned."]
    assert why(prune("bic", WORKED)) == ["BIC() cut nothing that had been grown."]
    assert len(why(prune("bic", WORKED), everything=True)) == 3
    assert why(prune("bic", Tree.from_counts([3, 1])), everything=True) == [UNDIVIDED]


def test_the_criterion_is_one_line_and_knows_no_places_in_memory() -> None:
    member = SmoothedCost(Average(parts=("laplace", "m_branch", "m_estimate", "hierarchical", "curtailment", "none")))
    log = prune("bic", WORKED).pruning_log
    assert "\n" in repr(member)
    assert replace(log, criterion=repr(member)).frontier().criterion == " ".join(repr(member).split())
    fresh = ReducedError(fresh=lambda n_cases: (None, None))
    assert " at 0x" in repr(fresh)
    assert " at 0x" not in replace(log, criterion=repr(fresh)).examined().criterion


@pytest.mark.parametrize(
    "pruning",
    [*(alias for alias in MEMBERS if alias != "none"), ErrorBased(raising=True), Rand(when="pre"), MDL(when="pre")],
    ids=str,
)
def test_every_criterion_explains_what_it_did(pruning: Any) -> None:
    X, y = make_loans(150)
    tree = plain_classifier(pruning=pruning, tests="multiway", random_state=0).fit(X, y).tree_
    log, told = tree.pruning_log, reasons(tree, everything=True)
    found = log.frontier()
    standing = Counter(map(str, tree.conditions))
    assert Counter(reason.test for reason in told.reasons if reason.verdict == KEPT) <= standing
    assert sum(reason.verdict == RAISED for reason in told.reasons) == found.outcomes.count(RAISED)
    cut = found.nodes[[outcome == CUT for outcome in found.outcomes]]
    assert tree.is_leaf[cut].all()
    leaves = frontier(log.grown, np.isin(np.arange(log.grown.n_nodes), log.cut)) if log.places is None else log.places
    assert len(cut) == np.isin(log.cut, leaves).sum()
    assert told.criterion == repr(resolve_pruning(pruning))
    assert told.names != ("statistic", "threshold")
    assert len(told.names[0].split()) > 2  # words, not a symbol


# -- nodes that were closed while growing ----------------------------------------------------------------------------


def closing() -> list[tuple[Any, str]]:
    """Criteria that close nodes before their test is sought, and what they say of a node of 4 and 2 cases of 120.

    The node has ``6 H(1/3)`` bits. The cheapest stump has one parameter more than the leaf, which is ``0.5 log2 120``
    bits; by MDL also one node more to name, one leaf, and one of two tests.
    """
    held, parameter = -4 * np.log2(4 / 6) - 2 * np.log2(2 / 6), 0.5 * np.log2(120)
    price = f"{parameter + 3:.2f}"
    what = "and its cases"
    saved = "Bits that the test saves in writing down the classes"
    return [
        (CardPerClass(2), "Cases at the node: 6; cases needed to go on: 8."),
        (MDL(when="pre"), f"{saved}: {held:.2f}; bits to write down the test: {price}."),
        (MDL(), f"Bits to write down the subtree {what}: {price}; bits to write down one leaf {what}: {held:.2f}."),
        (MDL(by="stump"), ""),
    ]


@pytest.mark.parametrize(("criterion", "numbers"), closing(), ids=repr)
def test_nodes_closed_while_growing_say_why(criterion: Any, numbers: str) -> None:
    X, y = np.repeat([0.0, 1.0, 2.0], [57, 6, 57])[:, None], np.repeat([0, 1, 1], [61, 2, 57])
    model = plain_classifier(pruning=criterion).fit(X, y)
    closed = f"if 1 <= x0 < 2: a node (n=6) was closed before a test was sought. {numbers}"
    assert model.tree_.n_leaves == 3
    assert why(model) == ([closed] if numbers else [f"{criterion} cut nothing that had been grown."])
    assert (closed in why(model, everything=True)) == bool(numbers)
    assert [reason.test == "" for reason in reasons(model).reasons if reason.verdict == CLOSED] == [True] * bool(
        numbers
    )


# -- raised branches -------------------------------------------------------------------------------------------------


def raised() -> Tree:
    """Test 1 has taken the place of test 0, and test 3 below it was cut; test 4 went with the other branch."""
    grown = Tree.from_counts([[[6, 0], [[1, 2], [2, 1]]], [[0, 1], [1, 0]], [0, 3]])
    numbered = grown.with_annotations(place=np.arange(grown.n_nodes))
    tree = numbered.graft(0, 1).cut([2])
    places = tree.annotations["place"]
    nodes = np.flatnonzero(~grown.is_leaf)
    verdicts = Verdicts(np.array([5.0, 1.0, 2.0, 3.0]), np.array([4.5, 9.0, 9.0, 1.0]), nodes != 0)
    verdicts.accepted[-1] = False
    log = PruningLog(
        "ErrorBased()", ("errors", "allowed"), grown, nodes, verdicts, nodes[-1:], places, np.maximum(places, 1)
    )
    return tree.with_log(log)


def test_raised_branches_are_told_as_such() -> None:
    tree = raised()
    assert (tree.n_nodes, tree.pruning_log.places.tolist()) == (3, [0, 4, 5])
    assert why(tree) == [
        "all rows: test 0 (6 leaves, n=17) was replaced by its largest branch. Errors: 5; allowed: 4.50.",
        "if not test 1: test 5 (2 leaves, n=6) was cut. Errors: 3; allowed: 1.",
    ]
    verdicts = [(reason.test, reason.verdict) for reason in reasons(tree, everything=True).reasons]
    assert verdicts == [("test 0", RAISED), ("test 1", KEPT), ("test 5", CUT), ("test 2", LOST)]


# -- as a table, and from an estimator -------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("tree", [WORKED, prune("mdl", WORKED), prune("bic", WORKED)])
def test_the_table_has_one_row_a_reason(monkeypatch: pytest.MonkeyPatch, backend: str, tree: Tree) -> None:
    monkeypatch.setattr("petree.reading.frame.find_spec", lambda name: name if name == backend else None)
    frame = why_frame(tree, everything=True)
    assert type(frame).__module__.split(".")[0] == backend
    table = nw.from_native(frame, eager_only=True)
    assert table.columns == ["where", "test", "n_leaves", "size", "statistic", "threshold", "verdict"]
    told = reasons(tree, everything=True)
    assert table.rows() == ([] if told is None else [tuple(reason) for reason in told.reasons])


def test_a_fitted_estimator_is_asked_itself() -> None:
    X, y = np.random.default_rng(0).normal(size=(80, 2)), np.arange(80) % 2
    model = plain_classifier(pruning="chi")
    with pytest.raises(NotFittedError):
        model.why()
    assert model.fit(X, y).why() == why(model) == why(model.tree_)
    assert model.why(everything=True) == why(model.tree_, everything=True)
    assert len(model.why(everything=True)) > len(model.why())
    assert plain_classifier(pruning="none").fit(X, y).why() == ["This tree was not pruned."]
    with pytest.raises(TypeError, match="Only a petree Tree or a fitted petree estimator"):
        why(SimpleNamespace())
