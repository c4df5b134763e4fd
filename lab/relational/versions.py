"""Relational trees of this version and of another one, which has an environment of its own, in turns."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from lab.relational import serving
from lab.report import Table
from lab.speed.versions import Version
from lab.verdicts import Verdict

ROUNDS = 3
# How many times as fast as the other version.
BAR = 3.0


@dataclass(frozen=True)
class Pair:
    """Seconds of processor time and nodes of a fit, with the other version and with this one.

    The first seconds are those of the first fit of a database; later ones find what that has left, as in a search for
    parameters, where a fit is repeated with others. Those of parts leave out a third of the examples each, as
    cross-validation does, so that constants and thresholds are others each time.
    """

    name: str
    first: tuple[float, float]
    seconds: tuple[float, float]
    parts: tuple[float, float]
    n_nodes: tuple[int, int]

    @property
    def ratio(self) -> float:
        return self.seconds[0] / self.seconds[1]


def timed_pairs(other: Path, names: Sequence[str]) -> Iterable[Pair]:
    """Both versions on each set, in turns, after a first fit."""
    script = Path(serving.__file__).resolve()
    versions = [Version(interpreter, script) for interpreter in (other, Path(sys.executable))]
    try:
        for line in (f"{name} {kind}" for name in names for kind in serving.KINDS):
            (their_first, their_nodes), (our_first, our_nodes) = (version.run(line) for version in versions)
            seconds = _medians(versions, [line] * ROUNDS)
            parts = _medians(versions, [f"{line} {part}" for part in range(serving.N_PARTS)])
            yield Pair(line, (their_first, our_first), seconds, parts, (their_nodes, our_nodes))
    finally:
        for version in versions:
            version.close()


def _medians(versions: Sequence[Version], lines: Sequence[str]) -> tuple[float, float]:
    """The median seconds of both versions, which take turns."""
    rounds = [[version.run(line)[0] for version in versions] for line in lines]
    theirs, ours = map(median, zip(*rounds, strict=True))
    return theirs, ours


def pairs_table(pairs: Sequence[Pair]) -> Table:
    heads = (
        "set and tree",
        "other: nodes",
        "first s",
        "later s",
        "parts s",
        "this: nodes",
        "first s",
        "later s",
        "parts s",
        "first",
        "later",
        "parts",
    )
    rows = [
        (
            one.name,
            str(one.n_nodes[0]), *(f"{seconds[0]:.2f}" for seconds in (one.first, one.seconds, one.parts)),
            str(one.n_nodes[1]), *(f"{seconds[1]:.2f}" for seconds in (one.first, one.seconds, one.parts)),
            f"{one.first[0] / one.first[1]:.2f}", f"{one.ratio:.2f}", f"{one.parts[0] / one.parts[1]:.2f}",
        )
        for one in pairs
    ]  # fmt: skip
    note = (
        f"Processor seconds on one thread: the first fit of a database, medians of {ROUNDS} fits after it, which find "
    )
    note += f"what it has left to them, and of {serving.N_PARTS} that leave out a part of the examples each; behind "
    note += "them the seconds of the other version for one of this. Trees may differ, since versions ask different "
    note += "things unless told; those that are declared are the same on the same data."
    return Table("Beside another version", heads, rows, note)


def pair_verdicts(pairs: Sequence[Pair]) -> list[Verdict]:
    text = "later fits of {} at least {:g} times as fast as those of the other version"
    return [Verdict(text.format(one.name, BAR), f"{one.ratio:.2f} times", one.ratio >= BAR) for one in pairs]
