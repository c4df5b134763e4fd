"""What users say of how data are to be coded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

from petree.binning import resolve_binning
from petree.caching import cached_property
from petree.partitions.budget import read_memory, write_memory
from petree.partitions.coding.values import TOLD, check_weights
from petree.partitions.reading.pieces import Supply
from petree.sources.coding import Binning
from petree.threads import Threads, count_threads

LEAST_MEMORY = 256 * 10**6
# Raised when codes are made in another way than before.
WAY = 1


class Settings(TypedDict, total=False):
    """The fields of `Coding`, for those who pass them by name."""

    weights: str | None
    ignore: Sequence[str]
    types: Mapping[str, str]
    binning: Any
    memory: str | int
    n_jobs: int | None


@dataclass(frozen=True)
class Coding:
    """How data are coded; `code_files` says what each of these is."""

    weights: str | None = None
    ignore: Sequence[str] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    binning: Any = "quantile"
    memory: str | int = "2GB"
    n_jobs: int | None = None

    def __post_init__(self) -> None:
        if isinstance(self.ignore, str):
            raise TypeError(f"The 'ignore' must be a list of names, such as [{self.ignore!r}].")
        for name, kind in self.types.items():
            if kind not in TOLD:
                raise ValueError(f"Column {name!r} cannot be of type {kind!r}; here the types are {', '.join(TOLD)}.")
        if vars(type(self.rule)).get("looks_at_classes", True):
            raise ValueError(
                f"The binning {self.rule!r} looks at the classes of all values, which data beyond memory do not show "
                "it; set binning='quantile'."
            )

    def check_memory(self) -> None:
        """Refuse a memory that is too small to code in; codes that are there already need none of it."""
        if self.n_bytes < LEAST_MEMORY:
            raise ValueError(
                f"The memory must be at least {write_memory(LEAST_MEMORY)} where data are coded, and "
                f"{write_memory(self.n_bytes)} are allowed; allow more."
            )

    @cached_property
    def rule(self) -> Binning:
        """The member of the binning family."""
        rule: Binning = resolve_binning(self.binning)
        return rule

    @cached_property
    def n_bytes(self) -> int:
        """The memory that coding may take besides the program itself."""
        return read_memory(self.memory)

    @property
    def threads(self) -> Threads:
        return Threads(count_threads(self.n_jobs))

    def fingerprint(self, supply: Supply, target: str) -> str:
        """What is another one when data or settings that matter to the codes are."""
        told = [WAY, target, self.weights, sorted(self.ignore), sorted(self.types.items()), repr(self.rule)]
        text = json.dumps([told, str(supply.schema.remove_metadata()), supply.fingerprints])
        return hashlib.sha256(text.encode()).hexdigest()

    def chosen(self, supply: Supply, target: str) -> list[str]:
        """The names of the columns to learn from."""
        supply.check(target, "target")
        for what, names in (("weights", [self.weights] if self.weights else []), ("ignore", self.ignore)):
            for name in names:
                supply.check(name, what)
        for name in self.types:
            supply.check(name, "types")
        if self.weights == target:
            raise ValueError(f"Column {target!r} cannot be both the target and the weights.")
        if self.weights is not None:
            check_weights(self.weights, supply.schema.field(self.weights).type)
        left_out = {target, self.weights, *self.ignore}
        names = [name for name in supply.schema.names if name not in left_out]
        if not names:
            raise ValueError("The data have no column to learn from besides the target.")
        return names
