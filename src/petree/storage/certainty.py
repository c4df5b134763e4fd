"""What the leaves of a tree are worth, as JSON."""

from __future__ import annotations

from typing import Any

from petree.estimators.intervals.certainty import Certainty
from petree.storage.values import is_number, read_value, require, write_value


def write_certainty(certainty: Certainty) -> dict[str, Any]:
    """A record of two numbers."""
    return {name: write_value(value, "The certainty") for name, value in vars(certainty).items()}


def read_certainty(data: Any) -> Certainty:
    """What `write_certainty` wrote."""
    require(isinstance(data, dict) and data.keys() == {"each", "most"}, "its certainty is not a record of two numbers")
    numbers = {name: read_value(value) for name, value in data.items()}
    require(all(map(is_number, numbers.values())), "its certainty is not a record of two numbers")
    return Certainty(**{name: float(value) for name, value in numbers.items()})
