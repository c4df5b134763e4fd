"""Columns to codes, and rows divided among nodes."""

import numpy
import numpy.typing


class Columns:
    """How the columns of a table are coded, narrow ones first."""

    def __init__(self, n_bins: numpy.typing.NDArray[numpy.int64], kinds: numpy.typing.NDArray[numpy.int64], numbers: numpy.typing.NDArray[numpy.int32], signs: numpy.typing.NDArray[numpy.int64], centres: numpy.typing.NDArray[numpy.float64]) -> None: ...

class Rows:
    """The rows of a coded table."""

    def __init__(self, columns: Columns, n_classes: int, narrow: numpy.typing.NDArray[numpy.uint8], wide: numpy.typing.NDArray[numpy.uint32], classes: numpy.typing.NDArray[numpy.uint16], copies: numpy.typing.NDArray[numpy.uint32], weights: numpy.typing.NDArray[numpy.float64], parts: numpy.typing.NDArray[numpy.float64], order: numpy.typing.NDArray[numpy.uint32]) -> None: ...

def divide(rows: Rows, slices: numpy.typing.NDArray[numpy.int64], tests: numpy.typing.NDArray[numpy.int64], child_start: numpy.typing.NDArray[numpy.int64], child_stops: numpy.typing.NDArray[numpy.int64], child_counts: numpy.typing.NDArray[numpy.float64], child_sizes: numpy.typing.NDArray[numpy.int64], moves: bool, stop: numpy.typing.NDArray[numpy.uint8]) -> None:
    """
    Move the rows of nodes to their children, in place; fills the children's stops, counts and sizes. Where nothing moves, these are what they would be.
    """

def list_sampled(order: numpy.typing.NDArray[numpy.uint32], bands: numpy.typing.NDArray[numpy.uint8], slices: numpy.typing.NDArray[numpy.int64], least: int, n_sampled: numpy.typing.NDArray[numpy.int64], stop: numpy.typing.NDArray[numpy.uint8]) -> numpy.typing.NDArray[numpy.int64]:
    """
    Where rows of nodes stand whose band is not below the least; fills how many each node has.
    """

def encode_numbers(values: numpy.typing.NDArray[numpy.float64], thresholds: numpy.typing.NDArray[numpy.float64], codes: numpy.typing.NDArray[numpy.uint8], column: int) -> None:
    """Write the bin of each value into a column of narrow codes."""

def encode_numbers_wide(values: numpy.typing.NDArray[numpy.float64], thresholds: numpy.typing.NDArray[numpy.float64], codes: numpy.typing.NDArray[numpy.uint32], column: int) -> None:
    """Write the bin of each value into a column of wide codes."""

def find_bin_ends(values: numpy.typing.NDArray[numpy.float64], codes: numpy.typing.NDArray[numpy.uint8], column: int, lowest: numpy.typing.NDArray[numpy.float64], highest: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Lower the least and raise the greatest value of each bin to those of a column of narrow codes.
    """

def find_bin_ends_wide(values: numpy.typing.NDArray[numpy.float64], codes: numpy.typing.NDArray[numpy.uint32], column: int, lowest: numpy.typing.NDArray[numpy.float64], highest: numpy.typing.NDArray[numpy.float64]) -> None:
    """
    Lower the least and raise the greatest value of each bin to those of a column of wide codes.
    """

def encode_categories(categories: numpy.typing.NDArray[numpy.int32], n_bins: int, codes: numpy.typing.NDArray[numpy.uint8], column: int) -> int:
    """
    Write categories, -1 for missing ones, into a column of narrow codes; how many are missing.
    """

def encode_categories_wide(categories: numpy.typing.NDArray[numpy.int32], n_bins: int, codes: numpy.typing.NDArray[numpy.uint32], column: int) -> int:
    """
    Write categories, -1 for missing ones, into a column of wide codes; how many are missing.
    """

def weigh_cells(values: numpy.typing.NDArray[numpy.float64], weights: numpy.typing.NDArray[numpy.float64], lowest: float, scale: float, totals: numpy.typing.NDArray[numpy.float64]) -> None:
    """Add the weight of each value to its cell of a grid."""

def rows_in_cells(values: numpy.typing.NDArray[numpy.float64], lowest: float, scale: float, is_wanted: numpy.typing.NDArray[numpy.bool_], rows: numpy.typing.NDArray[numpy.uint32]) -> int:
    """List the rows whose cell of a grid is wanted; how many."""

def grid_scale(lowest: float, highest: float, n_cells: int) -> float:
    """Cells a unit of value."""

def cut_between_few(values: numpy.typing.NDArray[numpy.float64], most: int) -> tuple[bool, numpy.typing.NDArray[numpy.float64]]:
    """
    Whether there are no more distinct values than `most`, and then the cuts between all of them.
    """

def cuts_between(lower: numpy.typing.NDArray[numpy.float64], upper: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
    """
    The shortest decimal number above each of some values and not above another.
    """

def keep_distinct(ordered: numpy.typing.NDArray[numpy.float64], up_to: numpy.typing.NDArray[numpy.float64]) -> int:
    """
    Move distinct values to the front, and write how many values there are up to each; how many are distinct.
    """

def cut_at_quantiles(distinct: numpy.typing.NDArray[numpy.float64], up_to: numpy.typing.NDArray[numpy.float64], total: float, max_bins: int) -> numpy.typing.NDArray[numpy.float64]:
    """Cuts between bins of about equal weight."""

def cells_of(values: numpy.typing.NDArray[numpy.float64], weights: numpy.typing.NDArray[numpy.float64], left_out: int, most: int) -> tuple[int, numpy.typing.NDArray[numpy.float64]]:
    """
    Values in cells, whatever their order: bits left out; weight, least and greatest value of each cell.
    """

def join_cells(these: numpy.typing.NDArray[numpy.float64], left_out: int, those: numpy.typing.NDArray[numpy.float64], left_out_there: int, most: int) -> tuple[int, numpy.typing.NDArray[numpy.float64]]:
    """
    The cells of all values of which some are in these cells, and the others in those.
    """
