"""Bars, each beside what was measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """A bar and what was measured; `holds` is None where it was not."""

    bar: str
    measured: str = ""
    holds: bool | None = None

    @property
    def word(self) -> str:
        return {True: "holds", False: "does not hold", None: "not measured"}[self.holds]

    def __str__(self) -> str:
        return f"{self.word}: {self.bar}" + (f": {self.measured}" if self.measured else "")
