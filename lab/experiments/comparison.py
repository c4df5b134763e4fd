"""Methods compared on data sets: the work, and the page that tells of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lab.experiments.curves import draw_learning_curves, reliability_curves, smaller_trials
from lab.experiments.data import DataSet
from lab.experiments.methods import Method
from lab.experiments.report.figures import critical_difference, reliability
from lab.experiments.report.measure_tables import TITLES, measure_table
from lab.experiments.report.pages import Block, Heading, Page, Picture, Points, Words, slug
from lab.experiments.report.sentences import caveats, findings, left_out
from lab.experiments.results import ResultsFile
from lab.experiments.running import run
from lab.experiments.summary import Summary
from lab.experiments.trials import Trial, cross_validated
from lab.statistics.ranks import nemenyi_difference
from petree.words import counted

MAIN_MEASURES = ("auc", "log_likelihood", "brier")
SHOWN = ("auc", "log_likelihood", "brier", "accuracy", "calibration_error", "leaves", "seconds")


@dataclass(frozen=True)
class Comparison:
    """Repeated cross-validation of methods on data sets, kept in a folder.

    Parameters
    ----------
    data_sets : sequence of DataSet
    methods : sequence of Method
        The first is the one that tables compare the others with.
    folder : Path
        Where results, tables and pictures go; what is there already is not computed again.
    runs, folds, seed : int
        The protocol.
    jobs : int
        Number of processes; -1 takes all cores.
    """

    data_sets: Sequence[DataSet]
    methods: Sequence[Method]
    folder: Path
    runs: int = 10
    folds: int = 5
    seed: int = 0
    jobs: int = -1

    def page(self, pictures: bool, curve: bool, command: str) -> Page:
        """Do what is left of the work, and tell of it.

        Parameters
        ----------
        pictures : bool
            Whether to draw; needs matplotlib.
        curve : bool
            Whether to learn from smaller parts too, for learning curves.
        command : str
            What makes the page.
        """
        summary, failures = self._summary(list(self.trials()), "results.csv", [data.name for data in self.data_sets])
        words = Words(
            f"{counted(len(self.data_sets), 'data set')}, {self.runs} x {self.folds}-fold stratified cross-validation, "
            f"seed {self.seed}. Made by",
            command,
        )
        blocks: list[Block] = [words, Heading("In words")]
        blocks.append(Points([*failures, *caveats(summary), *findings(summary, MAIN_MEASURES)]))
        if summary.data_sets:
            blocks += [Heading("Tables"), *(measure_table(summary, measure) for measure in SHOWN)]
        if pictures and summary.data_sets:
            blocks += [Heading("Pictures"), *self._pictures(summary)]
        if curve:
            blocks += list(self._learning_curves(pictures))
        return Page("Comparison of methods", blocks)

    def trials(self) -> Iterator[Trial]:
        return cross_validated(self.data_sets, self.runs, self.folds, self.seed)

    def _summary(self, trials: Sequence[Trial], name: str, data_sets: Sequence[str]) -> tuple[Summary, list[str]]:
        """The results of the methods that have any, and what failed."""
        results = run(trials, self.methods, ResultsFile(self.folder / name), seed=self.seed, jobs=self.jobs)
        found = {key.method for key in results.measures}
        methods = [method.name for method in self.methods if method.name in found]
        return Summary.of(results.measures, methods, data_sets), results.failures

    def _pictures(self, summary: Summary) -> Iterator[Picture]:
        """Critical differences where there are several data sets, and the reliability of the first run."""
        if len(summary.data_sets) > 1 and len(summary.methods) > 1:
            difference = nemenyi_difference(len(summary.methods), len(summary.data_sets))
            for measure in MAIN_MEASURES:
                if measure in summary.ranks:
                    figure = critical_difference(summary.ranks[measure], difference)
                    yield Picture(f"ranks-{slug(measure)}.png", f"Average ranks, {TITLES[measure][0]}", figure)
        first = [trial for trial in self.trials() if trial.part.run == 0 and trial.data.name in summary.data_sets]
        methods = [method for method in self.methods if method.name in summary.methods]
        curves = reliability_curves(methods, first, self.seed, self.jobs)
        yield Picture("reliability.png", "Reliability of the most probable class, all data sets", reliability(curves))

    def _learning_curves(self, pictures: bool) -> Iterator[Block]:
        """A table, and a picture per data set: how the methods fare with fewer rows, on the first run."""
        yield Heading("Learning curves")
        first = [trial for trial in self.trials() if trial.part.run == 0]
        for number, data in enumerate(self.data_sets, 1):
            trials = list(smaller_trials([trial for trial in first if trial.data.name == data.name], self.seed))
            names = list(dict.fromkeys(trial.data.name for trial in trials))
            summary, failures = self._summary(trials, "learning-curve.csv", names)
            title = f"Learning curve of {data.name}"
            if failures:
                yield Points([*failures, *left_out(summary)])
            if summary.data_sets:
                yield measure_table(summary, "log_likelihood", title)
            if pictures and summary.data_sets:
                yield Picture(
                    f"learning-curve-{number}-{slug(data.name)}.png", title, draw_learning_curves(summary, trials)
                )
