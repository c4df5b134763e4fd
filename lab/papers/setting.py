"""How much of a paper's work to do, and where its results are kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lab.experiments.methods import Method
from lab.experiments.results import ResultsFile
from lab.experiments.running import run
from lab.experiments.summary import Summary
from lab.experiments.trials import Trial

QUICK_RUNS = 2


@dataclass(frozen=True)
class PaperSetting:
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
