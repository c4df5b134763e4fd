"""The page of the pruning benchmark: ratios of times, and which bars hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from statistics import geometric_mean

from pruning_data import SYNTHETIC
from pruning_times import SCIKIT_LEARN, Timed
from report import Table, machine_table
from verdicts import Verdict

MANY_ROWS = 1000
RAND_BAR = 0.6
SMALL_BAR = 0.010
ADDED_BAR = 1.1
ADDING = ("mdl", "bic", "chi", "error_based")
PRE_BAR = 0.7
PREPRUNING = ("mdl, pre", "bic, pre")


@dataclass(frozen=True)
class Page:
    """Everything that a run has to say."""

    times: Sequence[Timed]
    repeats: int
    command: str

    @cached_property
    def tables(self) -> list[Table]:
        return [
            self._ratios("Times of scikit-learn's unpruned tree", SCIKIT_LEARN),
            self._ratios("Times of petree without pruning", "none"),
            self._seconds(),
        ]

    def _ratios(self, title: str, base: str) -> Table:
        names = list(dict.fromkeys(name for one in self.times for name in one.seconds))
        rows = [[name, *(_ratio(one, name, base) for one in self.times), self._mean(name, base)] for name in names]
        return Table(title, ("fit", *(one.name for one in self.times), "geometric mean"), rows)

    def _mean(self, name: str, base: str) -> str:
        found = [one.seconds[name] / one.seconds[base] for one in self.times if name in one.seconds]
        return f"{geometric_mean(found):.2f}"

    def _seconds(self) -> Table:
        rows = [
            [one.name, str(one.n_rows), *(f"{1000 * one.seconds[name]:.1f}" for name in (SCIKIT_LEARN, "none", "rand"))]
            for one in self.times
        ]
        return Table("Milliseconds", ("set", "rows", "scikit-learn", "petree, none", "petree, rand"), rows)

    @cached_property
    def judged(self) -> list[Verdict]:
        synthetic = [one for one in self.times if one.name == SYNTHETIC]
        return [*self._rand(), self._small(), *_added(synthetic), *_pre(synthetic)]

    def _rand(self) -> list[Verdict]:
        found = {
            one.name: one.seconds["rand"] / one.seconds[SCIKIT_LEARN] for one in self.times if one.n_rows >= MANY_ROWS
        }
        each = f"rand is not slower than scikit-learn's unpruned fit on any set of {MANY_ROWS} rows or more"
        mean = f"rand takes at most {RAND_BAR} of scikit-learn's time on those, by the geometric mean"
        if not found:
            return [Verdict(each), Verdict(mean)]
        slowest = max(found, key=found.__getitem__)
        middle = geometric_mean(found.values())
        return [
            Verdict(each, f"{found[slowest]:.2f} at most, on {slowest}", found[slowest] <= 1),
            Verdict(mean, f"{middle:.2f}", middle <= RAND_BAR),
        ]

    def _small(self) -> Verdict:
        bar = f"rand takes less than {1000 * SMALL_BAR:.0f} ms on sets of fewer rows"
        found = {one.name: one.seconds["rand"] for one in self.times if one.n_rows < MANY_ROWS}
        if not found:
            return Verdict(bar)
        slowest = max(found, key=found.__getitem__)
        return Verdict(bar, f"{1000 * found[slowest]:.1f} ms at most, on {slowest}", found[slowest] < SMALL_BAR)

    @property
    def verdicts(self) -> str:
        return "".join(f"- {verdict}\n" for verdict in self.judged)

    def to_markdown(self) -> str:
        tables = "\n".join(table.to_markdown() for table in (*self.tables, machine_table()))
        return f"# What pruning costs\n\n{self._how()}\n## Bars\n\n{self.verdicts}\n## Tables\n\n{tables}"

    def _how(self) -> str:
        return (
            f"Made on {date.today().isoformat()} by `{self.command}`; not written by hand.\n\n"
            f"Medians of {self.repeats} rounds in which the fits take turns, after one to warm up. petree gets nominal "
            "columns as categories, scikit-learn one-hot floats; both are made beforehand.\n"
        )


def _ratio(one: Timed, name: str, base: str) -> str:
    return f"{one.seconds[name] / one.seconds[base]:.2f}" if name in one.seconds else ""


def _added(synthetic: Sequence[Timed]) -> list[Verdict]:
    bar = "{} adds at most 10% to growing at 1e5 rows"
    return [_against_none(synthetic, name, bar.format(name), ADDED_BAR) for name in ADDING]


def _pre(synthetic: Sequence[Timed]) -> list[Verdict]:
    bar = "{} takes at most " + f"{PRE_BAR} of the unpruned fit at 1e5 rows"
    return [_against_none(synthetic, name, bar.format(name), PRE_BAR) for name in PREPRUNING]


def _against_none(synthetic: Sequence[Timed], name: str, bar: str, most: float) -> Verdict:
    if not synthetic:
        return Verdict(bar)
    found = synthetic[0].seconds[name] / synthetic[0].seconds["none"]
    return Verdict(bar, f"{found:.2f}", found <= most)
