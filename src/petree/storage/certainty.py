"""What the leaves of a tree are worth, as JSON."""

from __future__ import annotations

from petree.estimators.intervals.certainty import Certainty
from petree.storage.values import Json, Record, as_record, is_number, read_value, require, write_value


def write_certainty(certainty: Certainty) -> Record:
    """A record of two numbers."""
    return {name: write_value(value, "The certainty") for name, value in vars(certainty).items()}


def read_certainty(data: Json) -> Certainty:
    """What `write_certainty` wrote."""
    complaint = "its certainty is not a record of two numbers"
    numbers = {name: read_value(value) for name, value in as_record(data, complaint, ("each", "most")).items()}
    require(all(map(is_number, numbers.values())), complaint)
    return Certainty(**{name: float(value) for name, value in numbers.items()})
