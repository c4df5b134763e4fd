"""What the tests of a relational tree may ask."""

from __future__ import annotations

from collections.abc import Sequence

from petree.estimators.relational.target import warn_of_identifiers, warn_of_no_links
from petree.relational.bias.automatic import automatic_bias
from petree.relational.bias.modes import Bias
from petree.relational.database import Database


def bias_of(
    bias: str | Bias,
    database: Database,
    table: str,
    max_links: int | None,
    aggregates: Sequence[str],
    lookahead: bool = True,
) -> Bias:
    """The bias that is given, or else what the database declares, or what its links allow."""
    if isinstance(bias, Bias):
        return bias
    if bias != "auto":
        raise ValueError(f"The 'bias' parameter must be 'auto' or a Bias. Got {bias!r} instead.")
    if database.bias is not None:
        return database.bias
    warn_of_no_links(database, table)
    warn_of_identifiers(database, table)
    return automatic_bias(database, table, max_links, aggregates, lookahead)
