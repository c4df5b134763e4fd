"""Time and memory of all libraries, asked in turn: only one process works at any time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from rich.progress import Progress

from lab.speed.data import Case
from lab.speed.peers import Limits
from lab.speed.worker import Timing
from lab.speed.workers import Workers

# A library gets no further round once its fits of a case took this long.
BUDGET_SECONDS = 60.0


@dataclass(frozen=True)
class Measured:
    """The timings of one library on one case."""

    timings: Sequence[Timing]

    @property
    def fit(self) -> float:
        return median(timing.fit for timing in self.timings)

    @property
    def fastest_fit(self) -> float:
        return min(timing.fit for timing in self.timings)

    @property
    def predict(self) -> float:
        return median(timing.predict for timing in self.timings)

    @property
    def fastest_predict(self) -> float:
        return min(timing.predict for timing in self.timings)

    @property
    def leaves(self) -> int:
        return self.timings[0].leaves

    @property
    def accuracy(self) -> float:
        return self.timings[0].accuracy


Comparison = dict[Case, dict[str, Measured]]


def compare(cases: Sequence[Case], workers: Workers, repeats: int) -> Comparison:
    """Timings of every library on every case."""
    return {case: _compare_case(case, workers, repeats) for case in cases}


def _compare_case(case: Case, workers: Workers, repeats: int) -> dict[str, Measured]:
    for name in workers.names:
        workers.ask(name, f"{case.name}, table and warm-up", "prepare", case, True)
    timings: dict[str, list[Timing]] = {name: [] for name in workers.names}
    for turn in range(repeats):
        for name in workers.names:
            if sum(timing.fit for timing in timings[name]) < BUDGET_SECONDS:
                what = f"{case.name}, round {turn + 1} of {repeats}"
                timing = workers.ask(name, what, "fit_and_predict", Limits(n_leaves=_leaves(timings)))
                timings[name] += [] if timing is None else [timing]
    return {name: Measured(taken) for name, taken in timings.items() if taken}


def _leaves(timings: Mapping[str, Sequence[Timing]]) -> int | None:
    """The size of scikit-learn's tree, the limit of the boosting libraries."""
    taken = timings.get("scikit-learn")
    return taken[0].leaves if taken else None


def peak_memory(case: Case, names: Sequence[str], progress: Progress, failures: list[str]) -> dict[str, int]:
    """Peak bytes beyond the input of one fit of each library, each in a new process."""
    peaks: dict[str, int] = {}
    n_leaves = None
    for name in names:
        with Workers([name], progress, failures) as workers:
            workers.ask(name, f"{case.name}, table and warm-up", "prepare", case, False)
            answer = workers.ask(name, f"{case.name}, memory", "peak_memory", Limits(n_leaves=n_leaves))
        if answer is not None:
            peaks[name], leaves = answer
            n_leaves = leaves if name == "scikit-learn" else n_leaves
    return peaks
