"""How each column is coded: what the first pass finds, and a file keeps for the second."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from petree.columns import NOMINAL, NUMBER, ORDERED, QUANTITIES, Column
from petree.sources.coding import BinnedColumn
from petree.writing import write_whole

FORMAT = "petree codes"
VERSION = 2
PLAN = "plan.json"
# Bytes of the codes of a part, as far as its number of rows may be chosen.
PART_BYTES = 2**24
FEWEST_PART_ROWS = 2**12
MOST_PART_ROWS = 2**20
LABEL_TYPES = ("object", "bool", "int64", "float64")


@dataclass(frozen=True, eq=False)
class Plan:
    """How rows become codes.

    Parameters
    ----------
    target : str
    weights : str or None
        The columns of classes and weights.
    columns : tuple of BinnedColumn
    classes : array
    source : str
        The fingerprint of the data and of the settings.
    """

    target: str
    weights: str | None
    columns: tuple[BinnedColumn, ...]
    classes: NDArray[Any]
    source: str

    @cached_property
    def places(self) -> list[int]:
        """At which place of the narrow or of the wide codes each column stands."""
        is_wide = np.array([one.is_wide for one in self.columns], bool)
        places: list[int] = (np.where(is_wide, np.cumsum(is_wide), np.cumsum(~is_wide)) - 1).tolist()
        return places

    @property
    def n_wide(self) -> int:
        return sum(one.is_wide for one in self.columns)

    @property
    def n_narrow(self) -> int:
        return len(self.columns) - self.n_wide

    @property
    def row_bytes(self) -> int:
        """Bytes of a row in a file of codes: key, weight, wide codes, class, narrow codes."""
        return 8 + 8 * (self.weights is not None) + 4 * self.n_wide + 2 + self.n_narrow

    @property
    def part_rows(self) -> int:
        """The most rows of a part."""
        return int(np.clip(PART_BYTES // self.row_bytes, FEWEST_PART_ROWS, MOST_PART_ROWS))

    # -- as a file ------------------------------------------------------------------------------------------------

    @cached_property
    def text(self) -> str:
        fields = {
            "format": FORMAT,
            "version": VERSION,
            "source": self.source,
            "target": self.target,
            "weights": self.weights,
            "classes": {"type": self.classes.dtype.name, "labels": self.classes.tolist()},
        }
        heads = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in fields.items()]
        columns = ",\n".join(json.dumps(_written(one)) for one in self.columns)
        return "{\n" + ",\n".join([*heads, f'"columns": [\n{columns}\n]']) + "\n}\n"

    @cached_property
    def checksum(self) -> int:
        return crc32(self.text.encode())

    def write(self, folder: Path) -> None:
        write_whole(folder / PLAN, self.text.encode(), "The plan of the codes")

    @classmethod
    def read(cls, folder: Path) -> Plan:
        path = folder / PLAN
        fields = read_json(path)
        try:
            kind = str(fields["classes"]["type"])
            if kind not in LABEL_TYPES:
                raise ValueError(f"{kind!r} is not a type of class labels")
            classes = np.array(fields["classes"]["labels"], kind)
            weights = None if fields["weights"] is None else str(fields["weights"])
            columns = tuple(map(_read, fields["columns"]))
            return cls(str(fields["target"]), weights, columns, classes, str(fields["source"]))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise damaged(path, str(error)) from error


def damaged(path: Path, why: str) -> ValueError:
    """What is said of a file of a folder of codes that is not as it was written."""
    return ValueError(f"{path} is damaged ({why[:200]}); remove the folder {path.parent}, and code the data again.")


def read_json(path: Path) -> dict[str, Any]:
    """A file of a folder of codes, of this format and version."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise damaged(path, str(error)) from error
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise damaged(path, f"it is no file of {FORMAT}")
    if fields.get("version") != VERSION:
        raise ValueError(
            f"{path} is of version {fields.get('version')!r}, but this petree reads version {VERSION}. Remove the "
            f"folder {path.parent} and code the data again, or install the petree that wrote it."
        )
    return fields


def _written(binned: BinnedColumn) -> dict[str, Any]:
    column = binned.column
    return {
        "name": column.name,
        "kind": column.kind,
        "categories": list(column.categories),
        "quantity": column.quantity,
        "cuts": binned.thresholds.tolist() if column.kind == NUMBER else [],
        "centres": binned.centres.tolist(),
        "has_missing": binned.has_missing,
        "is_empty": binned.is_empty,
    }


def _read(fields: Mapping[str, Any]) -> BinnedColumn:
    column = Column(str(fields["name"]), str(fields["kind"]), tuple(fields["categories"]), str(fields["quantity"]))
    if column.kind not in (NUMBER, NOMINAL, ORDERED) or column.quantity not in ("", *QUANTITIES):
        raise ValueError(f"column {column.name!r} is of no known kind")
    cuts = np.array(fields["cuts"], np.float64)
    if cuts.ndim != 1 or not (np.isfinite(cuts).all() and (np.diff(cuts) > 0).all()):
        raise ValueError(f"the cuts of column {column.name!r} do not ascend")
    n_bins = len(cuts) + 1
    if column.kind != NUMBER:
        n_bins = len(column.categories)
        cuts = np.arange(1, n_bins, dtype=np.float64) if column.kind == ORDERED else np.empty(0)
    centres = np.array(fields["centres"], np.float64)
    if centres.shape != ((n_bins,) if column.kind == NUMBER else (0,)) or not np.isfinite(centres).all():
        raise ValueError(f"the centres of the bins of column {column.name!r} are not one number per bin")
    return BinnedColumn(column, cuts, n_bins, bool(fields["has_missing"]), bool(fields["is_empty"]), centres)
