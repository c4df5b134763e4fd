"""Arithmetic of rules, over all rows at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.relational.prolog.syntax.terms import Compound, Operation, Parsed
from petree.relational.queries.terms import Constant, Variable

Numbers = NDArray[np.float64]

FUNCTIONS: dict[tuple[str, int], Callable[..., Any]] = {
    ("+", 2): np.add,
    ("-", 2): np.subtract,
    ("*", 2): np.multiply,
    ("/", 2): np.divide,
    ("//", 2): lambda left, right: np.trunc(np.divide(left, right)),
    ("mod", 2): np.mod,
    ("min", 2): np.minimum,
    ("max", 2): np.maximum,
    ("-", 1): np.negative,
    ("+", 1): np.positive,
    ("abs", 1): np.abs,
    ("sqrt", 1): np.sqrt,
    ("exp", 1): np.exp,
    ("log", 1): np.log,
}
COMPARISONS: dict[str, Callable[..., Any]] = {
    "<": np.less,
    ">": np.greater,
    "=<": np.less_equal,
    ">=": np.greater_equal,
    "=:=": np.equal,
    "=\\=": np.not_equal,
}


def evaluate(term: Parsed, numbers_of: Callable[[Variable], Numbers], where: str) -> Numbers | float:
    """The value of an expression in every row, or the one value that it has in all.

    Parameters
    ----------
    term : Parsed
    numbers_of : callable
        Gives the numbers that a variable stands for.
    where : str
        The place that messages name.
    """
    match term:
        case Variable():
            return numbers_of(term)
        case Constant(int() | float() as number):
            return float(number)
        case Operation(name, arguments) | Compound(name, arguments) if (name, len(arguments)) in FUNCTIONS:
            values = [evaluate(argument, numbers_of, where) for argument in arguments]
            return calculate(FUNCTIONS[name, len(arguments)], values, f"{where}: {term}")
    known = ", ".join(dict.fromkeys(name for name, _ in FUNCTIONS))
    raise ValueError(f"{where}: {term} is no arithmetic; use numbers, variables and {known}.")


def calculate(function: Callable[..., Any], values: list[Numbers | float], where: str) -> Numbers:
    """A function of numbers, which must give numbers."""
    try:
        with np.errstate(divide="raise", invalid="raise", over="raise"):
            result: Numbers = np.asarray(function(*values), np.float64)
    except FloatingPointError as error:
        raise ValueError(f"{where} has no value in some row ({error}); leave such rows out before.") from error
    return result
