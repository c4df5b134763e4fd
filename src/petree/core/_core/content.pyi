"""Random numbers of rows from what stands in them."""

import numpy
import numpy.typing


def mix_columns(numbers: numpy.typing.NDArray[numpy.float64], keys: numpy.typing.NDArray[numpy.uint64]) -> None:
    """
    Make the key of each row depend on its number in every column, a line each.
    """
