"""Answers of queries: joins, and which tests hold."""

import numpy
import numpy.typing


def count_matches(rows: numpy.typing.NDArray[numpy.int32], starts: numpy.typing.NDArray[numpy.int64], stops: numpy.typing.NDArray[numpy.int64], linked: numpy.typing.NDArray[numpy.int32]) -> int:
    """Number of answers after a join."""

def match(rows: numpy.typing.NDArray[numpy.int32], starts: numpy.typing.NDArray[numpy.int64], stops: numpy.typing.NDArray[numpy.int64], linked: numpy.typing.NDArray[numpy.int32], came_from: numpy.typing.NDArray[numpy.int32], matched: numpy.typing.NDArray[numpy.int32], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    For each answer after a join the answer that it came from, and the row that was joined.
    """

def index_rows(keys: numpy.typing.NDArray[numpy.int32], bounds: numpy.typing.NDArray[numpy.int64], rows: numpy.typing.NDArray[numpy.int32], stop: numpy.typing.NDArray[numpy.uint8]) -> int:
    """Rows in the order of their keys, and the bounds of those of each key."""

def mark_values(owners: numpy.typing.NDArray[numpy.int32], rows: numpy.typing.NDArray[numpy.int32], codes: numpy.typing.NDArray[numpy.int32], places: numpy.typing.NDArray[numpy.int32], first: int, table: numpy.typing.NDArray[numpy.uint8], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """Write 0 where an example has an answer with the value of a column."""

def mark_lowest(owners: numpy.typing.NDArray[numpy.int32], rows: numpy.typing.NDArray[numpy.int32], codes: numpy.typing.NDArray[numpy.int32], bins: numpy.typing.NDArray[numpy.int32], column: int, table: numpy.typing.NDArray[numpy.uint8], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """Write the lowest bin of an example's answers into a column."""

def mark_highest(owners: numpy.typing.NDArray[numpy.int32], rows: numpy.typing.NDArray[numpy.int32], codes: numpy.typing.NDArray[numpy.int32], bins: numpy.typing.NDArray[numpy.int32], column: int, table: numpy.typing.NDArray[numpy.uint8], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """Write the highest bin of an example's answers into a column."""

def number_lines(rows: numpy.typing.NDArray[numpy.int32], groups: numpy.typing.NDArray[numpy.int32], lines: numpy.typing.NDArray[numpy.int32], first: int, found: numpy.typing.NDArray[numpy.int32], added: numpy.typing.NDArray[numpy.int32], stop: numpy.typing.NDArray[numpy.uint8]) -> int:
    """
    Give the next lines to the groups of some rows that have none; how many these are.
    """

def mark_lines(owners: numpy.typing.NDArray[numpy.int32], lines: numpy.typing.NDArray[numpy.int32], codes: numpy.typing.NDArray[numpy.uint8], columns: numpy.typing.NDArray[numpy.int64], flips: numpy.typing.NDArray[numpy.uint8], table: numpy.typing.NDArray[numpy.uint8], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    Write the lowest codes of the lines of an example's answers, column by column.
    """

def sum_by_owner(owners: numpy.typing.NDArray[numpy.int32], values: numpy.typing.NDArray[numpy.float64], sums: numpy.typing.NDArray[numpy.float64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """Write the sum of the values of each owner, exact but for one rounding."""
