"""Rows of a table sent down trees."""

import numpy
import numpy.typing

import petree.core._core.trees


class Tests:
    """The tests of a tree, one a split."""

    def __init__(self, kind: numpy.typing.NDArray[numpy.uint8], column: numpy.typing.NDArray[numpy.int32], value: numpy.typing.NDArray[numpy.float64], missing: numpy.typing.NDArray[numpy.int32], member_start: numpy.typing.NDArray[numpy.int32], members: numpy.typing.NDArray[numpy.float64]) -> None: ...

class Surrogates:
    """Tests that stand in for those of a tree where values are missing."""

    def __init__(self, tests: Tests, start: numpy.typing.NDArray[numpy.int32], turned: numpy.typing.NDArray[numpy.uint8]) -> None: ...

class Router:
    """A tree without options, packed for sending rows down."""

    def __init__(self, tests: Tests, wiring: petree.core._core.trees.Wiring, weights: numpy.typing.NDArray[numpy.float64], surrogates: Surrogates) -> None: ...

class OptionRouter:
    """A tree with options, and how its posterior is shared out."""

    def __init__(self, tests: Tests, wiring: petree.core._core.trees.Wiring, stay: numpy.typing.NDArray[numpy.float64], go: numpy.typing.NDArray[numpy.float64], weights: numpy.typing.NDArray[numpy.float64]) -> None: ...

def shares(router: Router) -> numpy.typing.NDArray[numpy.float64]:
    """Part of each node in the training weight of it and its siblings."""

def find_leaves(router: Router, table: numpy.typing.NDArray[numpy.float64], leaves: numpy.typing.NDArray[numpy.int64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """Leaf of each row; of a blend the heaviest."""

def find_parts(router: Router, table: numpy.typing.NDArray[numpy.float64], stop: numpy.typing.NDArray[numpy.uint8]) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float64]]:
    """
    The leaves that rows end in, and how much of each row: rows, leaves and shares.
    """

def answer(router: Router, table: numpy.typing.NDArray[numpy.float64], says: numpy.typing.NDArray[numpy.float64], answers: numpy.typing.NDArray[numpy.float64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """What the leaf of each row says, or a blend of several."""

def answer_confused(router: Router, table: numpy.typing.NDArray[numpy.float64], factor: float, says: numpy.typing.NDArray[numpy.float64], answers: numpy.typing.NDArray[numpy.float64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    What all leaves say of each row, where a failed test costs a leaf this factor.
    """

def answer_in_doubt(router: Router, table: numpy.typing.NDArray[numpy.float64], doubt: float, least: float, says: numpy.typing.NDArray[numpy.float64], answers: numpy.typing.NDArray[numpy.float64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    What all leaves say of each row, where a test is doubted and then goes every way.
    """

def mix_rows(router: OptionRouter, table: numpy.typing.NDArray[numpy.float64], says: numpy.typing.NDArray[numpy.float64], mixed: numpy.typing.NDArray[numpy.float64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    What the nodes of a tree with options say of each row, by the mass that stays there.
    """

def find_ends(router: OptionRouter, table: numpy.typing.NDArray[numpy.float64], most: int, stop: numpy.typing.NDArray[numpy.uint8]) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float64]]:
    """
    Nodes where the trees of the first rows end, and how much of each row: starts of rows, nodes, masses.
    """

def stays_of_unknown(router: OptionRouter) -> numpy.typing.NDArray[numpy.float64]:
    """How much of a row of which nothing is known stays at each node."""

def count_ways(router: OptionRouter) -> float:
    """The number of ways from the root to any node."""

def most_columns(router: OptionRouter, stop: numpy.typing.NDArray[numpy.uint8]) -> int:
    """The most different columns that are asked on one way."""

def find_contributions(router: OptionRouter, table: numpy.typing.NDArray[numpy.float64], says: numpy.typing.NDArray[numpy.float64], points: numpy.typing.NDArray[numpy.float64], weights: numpy.typing.NDArray[numpy.float64], contributions: numpy.typing.NDArray[numpy.float64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    How much each column adds to what is said of each class, by Gauss's rule with these points.
    """

def find_nearest(router: OptionRouter, table: numpy.typing.NDArray[numpy.float64], classes: numpy.typing.NDArray[numpy.int64], verdicts: numpy.typing.NDArray[numpy.int64], found: numpy.typing.NDArray[numpy.int64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    The nearest leaf of another class than each row's verdict, and how many columns would change.
    """
