"""Trees with options from several tables: tests of the empty query in columns, and a tree grown from these."""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from petree.bayes import Prior
from petree.binning import Exact
from petree.columns import Column
from petree.conditions import QUERY, UNSEEN, Conditions
from petree.estimators.learning.cases import Cases
from petree.estimators.option.growing import grow
from petree.growing.option_ground import OptionRules
from petree.growing.options import GrownTree
from petree.inputs import Table
from petree.relational.columns_of_queries import best_tests, refined_families
from petree.relational.queries.terms import text_of
from petree.relational.refinement.grouping import ordinal_codes, turned
from petree.relational.refinement.refiner import OF_PATHS
from petree.relational.refinement.tabulation import LocalTable, tabulate
from petree.relational.source import RelationalSource
from petree.threads import Threads
from petree.tree import joined_at_root


class AskedTests(NamedTuple):
    """Tests about the example, each by itself; the first columns are of the empty query, the others refine these."""

    tests: LocalTable
    n_first: int

    @classmethod
    def of(cls, source: RelationalSource, n_refined: int) -> Self:
        """With refinements of the `n_refined` best tests, and of the paths those that have one of these.

        The others of paths are many, and mostly noise, which an average over drawn columns suffers from.
        """
        first = source.table(0)
        best = best_tests(source, n_refined)
        wanted = {int(first.layout.family_of[column]) for column, _ in best}
        families = first.layout.families
        chosen = [at for at, family in enumerate(families) if family.mode != OF_PATHS or at in wanted]
        refined = refined_families(source, best)
        if not refined and len(chosen) == len(families):
            return cls(first, len(first.layout.n_bins))
        tests = tabulate(source.answers_of(0), [*(families[at] for at in chosen), *refined])
        source.left_out.update(text_of(family.literals) for family in tests.layout.left_out)
        return cls(tests, int(np.isin(first.layout.family_of, chosen).sum()))


def grow_from(
    source: RelationalSource, cases: Cases, prior: Prior, rules: OptionRules, n_refined: int, threads: Threads
) -> GrownTree:
    """The tree with its options, whose tests are queries about the example, and how its growing ended.

    A column has all thresholds of a family, or one test; of columns that divide the examples alike there is the first.
    Half of several searches look at columns of the empty query alone, and the others also at what refines them.
    """
    tests, n_first = AskedTests.of(source, n_refined if rules.n_searches > 1 else 0)
    codes = ordinal_codes(tests) if len(tests.layout.n_bins) else np.zeros((len(cases.codes), 1), np.uint8)
    places = distinct_columns(codes)
    grower = _Grower(cases, prior, codes, threads)
    is_first = places < max(n_first, 1)
    if is_first.all():
        found = grower.grow(places, rules)
    else:
        n_second = rules.n_searches // 2
        halved = rules._replace(max_nodes=max(rules.max_nodes // 2, 1), max_seconds=rules.max_seconds / 2)
        found = grower.grow(places[is_first], halved._replace(n_searches=rules.n_searches - n_second))
        if not found.is_interrupted:
            second = grower.grow(places, halved._replace(n_searches=n_second))
            both = joined_at_root(found.tree, second.tree)
            found = second._replace(tree=both, depth=max(found.depth, second.depth))
    return found._replace(tree=replace(found.tree, conditions=_queries(found.tree.conditions, tests)))


class _Grower(NamedTuple):
    """What trees grow from: cases with codes in columns."""

    cases: Cases
    prior: Prior
    codes: NDArray[np.uint8]
    threads: Threads

    def grow(self, places: NDArray[np.intp], rules: OptionRules) -> GrownTree:
        """A tree from the columns at some places; its conditions name these."""
        columns = tuple(Column(f"tests {place}") for place in places.tolist())
        table = Table(columns, tuple(self.codes[:, places].T), len(self.codes))
        cases = replace(self.cases, whole=table, told=None)
        found = grow(cases, self.prior, rules, "binary", Exact(), self.threads)
        conditions = found.tree.conditions
        placed = replace(conditions, columns=(), column=places[conditions.column].astype(np.int32))
        return found._replace(tree=replace(found.tree, conditions=placed))


def distinct_columns(codes: NDArray[np.uint8]) -> NDArray[np.intp]:
    """The first of all columns that put the rows in the same order, or in its reverse, whatever their codes."""
    found: dict[bytes, int] = {}
    for place in range(codes.shape[1]):
        ranks = np.unique(codes[:, place], return_inverse=True)[1].astype(np.uint8)
        reverse = ranks.max() - ranks
        found.setdefault(min(blake2b(one.tobytes()).digest() for one in (ranks, reverse)), place)
    return np.array(list(found.values()), np.intp)


def _queries(conditions: Conditions, tests: LocalTable) -> Conditions:
    """The tests of columns of codes as the queries that they are."""
    column = conditions.column
    cut = np.ceil(conditions.value).astype(np.int64) - 1
    cut = np.where(turned(tests)[column], tests.layout.n_bins[column] - 2 - cut, cut)
    pairs, which = np.unique(np.column_stack((column, cut)), axis=0, return_inverse=True)
    texts = [(text_of(tests.layout.test(*pair)[1]), 2) for pair in pairs.tolist()]
    n = len(conditions)
    return Conditions.from_arrays((), [QUERY] * n, [0] * n, which.ravel(), [UNSEEN] * n, texts)
