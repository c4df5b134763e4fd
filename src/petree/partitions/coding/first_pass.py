"""The first pass: of each column its categories, or where it may be cut; and the classes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from petree.columns import NUMBER
from petree.inputs.identifiers import IdentifierWarning
from petree.partitions.coding.findings import (
    Findings,
    Finer,
    NumberFindings,
    TargetFindings,
    findings_of,
    left_out,
)
from petree.partitions.coding.looking import look_at
from petree.partitions.coding.plan import Plan
from petree.partitions.coding.settings import Coding
from petree.partitions.reading.pieces import DECIMAL, Supply
from petree.sources.coding import BinnedColumn

# Memory of the cells of a column while some are joined.
SKETCH_BYTES = 2**22


def find_plan(supply: Supply, target: str, coding: Coding, source: str) -> Plan:
    """Look at all rows once, and at the values of columns whose cells hold too much once more.

    So many columns are looked at together that their cells take half of the memory at most; of those that are done,
    only the cuts are kept.
    """
    names = coding.chosen(supply, target)
    waiting: list[Findings | TargetFindings] = [
        TargetFindings(target),
        *(_findings(supply.schema.field(name), coding.types.get(name)) for name in names),
    ]
    most = max(coding.n_bytes // 2 // SKETCH_BYTES, 1)
    classes = np.empty(0)
    columns: list[BinnedColumn] = []
    numbered: list[str] = []
    while waiting:
        done: Sequence[Findings | TargetFindings] = look_at(supply, coding, waiting[:most])
        waiting = waiting[most:]
        labels = [one for one in done if isinstance(one, TargetFindings)]
        classes = labels[0].classes() if labels else classes
        numbers = [one for one in done if isinstance(one, NumberFindings)]
        _refine(supply, coding, numbers)
        numbered += _find_row_numbers(supply, coding, numbers)
        columns += [one.binned(coding.rule) for one in done if not isinstance(one, TargetFindings)]
    if numbered and len(numbered) + sum(one.is_empty for one in columns) < len(columns):
        for name in numbered:
            warnings.warn(IdentifierWarning.of_files(name, NUMBER), stacklevel=4)
        columns = [left_out(one.column.name) if one.column.name in numbered else one for one in columns]
    return Plan(target, coding.weights, tuple(columns), classes, source)


def _find_row_numbers(supply: Supply, coding: Coding, found: Sequence[NumberFindings]) -> list[str]:
    """Names of the columns whose numbers identify the rows; the values of suspects are looked at once more."""
    suspects = [suspect for one in found if (suspect := one.numbering()) is not None]
    if not suspects:
        return []
    return [one.name for one in look_at(supply, coding, suspects) if one.are_row_numbers]


def _findings(field: Any, told: str | None) -> Findings:
    """Return what is known of a column from its field in the schema."""
    decimal = (field.metadata or {}).get(DECIMAL, b"").decode()
    return findings_of(field.name, field.type, told, decimal)


def _refine(supply: Supply, coding: Coding, found: Sequence[NumberFindings]) -> None:
    """Divide cells that hold too much, until there is none; nearly always there is none to begin with."""
    while coarse := [one for one in found if one.sketch.is_coarse().any()]:
        finer = look_at(supply, coding, [Finer(one.name, one.sketch) for one in coarse])
        for one, cells in zip(coarse, finer, strict=True):
            one.refine(cells)
