"""Trees of every shape and with every kind of condition, made without growing them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from petree.columns import NOMINAL, NUMBER, ORDERED, Column
from petree.conditions import EQUALS, IN, IS_MISSING, MULTIWAY, QUERY, THRESHOLD, UNSEEN, Conditions
from petree.tree import Tree, assemble

COLUMNS = (
    Column("size (cm)", NUMBER),
    Column("colour", NOMINAL, ("red", "green", "blue")),
    Column("grade", ORDERED, ("low", "middle", "high")),
)
THRESHOLDS = (-1.5, 0.0, 0.1 + 0.2, 1 / 3, 2.0, 5e-324, 1.7e308)
TESTS: dict[int, tuple[int, Any]] = {
    THRESHOLD: (0, st.sampled_from(THRESHOLDS)),
    EQUALS: (1, st.integers(0, 2)),
    IN: (1, st.lists(st.integers(0, 2), min_size=1, max_size=2, unique=True).map(tuple)),
    MULTIWAY: (1, st.just(0)),
    IS_MISSING: (0, st.just(0)),
    QUERY: (0, st.just(("has a parent who is tall", 3))),
}


@st.composite
def trees(draw: Any, kinds: tuple[int, ...] = tuple(TESTS), most_splits: int = 6) -> Tree:
    """A random tree numbered level by level."""
    owners, tests, extras, n_nodes, node = [], [], [], 1, 0
    while node < n_nodes and len(owners) < most_splits:
        if draw(st.booleans()):
            test, arity = draw(_tests(kinds, extras))
            owners.append(node)
            tests.append((*test, arity))
            n_nodes += arity
        node += 1
    kind, column, value, missing, arities = np.array(tests, float).reshape(-1, 5).T
    number = st.integers(0, 50) if draw(st.booleans()) else st.floats(0, 1e6)
    counts = np.array(draw(st.lists(st.tuples(number, number), min_size=n_nodes, max_size=n_nodes)), float)
    is_inner = np.isin(np.arange(n_nodes), owners)
    tree = assemble(
        counts,
        np.rint(counts.sum(axis=1)) + draw(st.sampled_from((0, 1))),
        np.arange(n_nodes) if draw(st.booleans()) else np.full(n_nodes, 7),
        np.array(owners, np.intp),
        arities.astype(np.intp),
        Conditions.from_arrays(COLUMNS, kind, column, value, missing, extras),
        ("good", "bad"),
    )
    class_weight = np.array([1.0, 2.5]) if draw(st.booleans()) else None
    gain = np.where(is_inner, 1 / (1 + np.arange(n_nodes)), np.nan)
    return replace(tree, class_weight=class_weight, annotations={"gain": gain, "tries": np.arange(n_nodes)})


@st.composite
def _tests(draw: Any, kinds: tuple[int, ...], extras: list[Any]) -> tuple[tuple[float, ...], int]:
    kind = draw(st.sampled_from(kinds))
    column, values = TESTS[kind]
    value, is_seen = draw(values), draw(st.booleans())
    arity = 3 if kind == QUERY else 3 + is_seen if kind == MULTIWAY else 2
    missing = UNSEEN if not is_seen else 3 if kind == MULTIWAY else draw(st.integers(0, arity - 1))
    if kind == THRESHOLD and draw(st.booleans()):
        column, value = 2, draw(st.sampled_from((0.5, 1.5)))
    if kind in (IN, QUERY):
        extras.append(value)
        value = len(extras) - 1
    return (kind, column, value, missing), arity


ROUTABLE = tuple(kind for kind in TESTS if kind != QUERY)


def small_tree() -> Tree:
    """Three thresholds and four leaves."""
    counts = np.array([[22, 18], [15, 5], [7, 13], [12, 0], [3, 5], [1, 9], [6, 4]])
    conditions = Conditions.from_arrays(COLUMNS, [THRESHOLD] * 3, [0, 0, 2], [0.1 + 0.2, -1.5, 1.5], [0, UNSEEN, 1])
    return assemble(counts, counts.sum(1), np.full(7, 6), np.arange(3), np.full(3, 2), conditions, ("bad", "good"))


def chain(depth: int) -> Tree:
    """Tests upon tests: the left child is always a leaf."""
    n_nodes = 2 * depth + 1
    owners = np.arange(0, 2 * depth, 2)
    counts = np.column_stack((np.full(n_nodes, 3), np.arange(n_nodes)))
    texts = [(f"test {owner}", 2) for owner in owners]
    return assemble(
        counts, counts.sum(axis=1), np.ones(n_nodes), owners, np.full(depth, 2), Conditions.queries(texts), ("a", "b")
    )


def option_tree() -> Tree:
    """Two options at the root that share their last leaf."""
    tree = Tree.from_counts([[4, 1], [2, 3], [6, 0], [0, 4]], classes=("good", "bad"))
    return replace(
        tree,
        split_start=np.array([0, 2, 2, 2, 2, 2], np.int32),
        child_start=np.array([0, 2, 5], np.int32),
        children=np.array([1, 4, 2, 3, 4], np.int32),
        conditions=Conditions.queries([("first", 2), ("second", 3)]),
    )
