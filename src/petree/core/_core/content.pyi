"""Random numbers of rows from what stands in them."""

import numpy
import numpy.typing


def add_to_columns(numbers: numpy.typing.NDArray[numpy.float64], rows: numpy.typing.NDArray[numpy.uint64], copies: numpy.typing.NDArray[numpy.uint64], columns: numpy.typing.NDArray[numpy.uint64]) -> None:
    """
    Add to the key of each column its numbers, a line, mixed with the keys of their rows.
    """

def add_to_rows(numbers: numpy.typing.NDArray[numpy.float64], columns: numpy.typing.NDArray[numpy.uint64], rows: numpy.typing.NDArray[numpy.uint64]) -> None:
    """
    Add to the key of each row its numbers, mixed with the keys of their columns, a line each.
    """

def mix_codes(codes: numpy.typing.NDArray[numpy.uint8], rows: numpy.typing.NDArray[numpy.uint64]) -> None:
    """Mix into the key of each row its narrow codes."""

def mix_wide_codes(codes: numpy.typing.NDArray[numpy.uint32], rows: numpy.typing.NDArray[numpy.uint64]) -> None:
    """Mix into the key of each row its wide codes."""

def count_halvings(keys: numpy.typing.NDArray[numpy.uint64], seed: numpy.typing.NDArray[numpy.uint64], bands: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    In how many samples, each a half of the one before, a row of each key is.
    """
