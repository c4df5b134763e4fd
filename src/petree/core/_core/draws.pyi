"""Samples of cases, and random tables of given margins."""

import numpy
import numpy.typing


def select(keys: numpy.typing.NDArray[numpy.uint64], starts: numpy.typing.NDArray[numpy.int64], n_cases: int, n_drawn: int, is_drawn: numpy.typing.NDArray[numpy.bool_]) -> None:
    """
    Which cases of each node are among so many, drawn without replacement anew for every node.
    """

def draw_hypergeometric(share: float, n_marked: int, n_other: int, n_drawn: int, log_factorials: numpy.typing.NDArray[numpy.float64], stop: numpy.typing.NDArray[numpy.uint8]) -> int:
    """
    How many of the cases drawn are marked, by the place of a share of 1 among the chances.
    """

def improbable_tables(children: numpy.typing.NDArray[numpy.int64], starts: numpy.typing.NDArray[numpy.int64], keys: numpy.typing.NDArray[numpy.uint64], log_factorials: numpy.typing.NDArray[numpy.float64], n_tables: int, allowed: int, found: numpy.typing.NDArray[numpy.int64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    Of random tables with the margins of each node's own, those that are no more probable than it.
    """
