"""What was tried for the "auto" parameters of a smoothing, as JSON."""

from __future__ import annotations

from math import isfinite
from typing import Any

from petree.estimators.tuning.finish import Tuning
from petree.storage.values import is_number, require


def write_tuning(tuning: Tuning) -> dict[str, Any]:
    """A record of lists."""
    written = {"names": tuning.names, "tried": tuning.tried, "losses": tuning.losses}
    return written | ({"parts": [write_tuning(part) for part in tuning.parts]} if tuning.parts else {})


def read_tuning(data: Any) -> Tuning:
    """What `write_tuning` wrote."""
    is_record = isinstance(data, dict) and data.keys() - {"parts"} == {"names", "tried", "losses"}
    require(is_record and all(isinstance(field, list) for field in data.values()), "its tuning is not a record")
    names, tried, losses = data["names"], data["tried"], data["losses"]
    require(all(isinstance(name, str) for name in names), "the names in its tuning are not texts")
    require(len(losses) == len(tried) > 0 and _are_finite(losses), "the losses in its tuning are not one a combination")
    are_rows = all(isinstance(row, list) and len(row) == len(names) and _are_finite(row) for row in tried)
    require(are_rows, "a combination in its tuning is not one number a name")
    parts = tuple(read_tuning(part) for part in data.get("parts", []))
    return Tuning(tuple(names), tuple(map(tuple, tried)), tuple(losses), parts)


def _are_finite(values: list[Any]) -> bool:
    return all(is_number(value) and isfinite(value) for value in values)
