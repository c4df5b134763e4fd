"""Buntine's quality of tests, and option trees."""

import numpy
import numpy.typing

import petree.core._core.tables


class Evidence:
    """What the quality of tests depends on beside the cases."""

    def __init__(self, alphas: numpy.typing.NDArray[numpy.float64], log_gammas: numpy.typing.NDArray[numpy.float64], power: float, ln_leaf: float, ln_tests: numpy.typing.NDArray[numpy.float64], centres: numpy.typing.NDArray[numpy.float64], class_weight: numpy.typing.NDArray[numpy.float64], min_rows: int) -> None: ...

class OptionRules:
    """When a node is split, and by how many tests."""

    def __init__(self, max_depth: int, max_options: int, option_depth: int, ln_factor: float, lookahead: int, max_nodes: int, n_columns: int, draws_tests: bool, seed: int) -> None: ...

def grow(evidence: Evidence, rows: petree.core._core.tables.Rows, order: numpy.typing.NDArray[numpy.int64], rules: OptionRules, stop: numpy.typing.NDArray[numpy.uint8]) -> tuple[bool, numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int64]]:
    """
    Grow an option tree whose columns are drawn from an order of them: whether it fits, then levels, counts, splits, costs of cuts and children.
    """

class OpenNodes:
    """Nodes of an option tree that can be opened, with their rows."""

    def __init__(self, members: numpy.typing.NDArray[numpy.int32], slices: numpy.typing.NDArray[numpy.int64], levels: numpy.typing.NDArray[numpy.int64], draws: numpy.typing.NDArray[numpy.uint64]) -> None: ...

def open(evidence: Evidence, rows: petree.core._core.tables.Rows, order: numpy.typing.NDArray[numpy.int64], rules: OptionRules, nodes: OpenNodes, seconds: float, stop: numpy.typing.NDArray[numpy.uint8]) -> tuple[int, numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32]]:
    """
    Open nodes until the time is over: how many were opened, their splits and costs of cuts; and of the children the counts, keys, draws, how many rows they hand on, and these rows.
    """
