"""Rows of Arrow as codes, by a plan."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.columns import NUMBER
from petree.inputs.values import MISSING, UNKNOWN, Coded
from petree.keys import combine_keys
from petree.partitions.coding.plan import Plan
from petree.partitions.coding.values import ArrowArray, categories_of, numbers_of
from petree.partitions.partition import Partition
from petree.partitions.reading.pieces import RecordBatch
from petree.sources.coding import BinnedColumn
from petree.threads import Threads

CHANGED = "the data have changed since the first pass"


@dataclass(frozen=True)
class Encoder:
    """Writes the codes of rows, some columns side by side where there are threads."""

    plan: Plan
    threads: Threads
    known: dict[str, dict[Any, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for one in self.plan.columns:
            self.known[one.column.name] = _places(one.column.categories)
        self.known[self.plan.target] = _places(self.plan.classes.tolist())

    @property
    def needed(self) -> list[str]:
        """The columns that are read: not those from which nothing is learned."""
        names = [one.column.name for one in self.plan.columns if not _is_left_out(one)]
        weights = [] if self.plan.weights is None else [self.plan.weights]
        return [self.plan.target, *weights, *names]

    def encode(self, batch: RecordBatch, weights: NDArray[np.float64] | None) -> Partition:
        """The rows of a batch in codes."""
        n_rows = batch.num_rows
        narrow = np.empty((n_rows, self.plan.n_narrow), np.uint8)
        wide = np.empty((n_rows, self.plan.n_wide), np.uint32)

        def write(one: BinnedColumn, place: int) -> None:
            codes: NDArray[Any] = wide if one.is_wide else narrow
            if _is_left_out(one):
                codes[:, place] = one.n_bins
            elif one.column.kind == NUMBER:
                _write_numbers(one, batch.column(one.column.name), codes, place)
            else:
                self._write_categories(one, batch.column(one.column.name), codes, place)

        self.threads.run(write, list(zip(self.plan.columns, self.plan.places, strict=True)))
        classes = self._classes(batch.column(self.plan.target))
        return Partition(narrow, wide, classes, weights, keys_of(narrow, wide, classes, weights))

    def _write_categories(self, one: BinnedColumn, values: ArrowArray, codes: NDArray[Any], place: int) -> None:
        name = one.column.name
        categories = self._recoded(name, categories_of(name, values))
        encode = core.tables.encode_categories_wide if one.is_wide else core.tables.encode_categories
        n_missing = encode(categories, one.n_bins, codes, place)
        _check_missing(one, n_missing > 0)

    def _classes(self, values: ArrowArray) -> NDArray[np.uint16]:
        places = self._recoded(self.plan.target, categories_of(self.plan.target, values))
        if (places == MISSING).any():
            raise ValueError(f"The target {self.plan.target!r} is missing in some rows: {CHANGED}.")
        return places.astype(np.uint16)

    def _recoded(self, name: str, coded: Coded) -> NDArray[np.int32]:
        """Codes of one batch as those of the plan."""
        known = self.known[name]
        lookup = np.array([*(known.get(category, UNKNOWN) for category in coded.categories), MISSING], np.int32)
        codes = lookup[coded.codes]  # the last one answers -1
        if (codes == UNKNOWN).any():
            odd = coded.categories[coded.codes[int(np.argmax(codes == UNKNOWN))]]
            raise ValueError(f"Column {name!r} has the value {odd!r}, which was not there before: {CHANGED}.")
        return codes


def _places(labels: Any) -> dict[Any, int]:
    return {label: place for place, label in enumerate(labels)}


def _is_left_out(one: BinnedColumn) -> bool:
    return one.n_bins == 0


def _write_numbers(one: BinnedColumn, values: ArrowArray, codes: NDArray[Any], place: int) -> None:
    numbers = numbers_of(one.column.name, values)
    _check_missing(one, bool(np.isnan(numbers).any()))
    encode = core.tables.encode_numbers_wide if one.is_wide else core.tables.encode_numbers
    encode(numbers, one.thresholds, codes, place)


def _check_missing(one: BinnedColumn, has_missing: bool) -> None:
    if has_missing and not one.has_missing:
        raise ValueError(f"Column {one.column.name!r} lacks a value, and lacked none before: {CHANGED}.")


def keys_of(
    narrow: NDArray[np.uint8],
    wide: NDArray[np.uint32],
    classes: NDArray[np.uint16],
    weights: NDArray[np.float64] | None,
) -> NDArray[np.uint64]:
    """A hash of what stands in each row."""
    keys = classes.astype(np.uint64)
    if weights is not None:
        keys = combine_keys(keys, weights.view(np.uint64))
    core.content.mix_codes(narrow, keys)
    core.content.mix_wide_codes(wide, keys)
    return keys
