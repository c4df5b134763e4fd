"""Logarithms, powers and the gamma function, the same on every machine."""

import numpy
import numpy.typing


def binary_log(values: numpy.typing.NDArray[numpy.float64], results: numpy.typing.NDArray[numpy.float64]) -> None:
    """Logarithms to the base 2."""

def natural_log(values: numpy.typing.NDArray[numpy.float64], results: numpy.typing.NDArray[numpy.float64]) -> None:
    """Logarithms to the base e."""

def power_of_e(values: numpy.typing.NDArray[numpy.float64], results: numpy.typing.NDArray[numpy.float64]) -> None:
    """e to the power of each value."""

def log_gamma(values: numpy.typing.NDArray[numpy.float64], results: numpy.typing.NDArray[numpy.float64]) -> None:
    """Logarithms of the gamma function of positive values."""
