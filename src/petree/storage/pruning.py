"""Why a tree was pruned as JSON: one line for each node that had another test before.

A line is ``[12,"size < 3.5",2,2.1,9.55]``: the node, the test that stood there, the number of leaves below it, and the
statistic and the threshold that decided. Whether a leaf or a branch stands there now is to be seen in the tree. A node
that was closed before a test was sought has an empty text and 1 leaf. One that a person cut has NaN for both numbers
and stands in `by_hand`; `notes` are sentences about the whole tree.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.pruning.engine.log import BY_HAND, CLOSED, CUT, RAISED, Reasons
from petree.storage.values import (
    Json,
    as_list,
    as_record,
    as_text,
    encode,
    is_number,
    is_whole,
    lines,
    named_lines,
    read_value,
    require,
    short,
    write_value,
)


def write_reasons(reasons: Reasons) -> str:
    """What is kept of a pruning log, as JSON text."""
    statistic = [write_value(value, "A number of the pruning log") for value in reasons.statistic.tolist()]
    threshold = [write_value(value, "A number of the pruning log") for value in reasons.threshold.tolist()]
    rows = zip(reasons.nodes.tolist(), reasons.tests, reasons.n_leaves.tolist(), statistic, threshold, strict=True)
    fields = {"criterion": encode(reasons.criterion), "names": encode(reasons.names), "nodes": lines(map(list, rows))}
    cut = [node for node, outcome in zip(reasons.nodes.tolist(), reasons.outcomes, strict=True) if outcome == BY_HAND]
    fields |= {"by_hand": encode(cut)} if cut else {}
    return named_lines(fields | ({"notes": encode(reasons.notes)} if reasons.notes else {}))


def read_reasons(data: Json, is_leaf: NDArray[np.bool_]) -> Reasons:
    """What `write_reasons` wrote, of a tree with these leaves."""
    complaint = "its pruning is not a record with a criterion"
    fields = as_record(data, complaint)
    require(fields.keys() - {"by_hand", "notes"} == {"criterion", "names", "nodes"}, complaint)
    criterion = as_text(fields["criterion"], complaint)
    complaint = "the names in its pruning are not two texts"
    statistic_name, threshold_name = (as_text(name, complaint) for name in as_list(fields["names"], complaint, 2))
    rows = [_read_row(row, is_leaf) for row in as_list(fields["nodes"], "the nodes in its pruning are not a list")]
    nodes, tests, n_leaves, statistic, threshold = zip(*rows, strict=True) if rows else ((),) * 5
    require(all(np.diff(nodes) > 0), "the nodes in its pruning do not ascend")
    undecided = [node for node, test, _, *numbers in rows if test and is_leaf[node] and np.isnan(numbers).all()]
    cut = _read_by_hand(fields.get("by_hand", []), undecided)
    complaint = "the notes in its pruning are not texts"
    notes = tuple(as_text(note, complaint) for note in as_list(fields.get("notes", []), complaint))
    return Reasons(
        criterion,
        (statistic_name, threshold_name),
        np.array(nodes, np.intp),
        tests,
        np.array(n_leaves, np.int64),
        np.array(statistic, np.float64),
        np.array(threshold, np.float64),
        tuple(
            BY_HAND if node in cut else RAISED if not is_leaf[node] else CUT if test else CLOSED
            for node, test in zip(nodes, tests, strict=True)
        ),
        notes,
    )


def _read_by_hand(data: Json, undecided: list[int]) -> set[int]:
    """The nodes that a person cut, of those that no number has decided on."""
    complaint = "a node that was cut by hand is no leaf of its pruning, or a number has decided on it"
    nodes = [node for node in as_list(data, complaint) if is_whole(node) and node in undecided]
    require(len(nodes) == len(as_list(data, complaint)) == len(set(nodes)), complaint)
    return set(nodes)


def _read_row(row: Json, is_leaf: NDArray[np.bool_]) -> list[Any]:
    complaint = f"{short(row)} does not say what stood at a node"
    node, test, n_leaves, *numbers = [read_value(value) for value in as_list(row, complaint, 5)]
    is_node = is_whole(node) and 0 <= node < len(is_leaf)
    require(is_node and isinstance(test, str) and is_whole(n_leaves), complaint)
    require(n_leaves >= 2 if test else n_leaves == 1 and is_leaf[node], complaint)
    require(all(map(is_number, numbers)), complaint)
    return [node, test, n_leaves, *numbers]
