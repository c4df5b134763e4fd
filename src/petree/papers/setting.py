"""What all papers share: how much work to do, where results are kept, and what a conclusion comes to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from petree.experiments.methods import Method
from petree.experiments.report.tables import Table
from petree.experiments.results import ResultsFile
from petree.experiments.running import run
from petree.experiments.summary import Summary
from petree.experiments.trials import Trial
from petree.papers.printed import conclusions

QUICK_RUNS = 2
RULES = (
    "The papers' sentences leave open how much is much: the rules that decide, and their thresholds, are ours, and "
    "some were set after a first look at results on the same data."
)


@dataclass(frozen=True)
class Setting:
    """How an experiment of a paper is run.

    Parameters
    ----------
    folder : Path
        Where results are kept; what is there already is not computed again.
    quick : bool
        At most two runs of what the paper ran more often.
    seed : int
        Seed of everything random.
    jobs : int
        Number of processes; -1 takes all cores.
    pictures : bool
        Whether to draw; needs matplotlib.
    """

    folder: Path
    quick: bool = False
    seed: int = 0
    jobs: int = -1
    pictures: bool = True

    def runs(self, usual: int) -> int:
        """Runs to make of so many."""
        return min(usual, QUICK_RUNS) if self.quick else usual

    def summary(self, name: str, trials: Iterable[Trial], methods: Sequence[Method]) -> Summary:
        """Measure methods on trials; results are kept under this name, and a method that fails stops the work."""
        listed = list(trials)
        results = run(listed, methods, ResultsFile(self.folder / f"{name}.csv"), seed=self.seed, jobs=self.jobs)
        if results.failures:
            raise ValueError(f"The experiment {name} is incomplete: {results.failures[0]}; mend that and start again.")
        data_sets = list(dict.fromkeys(trial.data.name for trial in listed))
        return Summary.of(results.measures, [method.name for method in methods], data_sets)


def beside(own: float, paper: float, decimals: int) -> str:
    """Ours, and in brackets the paper's number and the difference of the two as shown."""
    shown = f"{own:.{decimals}f}"
    printed = f"{paper:.{decimals}f}"
    if shown == printed:
        return f"{shown} (=)"
    return f"{shown} ({printed}, {float(shown) - float(printed):+.{decimals}f})"


class Verdict(NamedTuple):
    """Whether a conclusion of a paper holds here, and the figure that decides; None where it could not be tried."""

    holds: bool | None
    figure: str


def verdict_table(paper: str, verdicts: Mapping[str, Verdict], missing: str) -> Table:
    """All conclusions of a paper, what decides them, and whether they hold.

    Parameters
    ----------
    paper : str
        As in `petree.papers.printed`.
    verdicts : dict of Verdict
        By the key of the conclusion.
    missing : str
        What is said of conclusions without a verdict.
    """
    words = {True: "holds", False: "does not hold", None: "not tried"}
    rows = []
    for conclusion in conclusions(paper):
        verdict = verdicts.get(conclusion.key, Verdict(None, missing))
        rows.append([conclusion.statement, conclusion.section, words[verdict.holds], verdict.figure])
    heads = ("conclusion", "section", "here", "the figure that decides")
    return Table("Conclusions of the paper", heads, rows, RULES)
