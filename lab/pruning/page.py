"""The page of the pruning benchmark: ratios of times, and which bars hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import geometric_mean

from lab.experiments.report.pages import Page as ReportPage
from lab.pages import Parts, page_of
from lab.pruning.contenders import Contender
from lab.pruning.data import SYNTHETIC
from lab.pruning.times import BUDGET_SECONDS, SCIKIT_LEARN, THREADS, Timed
from lab.report import Table
from lab.verdicts import Verdict

UNPRUNED = "none"
MANY_ROWS = 1000
RAND_BAR = 0.6
SMALL_BAR = 0.010
ADDED_BAR = 1.1
ADDING = ("mdl", "bic", "chi", "error_based")
PRE_BAR = 0.7
PREPRUNING = ("mdl, pre", "bic, pre")
BASES = {SCIKIT_LEARN: "scikit-learn's unpruned tree", UNPRUNED: "petree without pruning"}


@dataclass(frozen=True)
class Page:
    """Everything that a run has to say.

    Parameters
    ----------
    times : sequence of Timed
    contenders, repeats, command
        What was asked for.
    failures : sequence of str
    machine : Table
        What it was measured on.
    """

    times: Sequence[Timed]
    contenders: Sequence[Contender]
    failures: Sequence[str]
    machine: Table
    repeats: int
    command: str

    @cached_property
    def tables(self) -> list[Table]:
        """The tables that sum up."""
        return [*(self._means(base) for base in BASES), self._milliseconds()]

    def _means(self, base: str) -> Table:
        groups = self._groups()
        rows = [[name, *(_mean(group, name, base) for group in groups.values())] for name in self._names()]
        return Table(f"Times as multiples of {BASES[base]}, geometric means", ("fit", *groups), rows)

    def _groups(self) -> dict[str, list[Timed]]:
        """The sets of few rows, those of many, and the generated table."""
        sets = [one for one in self.times if one.name != SYNTHETIC]
        groups = {
            f"sets below {MANY_ROWS} rows": [one for one in sets if one.n_rows < MANY_ROWS],
            f"sets of {MANY_ROWS} rows or more": [one for one in sets if one.n_rows >= MANY_ROWS],
            SYNTHETIC: self._synthetic,
        }
        return {title: group for title, group in groups.items() if group}

    def _names(self) -> list[str]:
        return list(dict.fromkeys(name for one in self.times for name in one.seconds))

    def _milliseconds(self) -> Table:
        names = (SCIKIT_LEARN, UNPRUNED, "rand")
        rows = [[one.name, str(one.n_rows), *(_ms(one.seconds.get(name)) for name in names)] for one in self.times]
        return Table("Milliseconds", ("set", "rows", "scikit-learn", "petree, none", "petree, rand"), rows)

    def _by_set(self, base: str) -> Table:
        rows = [[name, *(_cell(one.ratio(name, base)) for one in self.times)] for name in self._names()]
        return Table(f"Set by set, as multiples of {BASES[base]}", ("fit", *(one.name for one in self.times)), rows)

    @property
    def _synthetic(self) -> list[Timed]:
        return [one for one in self.times if one.name == SYNTHETIC]

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """Every bar with its verdict."""
        added = "{} adds at most 10% to growing at 1e5 rows"
        pre = "{} takes at most " + f"{PRE_BAR} of the unpruned fit at 1e5 rows"
        return [
            *self._rand(),
            self._small(),
            *(self._against_unpruned(name, added.format(name), ADDED_BAR) for name in ADDING),
            *(self._against_unpruned(name, pre.format(name), PRE_BAR) for name in PREPRUNING),
        ]

    def _rand(self) -> list[Verdict]:
        large = [one for one in self.times if one.n_rows >= MANY_ROWS and one.name != SYNTHETIC]
        many = {one.name: one.ratio("rand", SCIKIT_LEARN) for one in large}
        found = {name: ratio for name, ratio in many.items() if ratio is not None}
        each = f"rand is not slower than scikit-learn's unpruned fit on any set of {MANY_ROWS} rows or more"
        mean = f"rand takes at most {RAND_BAR} of scikit-learn's time on those, by the geometric mean"
        if not found:
            return [Verdict(each), Verdict(mean)]
        slowest = max(found, key=found.__getitem__)
        middle = geometric_mean(found.values())
        slower = sum(ratio > 1 for ratio in found.values())
        return [
            Verdict(
                each, f"{found[slowest]:.2f} at most, on {slowest}; slower on {slower} of {len(found)}", slower == 0
            ),
            Verdict(mean, f"{middle:.2f}", middle <= RAND_BAR),
        ]

    def _small(self) -> Verdict:
        bar = f"rand takes less than {1000 * SMALL_BAR:.0f} ms on sets of fewer rows"
        few = [one for one in self.times if one.n_rows < MANY_ROWS]
        found = {one.name: one.seconds["rand"] for one in few if "rand" in one.seconds}
        if not found:
            return Verdict(bar)
        slowest = max(found, key=found.__getitem__)
        return Verdict(bar, f"{_ms(found[slowest])} ms at most, on {slowest}", found[slowest] < SMALL_BAR)

    def _against_unpruned(self, name: str, bar: str, most: float) -> Verdict:
        ratio = self._synthetic[0].ratio(name, UNPRUNED) if self._synthetic else None
        return Verdict(bar) if ratio is None else Verdict(bar, f"{ratio:.2f}", ratio <= most)

    @property
    def parts(self) -> Parts:
        """What is said in words."""
        left_out = [*self._sitting_out(), *self._cut_short(), *self.failures]
        return [("Bars", self.verdicts), ("Left out", left_out)]

    def _sitting_out(self) -> list[str]:
        """Sentences about contenders that are too slow for some sets."""
        return [
            f"{one.name} runs on sets of at most {one.most_rows} rows only: it takes too long elsewhere."
            for one in self.contenders
            if not all(one.takes(table.n_rows) for table in self.times)
        ]

    def _cut_short(self) -> list[str]:
        """Sentences about fits that took their time before all rounds were over."""
        found = {
            name: [
                (one.name, one.rounds[name]) for one in self.times if one.rounds.get(name, self.repeats) < self.repeats
            ]
            for name in self._names()
        }
        return [
            f"{name} has fewer rounds on {', '.join(f'{where} ({rounds})' for where, rounds in short)}."
            for name, short in found.items()
            if short
        ]

    def report(self) -> ReportPage:
        """The page as it is shown."""
        how = (
            f"Medians of at most {self.repeats} rounds in which the fits take turns, after one to warm up; petree with "
            f"{THREADS} threads. A fit whose rounds on a set took {BUDGET_SECONDS:g} s gets no further one there. "
            "petree gets nominal columns as categories, scikit-learn one-hot floats; both are made beforehand."
        )
        shown = [*self.tables, *(self._by_set(base) for base in BASES), self.machine]
        return page_of("What pruning costs", self.command, how, self.parts, shown)


def _mean(group: Sequence[Timed], name: str, base: str) -> str:
    """Over the sets of a group, if the fit is there on all of them."""
    found = [one.ratio(name, base) for one in group]
    ratios = [ratio for ratio in found if ratio is not None]
    return f"{geometric_mean(ratios):.2f}" if len(ratios) == len(group) else ""


def _cell(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}"


def _ms(seconds: float | None) -> str:
    return "" if seconds is None else f"{1000 * seconds:.1f}"
