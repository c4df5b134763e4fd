"""Results over data sets and methods: means, ranks, and who beats whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.experiments.measuring import MEASURES
from lab.experiments.results import Key
from lab.statistics.ranks import average_ranks
from lab.statistics.significance import TTest, WinsTiesLosses, paired_t_test, sorted_runs_test
from petree.caching import cached_property


@dataclass(frozen=True)
class Summary:
    """The measures of methods on data sets: an array (runs, folds, measures) for each pair.

    Data sets on which some method has no result of some fold are left out; `incomplete` names them.
    """

    methods: tuple[str, ...]
    data_sets: tuple[str, ...]
    incomplete: tuple[str, ...]
    values: Mapping[tuple[str, str], NDArray[np.float64]]

    @classmethod
    def of(
        cls, measures: Mapping[Key, NDArray[np.float64]], methods: Sequence[str], data_sets: Sequence[str]
    ) -> Summary:
        """The summary of results, data sets and methods in the order given."""
        parts: dict[str, dict[str, dict[tuple[int, int], NDArray[np.float64]]]] = {name: {} for name in data_sets}
        for key, found in measures.items():
            parts[key.data_set].setdefault(key.method, {})[key.run, key.fold] = found
        shapes = {name: _shape([place for found in parts[name].values() for place in found]) for name in data_sets}
        is_whole = {
            name: min((len(parts[name].get(method, {})) for method in methods), default=0) == np.prod(shapes[name]) > 0
            for name in data_sets
        }
        whole = tuple(name for name in data_sets if is_whole[name])
        values = {(name, method): _stack(parts[name][method], shapes[name]) for name in whole for method in methods}
        return cls(tuple(methods), whole, tuple(name for name in data_sets if not is_whole[name]), values)

    def of_sets(self, data_sets: Sequence[str]) -> Summary:
        """The same of some data sets only."""
        return Summary(self.methods, tuple(data_sets), (), self.values)

    def folds(self, measure: str, data_set: str, method: str) -> NDArray[np.float64]:
        """The values of a measure, runs x folds."""
        return self.values[data_set, method][:, :, _place(measure)]

    def mean(self, measure: str, data_set: str, method: str) -> float:
        """The mean over the runs and folds in which the measure is defined; of seconds the median."""
        found = self.folds(measure, data_set, method)
        found = found[~np.isnan(found)]
        if not len(found):
            return float("nan")
        # the first fit of a process also loads the compiled loops
        return float(np.median(found) if measure == "seconds" else found.mean())

    def means(self, measure: str) -> NDArray[np.float64]:
        """Data sets x methods."""
        found = [[self.mean(measure, name, method) for method in self.methods] for name in self.data_sets]
        return np.array(found).reshape(len(self.data_sets), len(self.methods))

    def by_method(self, measure: str) -> dict[str, NDArray[np.float64]]:
        """The mean on each data set, by method."""
        return dict(zip(self.methods, self.means(measure).T, strict=True))

    @cached_property
    def ranks(self) -> dict[str, dict[str, float]]:
        """The average rank of each method in each measure that has a better and a worse end and is always defined."""
        found = {}
        for measure, higher_is_better in MEASURES.items():
            means = self.means(measure)
            if higher_is_better is not None and means.size and not np.isnan(means).any():
                ranked = average_ranks(means, higher_is_better).tolist()
                found[measure] = dict(zip(self.methods, ranked, strict=True))
        return found

    # -- one method against another -----------------------------------------------------------------------

    def gains(self, measure: str, data_set: str, one: str, other: str) -> NDArray[np.float64]:
        """By how much a method is better than another, runs x folds; 0 where the measure is not defined."""
        difference = self.folds(measure, data_set, one) - self.folds(measure, data_set, other)
        return np.nan_to_num(difference if MEASURES[measure] else -difference)

    def test(self, measure: str, data_set: str, one: str, other: str) -> TTest:
        """Over sorted runs where there are folds; over all values where each run has one."""
        gains = self.gains(measure, data_set, one, other)
        return sorted_runs_test(gains) if gains.shape[1] > 1 else paired_t_test(gains)

    def direct(self, measure: str, one: str, other: str) -> WinsTiesLosses:
        """On how many data sets a method's mean is better; one that is not defined is a tie."""
        means = self.means(measure)
        difference = means[:, self.methods.index(one)] - means[:, self.methods.index(other)]
        return WinsTiesLosses.direct(np.nan_to_num(difference if MEASURES[measure] else -difference))

    def significant(self, measure: str, one: str, other: str, level: float = 0.05) -> WinsTiesLosses:
        """On how many data sets a method is significantly better."""
        return WinsTiesLosses.significant([self.test(measure, name, one, other) for name in self.data_sets], level)

    def mark(self, measure: str, data_set: str, one: str, other: str) -> str:
        """A full dot where a method is significantly better than another, an empty one where it is worse."""
        if MEASURES[measure] is None:
            return ""
        found = self.test(measure, data_set, one, other)
        return ("●" if found.t > 0 else "○") if found.is_significant() else ""


def _place(measure: str) -> int:
    return list(MEASURES).index(measure)


def _shape(places: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Numbers of runs and folds."""
    return (len({run for run, _ in places}), len({fold for _, fold in places}))


def _stack(found: Mapping[tuple[int, int], NDArray[np.float64]], shape: tuple[int, int]) -> NDArray[np.float64]:
    return np.array([found[place] for place in sorted(found)]).reshape(*shape, len(MEASURES))
