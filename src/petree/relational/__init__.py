"""Trees over several tables: relations, queries, and where they come from."""

from __future__ import annotations

from petree.relational.bias.automatic import automatic_bias
from petree.relational.bias.modes import AggregateMode, Argument, Bias, Lookahead, Mode, Path
from petree.relational.database import Database

__all__ = ["AggregateMode", "Argument", "Bias", "Database", "Lookahead", "Mode", "Path", "automatic_bias"]
