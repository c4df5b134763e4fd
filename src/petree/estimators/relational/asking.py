"""What the tests of a relational tree may ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from petree.estimators.relational.target import warn_of_identifiers, warn_of_no_links
from petree.relational.bias.automatic import automatic_bias
from petree.relational.bias.modes import Bias
from petree.relational.database import Database


class Asking(Protocol):
    """The parameters that say what may be asked."""

    bias: str | Bias
    max_links: int | None
    aggregates: Sequence[str]
    windows: Sequence[float]


def bias_of(told: Asking, database: Database, table: str, lookahead: bool) -> Bias:
    """The bias that is given, or else what the database declares, or what its links allow."""
    if isinstance(told.bias, Bias):
        return told.bias
    if told.bias != "auto":
        raise ValueError(f"The 'bias' parameter must be 'auto' or a Bias. Got {told.bias!r} instead.")
    if database.bias is not None:
        return database.bias
    warn_of_no_links(database, table)
    warn_of_identifiers(database, table)
    return automatic_bias(database, table, told.max_links, told.aggregates, lookahead, told.windows)
