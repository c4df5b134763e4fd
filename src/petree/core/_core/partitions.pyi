"""
Rows of parts of a data set, sent down trees by their codes, and counted.
"""

import numpy
import numpy.typing

import petree.core._core.tables


def find_nodes(columns: petree.core._core.tables.Columns, narrow: numpy.typing.NDArray[numpy.uint8], wide: numpy.typing.NDArray[numpy.uint32], tests: numpy.typing.NDArray[numpy.int64], first_child: numpy.typing.NDArray[numpy.int64], n_children: numpy.typing.NDArray[numpy.int64], nodes: numpy.typing.NDArray[numpy.int32], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    Move each row from the node where it is to the last one that it reaches; -1 where a test has no branch for it.
    """

def count_cells(columns: petree.core._core.tables.Columns, narrow: numpy.typing.NDArray[numpy.uint8], wide: numpy.typing.NDArray[numpy.uint32], classes: numpy.typing.NDArray[numpy.uint16], amounts: numpy.typing.NDArray[numpy.int64], slots: numpy.typing.NDArray[numpy.int32], asked: numpy.typing.NDArray[numpy.uint8], counts_rows: bool, cells: numpy.typing.NDArray[numpy.int64], stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    Add what the rows of each slot amount to, by column, code and class, to its cells; all columns, or those that are asked for.
    """
