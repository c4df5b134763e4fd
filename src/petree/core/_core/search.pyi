"""The best tests of nodes, and small trees grown at once."""

import numpy
import numpy.typing

import petree.core._core.options
import petree.core._core.tables


class Nodes:
    """
    Open nodes: slices of rows, class counts, numbers of rows, and columns that may be tested.
    """

    def __init__(self, slices: numpy.typing.NDArray[numpy.int64], counts: numpy.typing.NDArray[numpy.float64], sizes: numpy.typing.NDArray[numpy.int64], allowed: numpy.typing.NDArray[numpy.uint8]) -> None: ...

class Search:
    """
    A search for tests by a score, with its parameters and a table of n log2 n.
    """

    def __init__(self, score: str, parameters: numpy.typing.NDArray[numpy.float64], n_log_n: numpy.typing.NDArray[numpy.float64], min_rows: int, class_weight: numpy.typing.NDArray[numpy.float64], per_case: bool, known_only: bool) -> None: ...

class RatioRules:
    """Which candidates may win by their ratio."""

    def __init__(self, slack: float, by_column: bool, is_restricted: bool, many_values: float) -> None: ...

def best_by_value(search: Search, rows: petree.core._core.tables.Rows, nodes: Nodes, first: int, last: int, values: numpy.typing.NDArray[numpy.float64], tests: numpy.typing.NDArray[numpy.int64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    Best test of each node among the columns at some places, all narrow or all wide.
    """

def best_by_ratio(search: Search, ratio: RatioRules, rows: petree.core._core.tables.Rows, nodes: Nodes, values: numpy.typing.NDArray[numpy.float64], tests: numpy.typing.NDArray[numpy.int64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    Best test of each node by the ratio of its score to its split information.
    """

def best_by_evidence(evidence: petree.core._core.options.Evidence, rows: petree.core._core.tables.Rows, nodes: Nodes, first: int, last: int, values: numpy.typing.NDArray[numpy.float64], tests: numpy.typing.NDArray[numpy.int64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """Best test of each node by Buntine's quality, and what its cut costs."""

def order_categories(counts: numpy.typing.NDArray[numpy.float64], n_categories: int, orders: numpy.typing.NDArray[numpy.int64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    Orders of the categories of a column, whose cuts are the sets to look at.
    """

def grow(search: Search, rows: petree.core._core.tables.Rows, nodes: Nodes, most_waves: int, min_gain: float, stop: numpy.typing.NDArray[numpy.uint8]) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float64]]:
    """
    Split some nodes, their children, and so on: nodes, counts, levels, splits and their values.
    """

def grow_inheriting(search: Search, rows: petree.core._core.tables.Rows, nodes: Nodes, most_waves: int, min_gain: float, small_blocks: numpy.typing.NDArray[numpy.int64], large_blocks: numpy.typing.NDArray[numpy.int64], many_rows: int, stop: numpy.typing.NDArray[numpy.uint8]) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float64]]:
    """
    The same where columns may be wide, and larger children take over the counts of their parent.
    """
