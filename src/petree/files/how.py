"""What a user says of a file, so that it need not be guessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

# What a column may be told to be, in users' words.
NUMBER = "number"
NOMINAL = "nominal"
DATE = "date"
DAY_FIRST = "date-dmy"
MONTH_FIRST = "date-mdy"
TIME = "time"
DURATION = "duration"
TYPES = (NUMBER, NOMINAL, DATE, DAY_FIRST, MONTH_FIRST, TIME, DURATION)
# Of labels nothing is guessed but whether they are numbers.
LABEL = "label"


@dataclass(frozen=True)
class Reading:
    """How to read a file; what is not said is guessed.

    Parameters
    ----------
    types : mapping of str to str
        One of `TYPES` for each column that has to be of it.
    missing_values : sequence of str
        Words for what is missing, besides those that are known to be.
    encoding : str or None
        How the file writes characters, as Python calls it.
    """

    types: Mapping[str, str] = field(default_factory=dict)
    missing_values: Sequence[str] = ()
    encoding: str | None = None

    def __post_init__(self) -> None:
        for name, kind in self.types.items():
            if kind not in (*TYPES, LABEL):
                raise ValueError(f"Column {name!r} cannot be of type {kind!r}; the types are {', '.join(TYPES)}.")
        if isinstance(self.missing_values, str):
            raise TypeError(f"missing_values must be a list of words, got the text {self.missing_values!r}.")
