"""What a column of a table is, and how its moments are written and read."""

from petree.columns.column import (
    DATE,
    DURATION,
    NOMINAL,
    NUMBER,
    ORDERED,
    QUANTITIES,
    TIME,
    ZONED_DATE,
    Column,
)

__all__ = ["DATE", "DURATION", "NOMINAL", "NUMBER", "ORDERED", "QUANTITIES", "TIME", "ZONED_DATE", "Column"]
