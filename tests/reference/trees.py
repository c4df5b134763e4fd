"""What the tables of other programs' trees hold of a tree: its shape, its columns and its answers to training rows."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lab.experiments.data import DataSet
from lab.papers.data import datasets

# In the place of the number of a tested column.
LEAF = -1


def load(name: str) -> DataSet:
    """A data set; numbers that differ by too little for J48 are in other units."""
    data = datasets.load(name)
    if name == "glass":
        data.columns["RI"] = (data.columns["RI"] * 1e5).round()
    return data


class TreeFacts(NamedTuple):
    """One line of a reference table.

    `shape` is a digest of the tested columns. `probability` is the sum, over the training rows, of the probability of
    the row's class, and `square` that of its square: different trees hardly agree in all three.
    """

    data_set: str
    tree: str
    nodes: int
    leaves: int
    shape: str
    probability: float
    square: float

    @classmethod
    def of(cls, data_set: str, tree: str, columns: list[int], parts: Iterable[Any], given: Any) -> TreeFacts:
        """From the column of each node, what the digest is made of, and the probabilities of the rows' classes."""
        digest = hashlib.sha256(" ".join(map(str, parts)).encode()).hexdigest()[:12]
        sums = float(given.sum()), float((given**2).sum())
        return cls(data_set, tree, len(columns), columns.count(LEAF), digest, *sums)


def write_facts(path: Path, facts: Iterable[TreeFacts]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(TreeFacts._fields)
        writer.writerows([*one[:5], f"{one.probability:.4f}", f"{one.square:.4f}"] for one in facts)


def read_facts(path: Path) -> Iterator[TreeFacts]:
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            counts = int(row["nodes"]), int(row["leaves"])
            sums = float(row["probability"]), float(row["square"])
            yield TreeFacts(row["data_set"], row["tree"], *counts, row["shape"], *sums)


def class_codes(data: DataSet) -> NDArray[np.intp]:
    """The number of each row's class."""
    return np.searchsorted(data.classes, data.y)


def category_codes(values: NDArray[Any]) -> list[int | None]:
    """The number of each row's category among the sorted ones, None where it is missing."""
    categories = sorted({value for value in values if value is not None})
    return [None if value is None else categories.index(value) for value in values]


def node_parts(columns: list[int], counts: list[list[int]]) -> list[str]:
    """The nodes of a tree whatever their order: the column that each tests, and its class counts."""
    return sorted(f"{column}:{own}" for column, own in zip(columns, counts, strict=True))


# -- trees of ours -----------------------------------------------------------------------------------------------------


def given_probabilities(model: Any, data: DataSet) -> NDArray[np.float64]:
    """The probability of each training row's class."""
    return model.predict_proba(data.columns)[np.arange(data.n_rows), class_codes(data)]


def columns_of(tree: Any) -> list[int]:
    """The columns of the tests of a tree in preorder."""
    columns = []
    pending = [0]
    while pending:
        node = pending.pop()
        columns.append(column_of(tree, node))
        pending += reversed(tree.children_of(np.array([node])).tolist())
    return columns


def column_of(tree: Any, node: int) -> int:
    return LEAF if tree.is_leaf[node] else int(tree.conditions.column[tree.split_start[node]])
