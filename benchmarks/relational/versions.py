"""Relational trees of this version and of another one, which has an environment of its own, in turns."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.relational import serving
from benchmarks.report import Table
from benchmarks.speed.versions import Version
from benchmarks.verdicts import Verdict

ROUNDS = 3
# How many times as fast as the other version.
BAR = 3.0


@dataclass(frozen=True)
class Pair:
    """Seconds of processor time and nodes of a fit, with the other version and with this one.

    The first seconds are those of the first fit of a database; later ones find what that has left, as in a search for
    parameters, where a fit is repeated with others.
    """

    name: str
    first: tuple[float, float]
    seconds: tuple[float, float]
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
            rounds = [[version.run(line) for version in versions] for _ in range(ROUNDS + 1)]
            theirs, ours = (median(seconds for seconds, _ in found) for found in zip(*rounds[1:], strict=True))
            (their_first, their_nodes), (our_first, our_nodes) = rounds[0]
            yield Pair(line, (their_first, our_first), (theirs, ours), (their_nodes, our_nodes))
    finally:
        for version in versions:
            version.close()


def pairs_table(pairs: Sequence[Pair]) -> Table:
    heads = (
        "set and tree",
        "other: nodes",
        "first s",
        "later s",
        "this: nodes",
        "first s",
        "later s",
        "first",
        "later",
    )
    rows = [
        (
            one.name, str(one.n_nodes[0]), f"{one.first[0]:.2f}", f"{one.seconds[0]:.2f}",
            str(one.n_nodes[1]), f"{one.first[1]:.2f}", f"{one.seconds[1]:.2f}",
            f"{one.first[0] / one.first[1]:.2f}", f"{one.ratio:.2f}",
        )
        for one in pairs
    ]  # fmt: skip
    note = (
        f"Processor seconds on one thread: the first fit of a database, and medians of {ROUNDS} fits after it, which "
    )
    note += "find what it has left to them; behind them the seconds of the other version for one of this. Trees may "
    note += "differ, since versions ask different things unless told; those that are declared are the same on the same "
    note += "data."
    return Table("Beside another version", heads, rows, note)


def pair_verdicts(pairs: Sequence[Pair]) -> list[Verdict]:
    text = "later fits of {} at least {:g} times as fast as those of the other version"
    return [Verdict(text.format(one.name, BAR), f"{one.ratio:.2f} times", one.ratio >= BAR) for one in pairs]
