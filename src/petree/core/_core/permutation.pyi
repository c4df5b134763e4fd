"""
How often the best gain of a node is reached under permuted class labels.
"""

import numpy
import numpy.typing

import petree.core._core.search
import petree.core._core.tables


def instructions() -> str:
    """The variant of the loops over bit sets that is used."""

class Trials:
    """Nodes whose gains are tried against permutations."""

    def __init__(self, slices: numpy.typing.NDArray[numpy.int64], keys: numpy.typing.NDArray[numpy.uint64], gains: numpy.typing.NDArray[numpy.float64], n_permutations: numpy.typing.NDArray[numpy.int64], allowed: int) -> None: ...

class Progress:
    """What is known of the nodes, and what was found and tried so far."""

    def __init__(self, parents: numpy.typing.NDArray[numpy.int32], n_inner_children: numpy.typing.NDArray[numpy.int64], found: numpy.typing.NDArray[numpy.int64], tried: numpy.typing.NDArray[numpy.int64]) -> None: ...

def exceedances(search: petree.core._core.search.Search, rows: petree.core._core.tables.Rows, trials: Trials, progress: Progress, nodes: numpy.typing.NDArray[numpy.int64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    Count the permutations of some nodes' labels that reach their gain, children before parents.
    """

def cases_of(rows: petree.core._core.tables.Rows, start: int, stop: int) -> numpy.typing.NDArray[numpy.int64]:
    """
    Rows of a node by their place in the training table, each as often as it has copies.
    """

def draw_classes(key: int, totals: numpy.typing.NDArray[numpy.int64], classes: numpy.typing.NDArray[numpy.uint16]) -> None:
    """
    Permutations of the classes of a node with these class counts, a line each.
    """
