"""What stands in a table."""

from __future__ import annotations

from lab.experiments.report.tables import Table


def cells_of(table: Table) -> dict[str, list[str]]:
    """Each row by its first cell."""
    return {row[0]: list(row[1:]) for row in table.rows}
