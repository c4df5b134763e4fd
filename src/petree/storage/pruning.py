"""Why a tree was pruned as JSON: one line for each node that had another test before.

A line is ``[12,"size < 3.5",2,2.1,9.55]``: the node, the test that stood there, the number of leaves below it, and the
statistic and the threshold that decided. Whether a leaf or a branch stands there now is to be seen in the tree. A node
that was closed before a test was sought has an empty text and 1 leaf.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.pruning.engine.log import CLOSED, CUT, RAISED, Reasons
from petree.storage.values import (
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
    statistic, threshold = (
        write_value(values, "A number of the pruning log") for values in (reasons.statistic, reasons.threshold)
    )
    rows = zip(reasons.nodes.tolist(), reasons.tests, reasons.n_leaves.tolist(), statistic, threshold, strict=True)
    return named_lines(
        {"criterion": encode(reasons.criterion), "names": encode(reasons.names), "nodes": lines(map(list, rows))}
    )


def read_reasons(data: Any, is_leaf: NDArray[np.bool_]) -> Reasons:
    """What `write_reasons` wrote, of a tree with these leaves."""
    is_record = isinstance(data, dict) and data.keys() == {"criterion", "names", "nodes"}
    require(is_record and isinstance(data["criterion"], str), "its pruning is not a record with a criterion")
    names = data["names"]
    are_two = isinstance(names, list) and len(names) == 2 and all(isinstance(name, str) for name in names)
    require(are_two, "the names in its pruning are not two texts")
    require(isinstance(data["nodes"], list), "the nodes in its pruning are not a list")
    rows = [_read_row(row, is_leaf) for row in data["nodes"]]
    nodes, tests, n_leaves, statistic, threshold = zip(*rows, strict=True) if rows else ((),) * 5
    require(all(np.diff(nodes) > 0), "the nodes in its pruning do not ascend")
    return Reasons(
        data["criterion"],
        (names[0], names[1]),
        np.array(nodes, np.intp),
        tests,
        np.array(n_leaves, np.int64),
        np.array(statistic, np.float64),
        np.array(threshold, np.float64),
        tuple(
            RAISED if not is_leaf[node] else CUT if test else CLOSED for node, test in zip(nodes, tests, strict=True)
        ),
    )


def _read_row(row: Any, is_leaf: NDArray[np.bool_]) -> list[Any]:
    complaint = f"{short(row)} does not say what stood at a node"
    require(isinstance(row, list) and len(row) == 5, complaint)
    node, test, n_leaves, *numbers = [read_value(value) for value in row]
    is_node = is_whole(node) and 0 <= node < len(is_leaf)
    require(is_node and isinstance(test, str) and is_whole(n_leaves), complaint)
    require(n_leaves >= 2 if test else n_leaves == 1 and is_leaf[node], complaint)
    require(all(map(is_number, numbers)), complaint)
    return [node, test, n_leaves, *numbers]
