"""The first pass: of each column its categories, or where it may be cut; and the classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from petree.partitions.coding.findings import Findings, Finer, NumberFindings, TargetFindings, findings_of
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
    while waiting:
        done: Sequence[Findings | TargetFindings] = look_at(supply, coding, waiting[:most])
        waiting = waiting[most:]
        labels = [one for one in done if isinstance(one, TargetFindings)]
        classes = labels[0].classes() if labels else classes
        _refine(supply, coding, [one for one in done if isinstance(one, NumberFindings)])
        columns += [one.binned(coding.rule) for one in done if not isinstance(one, TargetFindings)]
    return Plan(target, coding.weights, tuple(columns), classes, source)


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
