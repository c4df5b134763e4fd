"""Why a tree was pruned as JSON: one line for each node that had another test before.

A line is ``[12,"size < 3.5",2,2.1,9.55]``: the node, the test that stood there, the number of leaves below it, and the
statistic and the threshold that decided. Whether a leaf or a branch stands there now is to be seen in the tree. A node
that was closed before a test was sought has an empty text and 1 leaf. What a person did stands in `by_hand`: the nodes
that were cut, which have no numbers, and sentences about the whole tree.
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
    if cut or reasons.notes:
        fields["by_hand"] = encode({"nodes": cut, "notes": reasons.notes})
    return named_lines(fields)


def read_reasons(data: Json, is_leaf: NDArray[np.bool_]) -> Reasons:
    """What `write_reasons` wrote, of a tree with these leaves."""
    complaint = "its pruning is not a record with a criterion"
    fields = as_record(data, complaint)
    require(fields.keys() - {"by_hand"} == {"criterion", "names", "nodes"}, complaint)
    criterion = as_text(fields["criterion"], complaint)
    complaint = "the names in its pruning are not two texts"
    statistic_name, threshold_name = (as_text(name, complaint) for name in as_list(fields["names"], complaint, 2))
    rows = [_read_row(row, is_leaf) for row in as_list(fields["nodes"], "the nodes in its pruning are not a list")]
    nodes, tests, n_leaves, statistic, threshold = zip(*rows, strict=True) if rows else ((),) * 5
    require(all(np.diff(nodes) > 0), "the nodes in its pruning do not ascend")
    cut, notes = _read_by_hand(fields.get("by_hand", {"nodes": [], "notes": []}))
    is_by_hand = [node in cut for node in nodes]
    told = zip(nodes, tests, statistic, strict=True)
    undecided = {node for node, test, found in told if test and is_leaf[node] and np.isnan(found)}
    require(cut <= undecided, "a node in its pruning that was cut by hand is not there, no leaf, or has a statistic")
    return Reasons(
        criterion,
        (statistic_name, threshold_name),
        np.array(nodes, np.intp),
        tests,
        np.array(n_leaves, np.int64),
        np.array(statistic, np.float64),
        np.array(threshold, np.float64),
        tuple(
            BY_HAND if by_hand else RAISED if not is_leaf[node] else CUT if test else CLOSED
            for node, test, by_hand in zip(nodes, tests, is_by_hand, strict=True)
        ),
        notes,
    )


def _read_by_hand(data: Json) -> tuple[set[Any], tuple[str, ...]]:
    """The nodes that a person cut, and what was noted of the tree as a whole."""
    complaint = "what was done by hand in its pruning is not a list of nodes and one of texts"
    fields = as_record(data, complaint, ("nodes", "notes"))
    nodes = as_list(fields["nodes"], complaint)
    require(all(map(is_whole, nodes)), complaint)
    return set(nodes), tuple(as_text(note, complaint) for note in as_list(fields["notes"], complaint))


def _read_row(row: Json, is_leaf: NDArray[np.bool_]) -> list[Any]:
    complaint = f"{short(row)} does not say what stood at a node"
    node, test, n_leaves, *numbers = [read_value(value) for value in as_list(row, complaint, 5)]
    is_node = is_whole(node) and 0 <= node < len(is_leaf)
    require(is_node and isinstance(test, str) and is_whole(n_leaves), complaint)
    require(n_leaves >= 2 if test else n_leaves == 1 and is_leaf[node], complaint)
    require(all(map(is_number, numbers)), complaint)
    return [node, test, n_leaves, *numbers]
