"""Reliability and learning curves: answers beyond the results, smaller training parts, and their pictures."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lab.experiments.measuring import answer
from lab.experiments.methods import Method
from lab.experiments.processes import in_processes
from lab.experiments.report.figures import ReliabilityCurve, learning_curve, reliability_curve
from lab.experiments.report.measure_tables import TITLES
from lab.experiments.summary import Summary
from lab.experiments.trials import Trial
from lab.statistics.resampling import TrainTest
from petree.progress import begin

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The training part of a learning curve is halved down to this many rows.
FEWEST_ROWS = 20


def reliability_curves(
    methods: Sequence[Method], trials: Iterable[Trial], seed: int = 0, jobs: int = -1
) -> dict[str, ReliabilityCurve]:
    """The curve of each method over the trials together: the probability of the most probable class, and its truth."""
    listed = list(trials)
    curves = {}
    advance = begin("folds x methods of the reliability", len(listed) * len(methods))
    for method in methods:
        found = []
        for confidences in in_processes(_confidences, [(method, trial, seed) for trial in listed], jobs):
            found.append(confidences)
            advance(1)
        confidence, is_right = (np.concatenate(parts) for parts in zip(*found, strict=True))
        curves[method.name] = reliability_curve(is_right, confidence)
    return curves


def _confidences(method: Method, trial: Trial, seed: int) -> tuple[NDArray[np.float64], NDArray[Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        probabilities = answer(method, trial, seed + trial.part.run).probabilities
    chosen = trial.data.classes[probabilities.argmax(axis=1)]
    # rounding may lift a sum of probabilities a little above 1
    return np.minimum(probabilities.max(axis=1), 1.0), chosen == trial.data.y[trial.part.test]


def draw_learning_curves(summary: Summary, trials: Iterable[Trial]) -> Figure:
    """The likelihood of each method by the number of rows that the trials of a data set learn from."""
    sizes = {trial.data.name: len(trial.part.learn) for trial in trials}
    places = [sizes[name] for name in summary.data_sets]
    return learning_curve(places, summary.by_method("log_likelihood"), TITLES["log_likelihood"][0])


def sizes_of_halves(n_learn: int) -> list[int]:
    """Numbers of training rows: all, half, a quarter ..., from the fewest to all."""
    sizes = [n_learn]
    while sizes[-1] // 2 >= FEWEST_ROWS:
        sizes.append(sizes[-1] // 2)
    return sizes[::-1]


def smaller_trials(trials: Iterable[Trial], seed: int = 0) -> Iterator[Trial]:
    """Each trial with all, half, a quarter ... of its training rows; a data set is named with the rows learned from.

    The rows of a half are dealt by class, and a half is part of the whole above it. "All" is what every fold of a data
    set has, which is one row fewer than some have.
    """
    listed = list(trials)
    fewest: dict[str, int] = {}
    for data, part in ((trial.data, trial.part) for trial in listed):
        fewest[data.name] = min(len(part.learn), fewest.get(data.name, len(part.learn)))
    for trial in listed:
        yield from sized_trials([trial], sizes_of_halves(fewest[trial.data.name]), seed)


def sized_trials(trials: Iterable[Trial], sizes: Sequence[int], seed: int = 0) -> Iterator[Trial]:
    """Each trial with so many of its training rows, dealt by class; a smaller part belongs to each larger one."""
    for data, part in ((trial.data, trial.part) for trial in trials):
        rng = np.random.default_rng([seed, part.run, part.fold])
        order = part.learn[_mixed_order(data.y[part.learn], rng)]
        for size in sizes:
            rows = np.sort(order[:size])
            yield Trial(data.renamed(size_name(data.name, size)), TrainTest(part.run, part.fold, rows, part.test))


def size_name(data_set: str, size: int) -> str:
    return f"{data_set}, {size} rows"


def _mixed_order(labels: NDArray[Any], rng: np.random.Generator) -> NDArray[np.intp]:
    """An order of rows of which every beginning has nearly the classes of the whole."""
    shuffled = rng.permutation(len(labels))
    codes = np.unique(labels, return_inverse=True)[1][shuffled]
    place = np.empty(len(labels))
    for code in np.unique(codes):
        of_class = np.flatnonzero(codes == code)
        place[of_class] = (np.arange(len(of_class)) + rng.random()) / len(of_class)
    return shuffled[np.argsort(place, kind="stable")]
