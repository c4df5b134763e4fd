"""Rules: one line a leaf, and exactly what the path asks."""

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from tests.random_trees import COLUMNS, THRESHOLDS, chain, option_tree, trees

from petree.conditions import EQUALS, IN, THRESHOLD, Conditions, Equals
from petree.reading import rules
from petree.tree import Tree, assemble

GRADES = COLUMNS[2].categories
COLOURS = COLUMNS[1].categories


def threshold_chain(*tests: tuple[int, float, int]) -> Tree:
    """Each test stands below the first branch of the one before."""
    n_nodes = 2 * len(tests) + 1
    column, value, missing = zip(*tests, strict=True)
    conditions = Conditions.from_arrays(COLUMNS, [THRESHOLD] * len(tests), column, value, missing)
    counts = np.ones((n_nodes, 2))
    owners = np.array([max(2 * i - 1, 0) for i in range(len(tests))])
    return assemble(
        counts, counts.sum(1), np.ones(n_nodes), owners, np.full(len(tests), 2), conditions, ("good", "bad")
    )


def plain_paths(tree: Tree, node: int = 0, path: tuple = ()):
    """The tests and branches above every leaf, in reading order."""
    view = tree.node(node)
    if view.is_leaf:
        yield path
    for condition, children in zip(view.conditions, view.children, strict=True):
        for branch, child in enumerate(children):
            yield from plain_paths(tree, child, (*path, (condition, branch)))


def passes(row: tuple, path: tuple) -> bool:
    """Whether a row (size, grade; None if missing) goes this way."""
    for condition, branch in path:
        value = row[0] if condition.column.name == "size (cm)" else row[1]
        taken = condition.missing if value is None else int(value >= condition.threshold)
        if taken != branch:
            return False
    return True


def number(text: str) -> float:
    return float(GRADES.index(text)) if text in GRADES else float(text)


def holds(row: tuple, rule: str) -> bool:
    """The same, read from the text of the rule."""
    premise = re.fullmatch(r"(?:if (.*) then|always) P\((?:good|bad)\)=[\d.]+ \(n=\d+\)", rule).group(1)
    for clause in premise.split(" and ") if premise else []:
        takes_missing = clause.rstrip(")").endswith(" or missing")
        clause = clause.removeprefix("(").removesuffix(")").removesuffix(" or missing")
        lower, upper = -np.inf, np.inf
        if match := re.fullmatch(r"(\S+) <= (.+) < (\S+)", clause):
            lower, name, upper = number(match[1]), match[2], number(match[3])
        else:
            name, sign, bound = re.fullmatch(r"(.+) (<|>=) (\S+)", clause).groups()
            lower, upper = (lower, number(bound)) if sign == "<" else (number(bound), upper)
        value = row[0] if name == "size (cm)" else row[1]
        if not (takes_missing if value is None else lower <= value < upper):
            return False
    return True


@given(trees(kinds=(THRESHOLD,), most_splits=10))
def test_a_rule_holds_for_exactly_the_rows_of_its_leaf(tree: Tree) -> None:
    written, paths = rules(tree), list(plain_paths(tree))
    assert len(written) == len(paths) == tree.n_leaves
    sizes = [None, *THRESHOLDS, *(np.nextafter(t, -np.inf) for t in THRESHOLDS)]
    for row in product(sizes, [None, 0, 1, 2]):
        assert [holds(row, rule) for rule in written] == [passes(row, path) for path in paths]


@given(trees())
def test_the_rows_and_the_class_of_every_leaf_are_told(tree: Tree) -> None:
    told = sorted(int(re.search(r"\(n=(\d+)\)$", rule).group(1)) for rule in rules(tree))
    assert told == sorted(tree.sizes[tree.is_leaf].tolist())
    for rule in rules(tree):
        assert re.search(r" P\((good|bad)\)=[01]\.\d+ \(n=", rule)


