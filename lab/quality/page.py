"""The page of the quality benchmark: how it was made, the tables, and what they say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from lab.experiments.report.pages import Page as ReportPage
from lab.experiments.report.tables import Table
from lab.pages import Parts, page_of
from lab.quality.contenders import DEFAULT, DEFAULT_OPTIONS, FEWEST_BITS, OPTIONS, PRUNINGS, Contender
from lab.quality.data import MOST_ROWS, N_FOLDS, TABLE_1, FrameSet
from lab.quality.first_folds import FirstFolds
from lab.quality.peers import with_version
from lab.quality.reading import (
    SINGLE_TREE_TO_BEAT,
    ordered_growths,
    read_average,
    read_best,
    read_default,
    read_halves,
    read_losses,
    read_order,
    read_peers,
    read_pruning,
)
from lab.quality.results import state_of_sources
from lab.quality.scoring import Scores
from lab.quality.tables import main_table, matrix_table, order_table, sets_table

PACKAGES = ("scikit-learn", "imodels", "numpy")
REFERENCE = "scikit-learn/forest"
# From the poorest to the best, for what pruning does under each.
SMOOTHINGS_TO_PRUNE = ("none", "laplace", "m_branch", "doubt-auto")


@dataclass(frozen=True)
class Section:
    """A group of data sets: its tables and what they say."""

    title: str
    scores: Scores
    contenders: Sequence[Contender]

    @property
    def own(self) -> list[str]:
        """The single trees of petree."""
        return [one.name for one in self._present if one.is_petree and one.growth != OPTIONS]

    @property
    def averages(self) -> list[str]:
        """The option trees, which are no single trees."""
        return [one.name for one in self._present if one.growth == OPTIONS]

    @property
    def best(self) -> str | None:
        return self.scores.best("bits", self.own) if self.own else None

    @property
    def peers(self) -> list[Contender]:
        return [one for one in self._present if not one.is_petree]

    @property
    def _present(self) -> list[Contender]:
        return [one for one in self.contenders if one.name in self.scores.contenders]

    @cached_property
    def tables(self) -> list[Table]:
        tables = [main_table(f"{self.title}: peers and petree", self.scores, self.contenders)]
        for measure, name in (("bits", "bits"), ("auc", "AUC")):
            tables.append(matrix_table(f"{self.title}: {name} of petree", self.scores, self.contenders, measure))
        growths = ordered_growths(self.scores, self.contenders)
        return [*tables, order_table(self.scores, growths)] if growths else tables

    @property
    def reading(self) -> list[str]:
        lines = read_best(self.scores, self.own)
        if self.best:
            lines += read_peers(self.scores, self.best, self.peers)
            rivals = [one for one in self.peers if one.name == SINGLE_TREE_TO_BEAT]
            lines += [line for rival in rivals for line in read_losses(self.scores, self.best, rival)]
            if DEFAULT in self.own:
                lines += [line for one in rivals for line in read_default(self.scores, DEFAULT, one, self.peers)]
            if FEWEST_BITS in self.own:
                lines += read_peers(self.scores, FEWEST_BITS, rivals)
        if self.averages:
            best = self.scores.best("bits", self.averages)
            rivals = [one for one in self._present if one.name == DEFAULT]
            lines += [*read_average(self.scores, best, self.own), *read_peers(self.scores, best, rivals + self.peers)]
        lines += read_pruning(self.scores, SMOOTHINGS_TO_PRUNE, PRUNINGS)
        return lines + read_order(self.scores, ordered_growths(self.scores, self.contenders))


@dataclass(frozen=True)
class Page:
    """Everything that a run has to say.

    Parameters
    ----------
    scores : Scores
    contenders, data_sets, seeds
        What was asked for.
    results : DataFrame
        The lines behind the scores, for their dates and the sources they were computed with.
    failures : sequence of str
    command : str
    """

    scores: Scores
    contenders: Sequence[Contender]
    data_sets: Sequence[FrameSet]
    results: pd.DataFrame
    seeds: Sequence[int]
    failures: Sequence[str]
    command: str

    @cached_property
    def sections(self) -> list[Section]:
        names = [data.name for data in self.data_sets]
        table_1 = [name for name in names if name in TABLE_1]
        whole = Section(f"All {len(names)} sets", self.scores, self.contenders)
        part = Section(f"CW488, {len(table_1)} of its sets", self.scores.of_sets(table_1), self.contenders)
        return [part] if len(table_1) == len(names) else [whole, part] if table_1 else [whole]

    @cached_property
    def first_folds(self) -> FirstFolds:
        return FirstFolds.of(self.results, [data.name for data in self.data_sets], self.contenders)

    @cached_property
    def tables(self) -> list[Table]:
        of_sections = [table for section in self.sections for table in section.tables]
        return [*of_sections, *self.first_folds.tables, *self._by_set()]

    def _by_set(self) -> Iterator[Table]:
        """The best combination beside the single tree to beat, set by set."""
        best = self.sections[0].best
        known = {one.name: one for one in self.contenders}
        names = [
            best,
            *(name for name in (SINGLE_TREE_TO_BEAT, DEFAULT_OPTIONS, REFERENCE) if name in self.scores.contenders),
        ]
        if best and SINGLE_TREE_TO_BEAT in names:
            rivals = [known[name] for name in names if name]
            yield sets_table("Set by set", self.scores, rivals, self.data_sets)

    @property
    def parts(self) -> Parts:
        """What is said in words."""
        sections = [(section.title, section.reading) for section in self.sections]
        slow = (self.first_folds.title, self.first_folds.reading)
        return [*sections, slow, ("Option trees", self._halves), ("Left out", self._left_out)]

    @property
    def _halves(self) -> list[str]:
        """Option trees without arguments where they were chosen, and elsewhere; of all sets only."""
        rivals = [one for one in self.contenders if one.name == REFERENCE]
        if len(self.sections) < 2 or not {DEFAULT_OPTIONS, REFERENCE} <= set(self.scores.contenders):
            return []
        return read_halves(self.scores, DEFAULT_OPTIONS, rivals[0], sorted(self.scores.sets))

    @property
    def _left_out(self) -> list[str]:
        known = {*self.scores.contenders, *(one.name for one in self.first_folds.slow)}
        missing = [one.label for one in self.contenders if one.name not in known]
        return [f"{label}: not all folds have results." for label in missing] + list(self.failures)

    def report(self) -> ReportPage:
        """The page as it is shown."""
        return page_of("How good the probabilities are", self.command, self._how(), self.parts, self.tables)

    def _how(self) -> str:
        """How the results were made."""
        seeds = ", ".join(map(str, self.seeds))
        versions = ", ".join(map(with_version, PACKAGES))
        return (
            f"{len(self.data_sets)} data sets; {len(self.seeds)} x {N_FOLDS}-fold stratified cross-validation with the "
            f"seeds {seeds}; of sets of more than {MOST_ROWS} rows a fixed random sample of {MOST_ROWS}. petree gets "
            "the columns as they are and grows unpruned trees, unless a criterion is named (gain+rand). The peers get "
            "nominal columns one-hot, a missing "
            "category as one of its own, and the median of the training part for missing numbers. A class that is "
            f"absent from a training part has probability 0. {self._slow()}{versions}. {self._age()}"
        )

    def _slow(self) -> str:
        """Who had the first folds alone."""
        names = " and ".join(one.label.removeprefix("reference: ") for one in self.first_folds.slow)
        return f"{names} takes so long that it has the first fold of each set alone. " if names else ""

    def _age(self) -> str:
        """When the results were computed, and how many of petree's with other sources than today's."""
        if self.results.empty:
            return "There are no results."
        own = self.results[self.results["contender"].isin([one.name for one in self.contenders if one.is_petree])]
        old = int((own["sources"] != state_of_sources()).sum())
        first = self.results["date"].min()
        last = self.results["date"].max()
        return (
            f"Results were computed from {first} to {last}; {old} of petree's {len(own)} with other sources than "
            "those of this page (--fresh computes these anew)."
        )
