"""The text view: complete, aligned, in reading order."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from tests.plain import plain_classifier
from tests.random_trees import COLUMNS, chain, option_tree, trees

from petree.columns import Column
from petree.conditions import THRESHOLD, Conditions
from petree.reading import export_text, rules
from petree.reading.view import View, class_shares, view
from petree.tree import Tree, assemble


def plain_lines(tree: Tree, node: int = 0, level: int = 0, text: str = "all rows"):
    """Level, text and node of every line, straight from the definition."""
    yield level, text, node
    for condition, children in zip(tree.node(node).conditions, tree.node(node).children, strict=True):
        for child, branch in zip(children, condition.branches, strict=True):
            yield from plain_lines(tree, child, level + 1, branch)


@given(trees())
def test_every_node_has_its_line_with_aligned_numbers(tree: Tree) -> None:
    header, *lines = export_text(tree, max_depth=None).splitlines()
    shares = class_shares(tree)
    assert header.split() == ["n", "good", "bad"]
    expected = list(plain_lines(tree))
    assert len(lines) == len(expected) == tree.n_nodes
    for line, (level, text, node) in zip(lines, expected, strict=True):
        n, good, bad = line[: len(header)].split()
        assert (int(n), good, bad) == (tree.sizes[node], f"{shares[node, 0]:.3f}", f"{shares[node, 1]:.3f}")
        assert [m.end() for m in re.finditer(r"\S+", line[: len(header)])] == [
            m.end() for m in re.finditer(r"\S+", header)
        ]
        indent = "|  " * (level - 1) + "|- " if level else ""
        leaf = f": {view(tree).prediction(node)}" if tree.is_leaf[node] else ""
        assert line[len(header) :] == f"  {indent}{text}{leaf}"


def test_thresholds_and_names_are_the_users_own() -> None:
    conditions = Conditions.from_arrays(COLUMNS, [THRESHOLD, THRESHOLD], [0, 2], [0.1 + 0.2, 1.5], [1, -1])
    counts = np.array([[5, 5], [3, 1], [2, 4], [2, 0], [1, 1]])
    tree = assemble(counts, counts.sum(1), np.ones(5), np.array([0, 1]), np.array([2, 2]), conditions, ("yes", "no"))
    assert export_text(tree) == "\n".join(
        [
            " n    yes     no",
            "10  0.500  0.500  all rows",
            " 4  0.750  0.250  |- size (cm) < 0.30000000000000004",
            " 2  1.000  0.000  |  |- grade < high: P(yes)=1.00",
            " 2  0.500  0.500  |  |- grade >= high: P(yes)=0.50",
            " 6  0.333  0.667  |- size (cm) >= 0.30000000000000004 or missing: P(no)=0.67",
        ]
    )


def test_options_are_shown_each_and_shared_nodes_once() -> None:
    lines = [line.split("  ", 3)[-1] for line in export_text(option_tree()).splitlines()]
    assert [line.strip() for line in lines[1:]] == [
        "all rows",
        "|- option 1 of 2",
        "|  |- first: P(good)=0.80",
        "|  |- not first [node 4]: P(bad)=1.00",
        "|- option 2 of 2",
        "|  |- second, branch 1: P(bad)=0.60",
        "|  |- second, branch 2: P(good)=1.00",
        "|  |- second, branch 3 [node 4, shown above]: P(bad)=1.00",
    ]


def test_a_shared_subtree_is_not_written_again_and_again() -> None:
    """Forty option nodes in a row, both options leading to the next one: 2**40 ways, few lines."""
    depth = 40
    n_nodes = 2 * depth + 1  # node 2i is followed by the leaf 2i + 1 and the node 2i + 2
    starts = np.minimum((np.arange(n_nodes + 1) + 1) // 2 * 2, 2 * depth)
    children = np.concatenate([[2 * i + 1, 2 * i + 2] * 2 for i in range(depth)])
    counts = np.ones((n_nodes, 2))
    tree = Tree(
        counts=counts,
        sizes=np.full(n_nodes, 2),
        n_tests=np.ones(n_nodes, np.int64),
        split_start=starts.astype(np.int32),
        child_start=np.arange(0, 4 * depth + 1, 2, dtype=np.int32),
        children=children.astype(np.int32),
        conditions=Conditions.queries([(f"test {i}", 2) for i in range(2 * depth)]),
        classes=("a", "b"),
    )
    # header, root, and at each of the option nodes two headings with two children each
    assert len(export_text(tree).splitlines()) == 2 + 6 * depth


@pytest.mark.parametrize("depth", [50, 51, 5000])
def test_deep_trees_are_complete_and_stay_small(depth: int) -> None:
    text = export_text(chain(depth), max_depth=None)
    assert len(text.splitlines()) == 2 + 2 * depth
    assert ("(level 51)" in text) == (depth > 50)
    assert f"not test {2 * depth - 2}: P(" in text
    assert len(text) < 250 * 2 * depth


def test_a_name_with_a_line_end_stays_on_its_line() -> None:
    conditions = Conditions.from_arrays([Column("two\nlines")], [THRESHOLD], [0], [1.0], [-1])
    counts = np.array([[2, 1], [1, 0], [1, 1]])
    tree = assemble(counts, counts.sum(1), np.ones(3), np.array([0]), np.array([2]), conditions, ("a\nb", "c"))
    text = export_text(tree)
    assert len(text.splitlines()) == 4
    assert r'"two\nlines" < 1: P("a\nb")=1.00' in text


def test_a_single_leaf() -> None:
    assert export_text(Tree.from_counts([3, 1], classes=("a", "b"))).splitlines()[1:] == [
        "4  0.750  0.250  all rows: P(a)=0.75"
    ]


def many_classes(n_classes: int, n_leaves: int) -> Tree:
    """One test with many branches, all of whose leaves have rows of every class."""
    counts = np.random.default_rng(n_classes).integers(1, 30, (n_leaves, n_classes)).tolist()
    return Tree.from_counts(counts, classes=[f"class {label:03}" for label in range(n_classes)])


def test_of_many_classes_the_most_frequent_are_shown() -> None:
    tree = many_classes(21, 4)
    header, root, *_ = lines = export_text(tree).splitlines()
    assert header.split() == ["n", "classes"]
    assert max(map(len, lines)) < 120
    shares = class_shares(tree)[0]
    best = np.argsort(-shares, kind="stable")[:3]
    told = ", ".join(f"class {label:03}: {shares[label]:.3f}" for label in best)
    assert f"{told} and 18 more" in root
    assert "class 007" in export_text(tree, top_classes=21).splitlines()[0]
    assert " and 20 more " in export_text(tree, top_classes=1)
    assert "more" not in export_text(Tree.from_counts([[5, 0, 0, 0, 0, 0, 1], [0, 2, 0, 0, 0, 0, 0]]), top_classes=4)


def on_screen(tree: Tree, width: int) -> View:
    return replace(view(tree), width=width)


def test_a_narrow_screen_gets_fewer_classes_and_folded_lines() -> None:
    tree = many_classes(100, 3)
    widths = {width: export_text(on_screen(tree, width)).splitlines() for width in (30, 60, 90, 200)}
    assert widths[200] == export_text(tree).splitlines()
    assert widths[90] == export_text(tree, top_classes=1).splitlines()
    assert widths[30] == ["   n", *(line for line in export_text(on_screen(tree, 30), top_classes=0).splitlines()[1:])]
    for width, lines in widths.items():
        assert max(map(len, lines)) <= width
    assert "and 97 more" in export_text(on_screen(tree, 60), top_classes=3)


def test_a_folded_line_goes_on_behind_the_branches() -> None:
    tree = Tree.from_counts([[[12, 0], [3, 5]], [4, 4]], classes=("good old times", "bad"))
    assert export_text(on_screen(tree, 31), top_classes=0).splitlines() == [
        " n",
        "28  all rows",
        "20  |- test 0",
        "12  |  |- test 1: P(good old",
        "    |  |    times)=1.00",
        " 8  |  |- not test 1:",
        "    |  |    P(bad)=0.62",
        " 8  |- not test 0: P(good old",
        "    |    times)=0.50",
    ]


def test_the_probability_of_one_class_is_told_where_it_is_asked_for() -> None:
    tree = Tree.from_counts([[990, 10], [90, 8]], classes=("alive", "died"))
    told = view(tree).about("died")
    lines = export_text(told).splitlines()
    assert lines[2].endswith("|- test 0: P(died)=0.010")
    assert lines[3].endswith("|- not test 0: P(died)=0.082")
    assert export_text(told, percent=True).splitlines()[3].endswith("P(died)=8.2%")
    assert export_text(told, decimals=2).splitlines()[3].endswith("P(died)=0.08")
    assert rules(told) == [
        "if test 0 then P(died)=0.010 (n=1000)",
        "if not test 0 then P(died)=0.082 (n=98)",
    ]
    assert rules(view(Tree.from_counts([3, 1])).about(1)) == ["always P(1)=0.25 (n=4)"]
    with pytest.raises(ValueError, match="Unknown class 'dead'; valid names are alive, died"):
        view(tree).about("dead")


def test_depth_and_digits_are_as_asked_for() -> None:
    tree = Tree.from_counts([[[[12, 0], [3, 5]], [1, 2]], [999, 1]], classes=("good", "bad"))
    assert [re.split(r"\d  (?=[a|])", line)[1] for line in export_text(tree, max_depth=1).splitlines()[1:]] == [
        "all rows",
        "|- test 0: P(good)=0.70, more below",
        "|- not test 0: P(good)=0.999",
    ]
    assert export_text(tree, max_depth=0).splitlines()[1].endswith("all rows: P(good)=0.99, more below")
    assert export_text(tree, max_depth=9) == export_text(tree)
    assert "1000  0.99900  0.00100  |- not test 0: P(good)=0.99900" in export_text(tree, decimals=5)
    assert "   3   33%  67%  |  |- not test 1: P(bad)=67%" in export_text(tree, decimals=0, percent=True)
    assert "P(good)=99.9%" in export_text(tree, percent=True)


@pytest.mark.parametrize(("name", "value"), [("max_depth", -1), ("decimals", 1.5), ("top_classes", -1)])
def test_bad_options_are_refused(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"The '{name}' must be a whole number of at least"):
        export_text(Tree.from_counts([3, 1]), **{name: value})


def test_a_leaf_that_contradicts_its_counts_says_why() -> None:
    tree = Tree.from_counts([[2, 1], [20, 60]], classes=("yes", "no"))
    smoothed = np.array([[0.3, 0.7], [0.45, 0.55], [0.25, 0.75]])
    reason = "yes is more frequent in its 3 cases, too few to outweigh the rest of the tree"
    assert f"|- test 0: P(no)=0.55 ({reason})" in export_text(tree, probabilities=smoothed)
    assert rules(tree, probabilities=smoothed) == [
        f"if test 0 then P(no)=0.55 (n=3; {reason})",
        "if not test 0 then P(no)=0.75 (n=80)",
    ]
    assert "more frequent" not in export_text(tree)


def test_base_rates_that_contradict_the_counts_of_a_leaf_are_the_reason() -> None:
    X = {"size": np.repeat([1, 2], 10)}
    model = plain_classifier().fit(X, np.repeat(["well", "ill"], 10)).set_base_rates({"ill": 0.001, "well": 0.999})
    assert rules(model)[1].endswith(
        "(n=10; ill is more frequent in its 10 cases, but not at the base rates that were set)"
    )


def test_the_direction_of_a_column_that_contradicts_the_counts_of_a_leaf_is_the_reason() -> None:
    x = np.repeat([0, 1, 1], [100, 20, 100])
    home = np.repeat(["own", "rent", "own"], [100, 20, 100])
    y = np.repeat(["no", "yes", "no", "yes"], [30, 70, 20, 100])
    model = plain_classifier(monotonic_cst={"x": 1}, first_test="x").fit({"x": x, "home": home}, y)
    reason = (
        "no is more frequent in its 20 cases, but the rest of the tree, or the direction of a column, outweighs them"
    )
    assert [reason in rule for rule in rules(model)].count(True) == 1
