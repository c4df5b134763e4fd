"""Randomisation tests."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlogy

from petree.parts import check_choice, check_integer, check_number
from petree.pruning.by_stump import StumpCriterion
from petree.pruning.criteria.significance.chi import Chi
from petree.pruning.engine.context import Context, PermutableSource, require
from petree.pruning.engine.correction import number_of_cases
from petree.pruning.engine.log import log_of
from petree.pruning.engine.permutation_tests import PermutationTests
from petree.pruning.engine.stumps import Stumps, Verdicts, inner_nodes
from petree.tree import Tree

# Bits by which a gain must exceed what permutations can reach for no permutation to be needed: a chance below 1e-9.
CERTAIN_BITS = 30
# The level of the chi-square test where no permutation at all may do as well.
TINY = 1e-12
# A test that is to keep a node of many more cases than its own gets at most so many times the usual permutations.
MOST_TIMES = 100


class Rand(StumpCriterion):
    """A test stays if its score beats the best one of most permutations of the node's class labels.

    This is Fierens et al. (2007), section 4.2. The labels of the node's cases are permuted R times, and each time the
    best score over all candidate tests is sought; the node's test is accepted if its score is strictly above at least
    ``ceil((1 - alpha) R)`` of these.

    Parameters
    ----------
    alpha : float, default=0.05
        Level of the test.
    permutations : int, default=100
        The R of the definition.
    when : {"post", "pre"}, default="post"
        Whether the stumps of a grown tree are tested bottom-up, or every node before it is split.
    correction : {None, "cases"}, default=None
        With None an accepted test keeps all nodes above it, and in a large tree some test is always accepted. With
        "cases" it keeps a node above only at its share of that node's cases (`petree.pruning.engine.correction`): for a
        node of k times its own cases, no more of ``k R`` permutations may do as well than otherwise of R. With gain a
        bound of the chance of a permutation to do as well may decide instead; else no test keeps a node of more than
        100 times its cases.
    randomise : {"labels", "attributes"}, default="labels"
        What is permuted. With "attributes" the labels and the links between tables stay, and the values that describe
        the objects of a table move among them (Neville et al. 2003): linked data have few independent objects, which
        permuted labels ignore. It takes a search for every permutation. On a single table the two are the same.
    """

    names = ("shuffles of the classes that gave as good a test, counted to one too many", "allowed")
    needs = ("source",)
    exchanges_rows = True

    def __init__(
        self,
        alpha: float = 0.05,
        permutations: int = 100,
        when: str = "post",
        correction: str | None = None,
        randomise: str = "labels",
    ) -> None:
        self.alpha = alpha
        self.permutations = permutations
        self.when = when
        self.correction = correction
        self.randomise = randomise

    def check(self) -> None:
        super().check()
        check_number(self, "alpha", 0, most=1)
        check_integer(self, "permutations", 1)
        check_choice(self, "randomise", ("labels", "attributes"))

    def judge(self, stumps: Stumps, context: Context) -> Verdicts:
        found, _ = self._count(stumps, context, np.full(len(stumps), self.permutations))
        return Verdicts.of_counts(found, self._allowed())

    def supported_cases(self, stumps: Stumps, context: Context, most: NDArray[np.float64]) -> NDArray[np.float64]:
        """``n (T - 1) / R`` where the permutation T is the first to be one too many.

        The test of a node of n cases keeps one of n_v if T is none of the first ``R n_v / n``. For more cases than its
        own it may also do so by the bound of its chance, and no permutation is needed where that is enough.
        """
        cases = number_of_cases(stumps.counts)
        usual = self.permutations
        by_bound = self._times_by_bound(stumps, context)
        asked = most / cases
        wanted = np.minimum(np.ceil(usual * most / cases), MOST_TIMES * usual)
        wanted[(asked > 1) & (by_bound >= asked)] = 0
        found, tried = self._count(stumps, context, wanted.astype(np.int64))
        times = np.where(found > self._allowed(), tried - 1, tried) / usual
        supported = cases * np.where((times >= 1) | (wanted == 0), np.maximum(times, by_bound), times)
        source, handles, _ = self._ask(context)
        too_large = ~source.permutes(handles[context.places(stumps.nodes)]) & (wanted > 0)
        if too_large.any():
            chi = Chi(self.alpha or TINY, correction="cases")
            supported = np.where(too_large, chi.supported_cases(stumps, context, most), supported)
        return supported

    def _prune(self, tree: Tree, context: Context) -> Tree:
        """The pruned tree; stumps are tested in one go where the source can."""
        source, handles, keys = self._ask(context)
        is_usual = self.when == "post" and self.correction is None and not self._moves_attributes(source)
        walk = source.pruning_walk if is_usual and not tree.is_dag else None
        if walk is None:
            return super()._prune(tree, context)
        inner = inner_nodes(tree)
        wanted = np.zeros(tree.n_nodes, np.int64)
        wanted[inner] = self.permutations
        if self._has_bound(source):
            wanted[inner] = self._needed(Stumps.of(tree, inner), wanted[inner])
        fallback = None
        too_large = inner[~source.permutes(handles[inner])]
        if len(too_large):
            fallback = np.zeros(tree.n_nodes, np.int64)
            fallback[too_large] = self._without_permuting(Stumps.of(tree, too_large), context)
        trials = PermutationTests(
            handles, tree.counts, keys, tree.annotations["gain"], wanted, self._allowed(), fallback
        )
        found = walk(trials, tree.parents)
        tested = np.flatnonzero(found >= 0)
        return log_of(self, self.names, tree, tested, Verdicts.of_counts(found[tested], self._allowed())).pruned()

    def _ask(self, context: Context) -> tuple[PermutableSource, NDArray[Any], NDArray[np.uint64]]:
        """Source, handles and keys."""
        source = require(self, "source", context.source)
        handles = require(self, "handles", context.handles)
        return source, handles, require(self, "keys", context.keys)

    def _count(
        self, stumps: Stumps, context: Context, wanted: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Permutations that do as well as each node's test, up to one more than allowed, and how many were tried."""
        source, handles, keys = self._ask(context)
        found = np.zeros(len(stumps), np.int64)
        tried = wanted.copy()
        asked = np.flatnonzero(self._needed(stumps, wanted) if self._has_bound(source) else wanted)
        places = context.places(stumps.nodes[asked])
        are_permuted = source.permutes(handles[places]).all()
        fallback = None if are_permuted else self._without_permuting(stumps, context)[asked]
        trials = PermutationTests(
            handles[places],
            stumps.counts[asked],
            keys[places],
            stumps.score[asked],
            wanted[asked],
            self._allowed(),
            fallback,
        )
        found[asked], tried[asked] = source.exceedances(trials, self._moves_attributes(source))
        return found, tried

    def _without_permuting(self, stumps: Stumps, context: Context) -> NDArray[np.int64]:
        """The verdict of the chi-square test at the same level: no permutation found, or one too many."""
        return np.where(Chi(self.alpha or TINY).judge(stumps, context).accepted, 0, self._allowed() + 1)

    def _times_by_bound(self, stumps: Stumps, context: Context) -> NDArray[np.float64]:
        """How many times its cases each test supports by the bound of its chance, which is known for gain alone."""
        if context.source is None or not self._has_bound(context.source):
            return np.zeros(len(stumps))
        chance = log2_chance(stumps.counts, stumps.score, stumps.n_tests)
        return self.alpha * np.exp2(np.minimum(-chance, 900))

    def _moves_attributes(self, source: PermutableSource) -> bool:
        """Whether labels stay and attributes move, which makes a difference where there are several tables."""
        return self.randomise == "attributes" and bool(source.is_linked)

    def _has_bound(self, source: PermutableSource) -> bool:
        """Whether the chance of a permutation is known to be small where the score is high."""
        return bool(source.is_plain_gain) and not self._moves_attributes(source)

    def _allowed(self) -> int:
        """Permutations that may do as well."""
        return int(self.permutations) - math.ceil((1 - self.alpha) * self.permutations - 1e-9)

    def _needed(self, stumps: Stumps, wanted: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many of the permutations wanted are needed: none where it is certain that none will do as well."""
        needed = wanted.copy()
        large = np.flatnonzero(stumps.counts.sum(axis=1) * stumps.score > CERTAIN_BITS)
        chance = log2_chance(stumps.counts[large], stumps.score[large], stumps.n_tests[large])
        needed[large[chance + np.log2(np.maximum(wanted[large], 1)) < -CERTAIN_BITS]] = 0
        return needed


def log2_chance(
    counts: NDArray[np.float64], gains: NDArray[np.float64], n_tests: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Logarithm of a bound of the chance that a permutation of a node's labels gives the best test at least its gain.

    A test has fewer than ``prod (n_c + 1)`` tables, the largest class left out, each of gain g with a chance below
    ``(N + 1) 2^(-N g)`` (method of types). With two classes a table is that of two independent binomials X and Y, given
    their sum, which has the chance M; ``P(X >= x) P(Y <= y) <= 2^(-N g)`` (Chernoff), and as much in the other tail, so
    ``2 2^(-N g) / M``. With missing values a test is tried in two ways: there are up to ``2 N_test``.
    """
    n_cases = counts.sum(axis=1)
    most = counts.max(axis=1)
    log_tables = np.log2(counts + 1).sum(axis=1) - np.log2(most + 1) + np.log2(n_cases + 1)
    two = np.flatnonzero((counts > 0).sum(axis=1) == 2)
    log_tables[two] = 1 - log2_binomial_chance(n_cases[two], most[two])
    return log_tables + 1 + np.log2(np.maximum(n_tests, 1)) - n_cases * gains


def log2_binomial_chance(n: NDArray[np.float64], k: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithm of the chance of k out of n at a rate of k / n."""
    log_ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return (log_ways + xlogy(k, k / n) + xlogy(n - k, (n - k) / n)) / math.log(2)