@pytest.mark.parametrize(
    ("tests", "premise"),
    [
        ([(0, 5, -1), (0, 3, -1)], "size (cm) < 3"),
        ([(0, 3, -1), (0, 5, -1)], "size (cm) < 3"),
        ([(0, 5, 0), (0, 3, 0)], "size (cm) < 3 or missing"),
        ([(0, 5, 0), (0, 3, 1)], "size (cm) < 3"),
        ([(0, 5, 0), (2, 1.5, -1)], "(size (cm) < 5 or missing) and grade < high"),
    ],
)
def test_bounds_are_drawn_together(tests: list, premise: str) -> None:
    assert rules(threshold_chain(*tests))[0] == f"if {premise} then P(good)=0.50 (n=2)"


def test_an_interval_is_written_as_one() -> None:
    tree = threshold_chain((0, 3, -1), (0, 1, -1))
    assert rules(tree)[1] == "if 1 <= size (cm) < 3 then P(good)=0.50 (n=2)"


def test_categories_are_drawn_together() -> None:
    conditions = Conditions.from_arrays(COLUMNS, [EQUALS, EQUALS], [1, 1], [0, 1], [-1, 0])
    counts = np.array([[5, 4], [2, 0], [3, 4], [3, 1], [0, 3]])
    tree = assemble(counts, counts.sum(1), np.ones(5), np.array([0, 2]), np.array([2, 2]), conditions, ("good", "bad"))
    assert rules(tree) == [
        "if colour = red then P(good)=1.00 (n=2)",
        "if colour = green then P(good)=0.75 (n=4)",
        "if colour = blue then P(bad)=1.00 (n=3)",
    ]


def colours_of(rule: str) -> set[str | None]:
    """The colours for which a rule holds, read from its text; None is a missing one."""
    clause = re.fullmatch(r"(?:if (.*) then|always) .*", rule).group(1)
    if clause is None:
        return {*COLOURS, None}
    missing = {None} if clause.endswith(" or missing") else set()
    relation, listed = re.fullmatch(r"colour (=|!=|in|not in) (.*)", clause.removesuffix(" or missing")).groups()
    named = set(filter(None, listed.strip("{}").split(", ")))
    return (named if relation in ("=", "in") else set(COLOURS) - named) | missing


def colours_on(path: tuple) -> set[str | None]:
    """The same by the tests of the path."""
    left: set[str | None] = {*COLOURS, None}
    for condition, branch in path:
        codes = (condition.code,) if isinstance(condition, Equals) else condition.codes
        inside = {COLOURS[code] for code in codes}
        taken = inside if branch == 0 else set(COLOURS) - inside
        left &= taken | ({None} if condition.missing == branch else set())
    return left


@given(trees(kinds=(EQUALS, IN), most_splits=8))
def test_sets_of_a_path_are_one_set(tree: Tree) -> None:
    assert [colours_of(rule) for rule in rules(tree)] == [colours_on(path) for path in plain_paths(tree)]


def test_a_single_leaf_is_always_so() -> None:
    assert rules(Tree.from_counts([3, 1], classes=("a", "b"))) == ["always P(a)=0.75 (n=4)"]


def test_bounds_stand_behind_the_probability_of_the_class_that_is_told() -> None:
    tree = Tree.from_counts([[12, 0], [3, 5]], classes=("good", "bad"))
    bounds = [[0.5, 0.1], [0.9, 0], [0.1, 0.2]], [[0.9, 0.3], [1, 0.25], [0.6, 0.9996]]
    assert rules(tree, bounds=bounds) == [
        "if test 0 then P(good)=1.00 [0.90, 1.00] (n=12)",
        "if not test 0 then P(bad)=0.62 [0.20, 0.9996] (n=8)",
    ]
    with pytest.raises(ValueError, match=r"needs bounds of shape \(3, 2\), got \(2,\)"):
        rules(tree, bounds=([0, 0], [1, 1]))


def test_option_trees_are_refused() -> None:
    with pytest.raises(ValueError, match="no single path to a leaf; read it with export_text"):
        rules(option_tree())


def test_a_deep_tree_has_its_rules() -> None:
    written = rules(chain(1500))
    assert len(written) == 1501
    assert written[-1].count(" and ") == 1499
