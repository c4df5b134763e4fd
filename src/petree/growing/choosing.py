"""Where a criterion has a say in which test a node gets: the best one of those that pass."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from petree.keys import Keys
from petree.sources.base import Candidates, Nodes, Source, Splits
from petree.sources.searching.blocks import TOLERANCE
from petree.tree import offsets, ranges

# Tests of a node that are looked at in the first round; in every further one twice as many.
FIRST_LOOK = 4

# ``passes(children, child_start, keys)``: which tests pass, by the class counts of their children and the random keys
# of their nodes.
Passes = Callable[[NDArray[np.float64], NDArray[np.intp], Keys], NDArray[np.bool_]]


def best_passing(source: Source, nodes: Nodes, best: Splits, keys: Keys, passes: Passes) -> Splits:
    """The best splits of some nodes; where one does not pass, the next test by its score that does.

    A node of which no test passes keeps its best one, for the criterion to refuse.
    """
    gain = best.gain.copy()
    tests = best.tests.copy()
    for candidates in source.candidates(nodes.take(best.node)):
        splits = candidates.splits
        chosen = _first_passing(candidates, _rank(splits, best), keys[best.node], passes)
        gain[splits.node[chosen]] = splits.gain[chosen]
        tests[splits.node[chosen]] = splits.tests[chosen]
    return Splits(best.node, gain, tests)


def _rank(splits: Splits, best: Splits) -> NDArray[np.intp]:
    """The candidates of each node from the best on; of equal ones, the one generated first."""
    is_best = splits.tests == best.tests[splits.node]
    score = np.where(is_best, np.finfo(np.float64).max, splits.gain)
    number = np.arange(len(splits))
    order = np.lexsort((number, -score, splits.node))
    is_lower = np.diff(score[order], prepend=0.0) < -TOLERANCE
    place = np.empty(len(splits), np.intp)
    place[order] = np.cumsum(is_lower)
    return np.lexsort((number, place, splits.node))


def _first_passing(candidates: Candidates, ranked: NDArray[np.intp], keys: Keys, passes: Passes) -> NDArray[np.intp]:
    """The first candidate of each node, as they are ranked, that passes; nodes without one are left out."""
    owners, starts, lengths = np.unique(candidates.splits.node[ranked], return_index=True, return_counts=True)
    chosen = np.full(len(owners), -1)
    going = np.arange(len(owners))
    done = 0
    step = FIRST_LOOK
    while len(going):
        until = np.minimum(lengths[going], done + step)
        rows = ranked[ranges(starts[going] + done, starts[going] + until)]
        passing = rows[_ask(candidates, rows, keys, passes)]
        found, first = np.unique(candidates.splits.node[passing], return_index=True)
        chosen[np.searchsorted(owners, found)] = passing[first]
        done += step
        step *= 2
        going = going[(chosen[going] < 0) & (lengths[going] > done)]
    return chosen[chosen >= 0]


def _ask(candidates: Candidates, rows: NDArray[np.intp], keys: Keys, passes: Passes) -> NDArray[np.bool_]:
    """Which of some candidates pass."""
    stops = np.cumsum(candidates.n_children)[rows]
    lengths = candidates.n_children[rows]
    children = candidates.children[ranges(stops - lengths, stops)]
    return passes(children, offsets(lengths), keys[candidates.splits.node[rows]])
