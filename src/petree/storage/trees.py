"""A tree as JSON: one line a node, holding its class counts and then its tests.

A leaf of three classes is ``[50,0,0]``; an inner node ``[0,49,5,["<",3,1.75]]``. A test is its sign, the number
of its column, its value where it has one and the branch of missing values where the node saw any. Nodes are numbered
level by level, so the children need naming only in a tree of another shape.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain
from reprlib import repr as short
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.columns import NOMINAL, ORDERED, Column
from petree.conditions import EQUALS, IN, IS_MISSING, MULTIWAY, QUERY, THRESHOLD, UNSEEN, Conditions
from petree.storage.pruning import read_reasons, write_reasons
from petree.storage.values import DamagedFileError, encode, is_number, is_whole, lines, named_lines, require
from petree.tree import Tree, assemble, ranges

_SIGNS = {THRESHOLD: "<", EQUALS: "=", IN: "in", MULTIWAY: "each", IS_MISSING: "missing", QUERY: "query"}
_KINDS = {sign: kind for kind, sign in _SIGNS.items()}
_HAS_VALUE = (THRESHOLD, EQUALS, IN, QUERY)
_LARGEST_WHOLE = 2**53  # beyond it not every whole number is a float


# -- writing --------------------------------------------------------------------------------------------------


def write_tree(tree: Tree, columns: tuple[Column, ...]) -> dict[str, str]:
    """The fields of the tree, each as JSON text; its tests are about these columns."""
    if tree.conditions.columns != columns and (tree.conditions.kind != QUERY).any():
        raise ValueError("The tests of the tree are about other columns than those of the model.")
    if not (np.isfinite(tree.counts).all() and np.isfinite(tree.conditions.value).all()):
        raise ValueError("The tree holds a count or a threshold that is not finite, which a model file cannot hold.")
    fields = {"class_weight": encode(None if tree.class_weight is None else tree.class_weight.tolist())}
    is_constant = (tree.n_tests == tree.n_tests[0]).all()
    fields["n_tests"] = encode(int(tree.n_tests[0]) if is_constant else tree.n_tests.tolist())
    if not np.array_equal(tree.sizes, _usual_sizes(tree.counts)):
        fields["sizes"] = encode(tree.sizes.tolist())
    if not np.array_equal(tree.children, np.arange(1, tree.n_nodes)):
        fields["children"] = encode(tree.children.tolist())
    fields["annotations"] = named_lines({name: _write_notes(name, notes) for name, notes in tree.annotations.items()})
    if tree.split_annotations:
        notes = {name: _write_notes(name, values) for name, values in tree.split_annotations.items()}
        fields["split_annotations"] = named_lines(notes)
    if tree.pruning_log is not None:
        fields["pruning"] = write_reasons(tree.pruning_log.frontier())
    fields["nodes"] = lines(_write_nodes(tree))
    return fields


def _usual_sizes(counts: NDArray[np.float64]) -> NDArray[np.int64]:
    """The rows at each node, if every row has weight one; such sizes need not be written."""
    totals: NDArray[np.float64] = np.ascontiguousarray(counts).sum(axis=1)
    return np.rint(np.minimum(totals, _LARGEST_WHOLE)).astype(np.int64)


def _write_notes(name: str, notes: NDArray[Any]) -> str:
    if notes.dtype.kind not in "biuf" or np.isinf(notes).any():
        raise ValueError(f"The annotation '{name}' of the tree holds something other than finite numbers.")
    return encode([None if note != note else note for note in notes.tolist()])  # NaN is not equal to itself


def _write_nodes(tree: Tree) -> list[list[Any]]:
    counts = tree.counts
    are_whole = (counts == np.rint(counts)).all() and counts.max() <= _LARGEST_WHOLE
    rows: list[list[Any]] = (counts.astype(np.int64) if are_whole else counts).tolist()
    arities = _arities(tree.conditions)
    if not np.array_equal(arities, np.diff(tree.child_start)):
        raise ValueError("The tree has a split whose children are not as many as the branches of its condition.")
    for node, test in zip(tree.split_nodes.tolist(), _write_tests(tree.conditions), strict=True):
        rows[node].append(test)
    return rows


def _write_tests(conditions: Conditions) -> list[list[Any]]:
    arrays = (conditions.kind, conditions.column, conditions.value, conditions.missing)
    rows = zip(*(array.tolist() for array in arrays), strict=True)
    return [_write_test(kind, column, value, missing, conditions.extras) for kind, column, value, missing in rows]


def _write_test(kind: int, column: int, value: float, missing: int, extras: tuple[Any, ...]) -> list[Any]:
    if kind == QUERY:
        text, arity = extras[int(value)]
        test = [_SIGNS[kind], text, int(arity)]
    elif kind == IN:
        test = [_SIGNS[kind], column, [int(code) for code in extras[int(value)]]]
    elif kind in _HAS_VALUE:
        test = [_SIGNS[kind], column, value if kind == THRESHOLD else int(value)]
    else:
        test = [_SIGNS[kind], column]
    return test if missing == UNSEEN else [*test, missing]


def _arities(conditions: Conditions) -> NDArray[np.int64]:
    """Number of branches of each condition."""
    arities = np.full(len(conditions), 2)
    for row in np.flatnonzero(np.isin(conditions.kind, (MULTIWAY, QUERY))):
        arities[row] = conditions[row].n_branches
    return arities


# -- reading --------------------------------------------------------------------------------------------------


def read_tree(fields: Any, columns: tuple[Column, ...], classes: tuple[Any, ...]) -> Tree:
    """The tree that `write_tree` wrote; everything in it is checked."""
    require(isinstance(fields, dict), "the tree is not a list of named fields")
    nodes = fields.get("nodes")
    is_list = isinstance(nodes, list) and len(nodes) > 0 and set(map(type, nodes)) == {list}
    require(is_list and min(map(len, nodes)) >= len(classes), "the tree lacks its nodes, or one of them its counts")
    n_classes = len(classes)
    counts = _numbers([row[:n_classes] for row in nodes], (len(nodes), n_classes), "counts", np.float64)
    n_splits = np.array([len(row) - n_classes for row in nodes])
    conditions = _read_tests([test for row in nodes for test in row[n_classes:]], columns)
    n_children = _arities(conditions)
    children = _read_children(fields.get("children"), len(nodes), int(n_children.sum()))
    tree = assemble(
        counts,
        _per_node(fields.get("sizes", _usual_sizes(counts).tolist()), len(nodes), "sizes"),
        _per_node(fields.get("n_tests"), len(nodes), "n_tests"),
        np.repeat(np.arange(len(nodes)), n_splits),
        n_children,
        conditions,
        classes,
        _read_class_weight(fields.get("class_weight"), n_classes),
        _read_annotations(fields.get("annotations"), len(nodes), "node"),
    )
    split_annotations = _read_annotations(fields.get("split_annotations", {}), len(conditions), "split")
    tree = _connected(replace(tree, children=children, split_annotations=split_annotations))
    return tree if "pruning" not in fields else tree.with_log(read_reasons(fields["pruning"], tree.is_leaf))


def _numbers(values: list[Any], shape: tuple[int, ...], what: str, dtype: Any) -> NDArray[Any]:
    """An array of finite numbers that are not negative."""
    entries = chain.from_iterable(values) if len(shape) == 2 else values
    allowed = {int, float} if dtype is np.float64 else {int}
    require(set(map(type, entries)) <= allowed, f"the {what} of the tree are not all numbers")
    try:
        numbers = np.array(values, dtype)
    except OverflowError:
        raise DamagedFileError(f"the {what} of the tree are too large") from None
    require(numbers.shape == shape, f"the {what} of the tree are {len(values)} instead of {shape[0]}")
    is_right = bool(np.isfinite(numbers).all() and (numbers >= 0).all())
    require(is_right, f"the {what} of the tree are negative or infinite")
    return numbers


def _per_node(values: Any, n_nodes: int, what: str) -> NDArray[Any]:
    """A list with one whole number a node, or one number for all of them."""
    if is_whole(values):
        values = [values] * n_nodes
    require(isinstance(values, list), f"the tree lacks its {what}")
    return _numbers(values, (n_nodes,), what, np.int64)


def _read_class_weight(weights: Any, n_classes: int) -> NDArray[np.float64] | None:
    if weights is None:
        return None
    require(isinstance(weights, list), "the class weights are not a list")
    return _numbers(weights, (n_classes,), "class weights", np.float64)


def _read_annotations(annotations: Any, number: int, what: str) -> dict[str, NDArray[Any]]:
    require(isinstance(annotations, dict), "the tree lacks its annotations")
    return {name: _read_notes(name, notes, number, what) for name, notes in annotations.items()}


def _read_notes(name: str, notes: Any, number: int, what: str) -> NDArray[Any]:
    require(isinstance(notes, list) and len(notes) == number, f"the annotation {name!r} is not one value a {what}")
    types = set(map(type, notes))
    require(types <= {bool, int, float, type(None)}, f"the annotation {name!r} holds something other than numbers")
    kind = {frozenset({bool}): np.bool_, frozenset({int}): np.int64}.get(frozenset(types), np.float64)
    try:
        values: NDArray[Any] = np.array(notes, kind)
    except OverflowError:
        raise DamagedFileError(f"the annotation {name!r} holds too large a number") from None
    require(not np.isinf(values).any(), f"the annotation {name!r} holds too large a number")
    return values


def _read_tests(tests: list[Any], columns: tuple[Column, ...]) -> Conditions:
    extras: list[Any] = []
    rows = [_read_test(test, columns, extras) for test in tests]
    kind, column, value, missing = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Conditions.from_arrays(columns, kind, column, value, missing, extras)


def _read_test(test: Any, columns: tuple[Column, ...], extras: list[Any]) -> tuple[int, int, float, int]:
    complaint = f"{short(test)} is not a test of these columns"
    require(isinstance(test, list) and len(test) >= 2 and isinstance(test[0], str) and test[0] in _KINDS, complaint)
    kind, subject = _KINDS[test[0]], test[1]
    n_fields = 3 if kind in _HAS_VALUE else 2
    require(n_fields <= len(test) <= n_fields + 1, complaint)
    value: Any = test[2] if kind in _HAS_VALUE else 0
    missing = [*test, UNSEEN][n_fields]
    if kind == QUERY:
        require(isinstance(subject, str) and is_whole(value) and 2 <= value < 2**31, complaint)
        n_branches = value
    else:
        require(is_whole(subject) and 0 <= subject < len(columns), complaint)
        require(_fits(kind, value, columns[subject]), complaint)
        n_branches = 2 if kind != MULTIWAY else len(columns[subject].categories) + (missing != UNSEEN)
    require(is_whole(missing) and UNSEEN <= missing < n_branches and n_branches >= 2, complaint)
    if kind in (IN, QUERY):
        extras.append(tuple(value) if kind == IN else (subject, value))
        value = len(extras) - 1
    return kind, 0 if kind == QUERY else subject, value, missing


def _fits(kind: int, value: Any, column: Column) -> bool:
    """Whether a column can be tested with such a value."""
    n_categories = len(column.categories)
    if kind == THRESHOLD:
        is_finite = is_number(value) and math.isfinite(value) and column.kind != NOMINAL
        return is_finite and (column.kind != ORDERED or 0 <= math.ceil(value) < n_categories)
    if kind in (EQUALS, IN):
        codes = value if kind == IN else [value]
        return isinstance(codes, list) and all(is_whole(code) and 0 <= code < n_categories for code in codes)
    return True


def _read_children(children: Any, n_nodes: int, n_children: int) -> NDArray[np.int32]:
    """The children that the file names, or else all nodes but the root in their order."""
    if children is None:
        children = list(range(1, n_nodes))
    require(isinstance(children, list), "the children of the tree are not a list")
    require(len(children) == n_children, f"the tests of the tree ask for {n_children} children, not {len(children)}")
    return _numbers(children, (n_children,), "children", np.int32)


def _connected(tree: Tree) -> Tree:
    """The tree, if children come after their parents, siblings together, and every node but the root is a child."""
    n_siblings = np.diff(tree.child_start)
    is_ordered = bool((tree.children > np.repeat(tree.split_nodes, n_siblings)).all())
    require(
        is_ordered and np.array_equal(np.unique(tree.children), np.arange(1, tree.n_nodes)),
        "the tests of the tree do not lead to each of its nodes, parents before children",
    )
    firsts = tree.children[tree.child_start[:-1]]
    are_together = np.array_equal(tree.children, ranges(firsts, firsts + n_siblings))
    require(tree.is_dag or are_together, "siblings of the tree do not stand side by side")
    return tree
