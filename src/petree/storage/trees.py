"""A tree as JSON: one line per node, holding its class counts and then its tests.

A leaf of three classes is ``[50,0,0]``; an inner node ``[0,49,5,["<",3,1.75]]``. A test is its sign, the number
of its column, its value where it has one and the branch of missing values where the node saw any. Nodes are numbered
level by level, so the children need naming only in a tree of another shape.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from petree.columns import Column
from petree.conditions import EQUALS, IN, IS_MISSING, MULTIWAY, QUERY, THRESHOLD, UNSEEN, Conditions
from petree.storage.arrays import read_matrix, read_numbers
from petree.storage.invariants.columns import LARGEST_WHOLE
from petree.storage.invariants.nodes import do_add_up
from petree.storage.invariants.tests import branches
from petree.storage.pruning import read_reasons, write_reasons
from petree.storage.surrogates import read_surrogates, write_surrogates
from petree.storage.values import (
    DamagedFileError,
    Json,
    Record,
    as_list,
    as_record,
    encode,
    is_number,
    is_whole,
    named_lines,
    require,
    short,
)
from petree.tree import Surrogates, Tree, assemble

_SIGNS = {THRESHOLD: "<", EQUALS: "=", IN: "in", MULTIWAY: "each", IS_MISSING: "missing", QUERY: "query"}
_KINDS = {sign: kind for kind, sign in _SIGNS.items()}
_HAS_VALUE = (THRESHOLD, EQUALS, IN, QUERY)
_LARGEST_INDEX = 2**31
_FIELDS = {"class_weight", "n_tests", "annotations", "nodes"}
_MORE_FIELDS = {"sizes", "children", "counts_replaced", "split_annotations", "pruning", "surrogates"}


# -- writing --------------------------------------------------------------------------------------------------


def write_tree(tree: Tree) -> dict[str, str]:
    """The fields of the tree, each as JSON text."""
    fields = {"class_weight": encode(None if tree.class_weight is None else tree.class_weight.tolist())}
    is_constant = (tree.n_tests == tree.n_tests[0]).all()
    fields["n_tests"] = encode(int(tree.n_tests[0]) if is_constant else tree.n_tests.tolist())
    if not np.array_equal(tree.sizes, _usual_sizes(tree.counts)):
        fields["sizes"] = encode(tree.sizes.tolist())
    if not np.array_equal(tree.children, np.arange(1, tree.n_nodes)):
        fields["children"] = encode(tree.children.tolist())
    if not do_add_up(tree):
        fields["counts_replaced"] = encode(True)
    fields["annotations"] = _write_annotations(tree.annotations)
    if tree.split_annotations:
        fields["split_annotations"] = _write_annotations(tree.split_annotations)
    if tree.surrogates is not None:
        fields["surrogates"] = write_surrogates(tree.surrogates, _write_tests(tree.surrogates.tests))
    if tree.pruning_log is not None:
        fields["pruning"] = write_reasons(tree.pruning_log.frontier())
    fields["nodes"] = _write_nodes(tree)
    return fields


def _usual_sizes(counts: NDArray[np.float64]) -> NDArray[np.int64]:
    """The rows at each node, if every row has weight one; such sizes need not be written."""
    totals: NDArray[np.float64] = np.ascontiguousarray(counts).sum(axis=1)
    return np.rint(np.minimum(totals, LARGEST_WHOLE)).astype(np.int64)


def _write_annotations(annotations: Mapping[str, NDArray[Any]]) -> str:
    """One line a name; NaN, which is not equal to itself, is null."""
    notes = {name: [None if note != note else note for note in values.tolist()] for name, values in annotations.items()}
    return named_lines({name: encode(values) for name, values in notes.items()})


def _write_nodes(tree: Tree) -> str:
    """One line per node; all counts become text at once, since to write each node by itself takes twice as long."""
    counts = tree.counts
    are_whole = (counts == np.rint(counts)).all() and counts.max() <= LARGEST_WHOLE
    rows = encode((counts.astype(np.int64) if are_whole else counts).tolist())[2:-2].split("],[")
    for node, test in zip(tree.split_nodes.tolist(), _write_tests(tree.conditions), strict=True):
        rows[node] += f",{test}"
    return "[\n[" + "],\n[".join(rows) + "]\n]"


def _write_tests(conditions: Conditions) -> list[str]:
    arrays = (conditions.kind, conditions.column, conditions.value, conditions.missing)
    rows = zip(*(array.tolist() for array in arrays), strict=True)
    return [_write_test(kind, column, value, missing, conditions.extras) for kind, column, value, missing in rows]


def _write_test(kind: int, column: int, value: float, missing: int, extras: tuple[Any, ...]) -> str:
    start = f'["{_SIGNS[kind]}"'
    end = "]" if missing == UNSEEN else f",{missing}]"
    if kind == QUERY:
        text, arity = extras[int(value)]
        return f"{start},{encode(text)},{arity}{end}"
    if kind == THRESHOLD:
        return f"{start},{column},{value!r}{end}"
    if kind == EQUALS:
        return f"{start},{column},{int(value)}{end}"
    codes = f",{encode([int(code) for code in extras[int(value)]])}" if kind == IN else ""
    return f"{start},{column}{codes}{end}"


# -- reading --------------------------------------------------------------------------------------------------


def read_tree(data: Json, columns: tuple[Column, ...], classes: tuple[Any, ...]) -> Tree:
    """The tree that `write_tree` wrote; whether it makes sense is for the invariants to say."""
    fields = as_record(data, "the tree is not a list of named fields")
    n_classes = len(classes)
    complaint = "the tree lacks its nodes, or one of them its counts"
    nodes = cast(list[list[Json]], as_list(fields.get("nodes"), complaint))
    require(set(map(type, nodes)) == {list} and min(map(len, nodes)) >= n_classes, complaint)
    _check_fields(fields)
    counts = read_matrix([row[:n_classes] for row in nodes], (len(nodes), n_classes), "counts of the tree")
    n_splits = np.array([len(row) - n_classes for row in nodes])
    conditions = _read_tests([test for row in nodes for test in row[n_classes:]], columns)
    n_children = branches(conditions)
    children = _read_children(fields.get("children"), len(nodes), int(n_children.sum()))
    tree = assemble(
        counts,
        _per_node(fields.get("sizes", _usual_sizes(counts).tolist()), len(nodes), "sizes"),
        _per_node(fields.get("n_tests"), len(nodes), "n_tests"),
        np.repeat(np.arange(len(nodes)), n_splits),
        n_children,
        conditions,
        classes,
    )
    weights = fields.get("class_weight")
    surrogates = fields.get("surrogates")
    tree = replace(
        tree,
        children=children,
        class_weight=None if weights is None else read_numbers(weights, n_classes, "class weights of the tree"),
        annotations=_read_annotations(fields.get("annotations"), len(nodes), "node"),
        split_annotations=_read_annotations(fields.get("split_annotations", {}), len(conditions), "split"),
        surrogates=None if surrogates is None else _read_surrogates(surrogates, conditions),
    )
    return tree if "pruning" not in fields else tree.with_log(read_reasons(fields["pruning"], tree.is_leaf))


def _check_fields(fields: Record) -> None:
    for name in sorted(_FIELDS - fields.keys()):
        require(False, f"the tree lacks its {name}")
    unknown = sorted(fields.keys() - _FIELDS - _MORE_FIELDS)
    require(not unknown, f"the tree has no fields {short(unknown)}")
    is_replaced = fields.get("counts_replaced", False)
    require(isinstance(is_replaced, bool), "the tree does not say whether its counts were replaced")


def _per_node(values: Json, n_nodes: int, what: str) -> NDArray[Any]:
    """A list with one whole number a node, or one number for all of them."""
    if is_whole(values):
        values = [values] * n_nodes
    return read_numbers(values, n_nodes, f"{what} of the tree", np.int64)


def _read_annotations(annotations: Json, number: int, what: str) -> dict[str, NDArray[Any]]:
    named = as_record(annotations, "the annotations of the tree have no names")
    return {name: _read_notes(name, notes, number, what) for name, notes in named.items()}


def _read_notes(name: str, values: Json, number: int, what: str) -> NDArray[Any]:
    notes = as_list(values, f"the annotation {short(name)} is not one value a {what}", number)
    types = set(map(type, notes))
    allowed = {bool, int, float, type(None)}
    require(types <= allowed, f"the annotation {short(name)} holds something other than numbers")
    kind = {frozenset({bool}): np.bool_, frozenset({int}): np.int64}.get(frozenset(types), np.float64)
    try:
        return np.array(notes, kind)
    except OverflowError:
        raise DamagedFileError(f"the annotation {short(name)} holds too large a number") from None


def _read_tests(tests: list[Json], columns: tuple[Column, ...]) -> Conditions:
    extras: list[Any] = []
    rows = [_read_test(test, len(columns), extras) for test in tests]
    if None in rows:
        raise DamagedFileError(f"{short(tests[rows.index(None)])} is not a test of these columns")
    kind, column, value, missing = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Conditions.from_arrays(columns, kind, column, value, missing, extras)


def _read_surrogates(data: Json, conditions: Conditions) -> Surrogates:
    return read_surrogates(data, len(conditions), lambda tests: _read_tests(tests, conditions.columns))


def _read_test(test: Json, n_columns: int, extras: list[Any]) -> tuple[int, int, float, int] | None:
    """Kind, column, value and branch of missing values; what a column does not allow is found later."""
    if not isinstance(test, list) or not test or not isinstance(test[0], str):
        return None
    kind = _KINDS.get(test[0])
    n_fields = 3 if kind in _HAS_VALUE else 2
    if kind is None or not n_fields <= len(test) <= n_fields + 1:
        return None
    subject: Any = test[1]
    value: Any = test[2] if n_fields == 3 else 0
    missing: Any = [*test, UNSEEN][n_fields]
    is_subject = _is_text(subject) if kind == QUERY else _is_index(subject) and subject < n_columns
    if not is_subject or not _is_value(kind, value) or not _is_index(missing, UNSEEN):
        return None
    if kind in (IN, QUERY):
        extras.append(tuple(value) if kind == IN else (subject, value))
        value = len(extras) - 1
    return kind, 0 if kind == QUERY else subject, value, missing


def _is_value(kind: int, value: Json) -> bool:
    if kind == IN:
        return isinstance(value, list) and all(map(_is_index, value))
    return is_number(value) if kind == THRESHOLD else _is_index(value)


def _is_text(value: Json) -> bool:
    return isinstance(value, str) and value.strip() != ""


def _is_index(value: Json, least: int = 0) -> bool:
    return type(value) is int and least <= value < _LARGEST_INDEX


def _read_children(named: Json, n_nodes: int, n_children: int) -> NDArray[np.int32]:
    """The children that the file names, or else all nodes but the root in their order."""
    given = list(range(1, n_nodes)) if named is None else named
    children = as_list(given, "the children of the tree are not a list")
    require(len(children) == n_children, f"the tests of the tree ask for {n_children} children, not {len(children)}")
    return read_numbers(children, n_children, "children of the tree", np.int32)
