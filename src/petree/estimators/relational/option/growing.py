"""Trees with options from several tables: tests of the empty query in columns, and a tree grown from these."""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b

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
from petree.relational.queries.terms import text_of
from petree.relational.refinement.grouping import ordinal_codes, turned
from petree.relational.refinement.tabulation import LocalTable
from petree.relational.source import RelationalSource
from petree.threads import Threads


def grow_from(source: RelationalSource, cases: Cases, prior: Prior, rules: OptionRules, threads: Threads) -> GrownTree:
    """The tree with its options, whose tests are queries about the example, and how its growing ended.

    A column has all thresholds of a family, or one test; of columns that divide the examples alike there is the first.
    """
    tests = source.table(0)
    codes = ordinal_codes(tests) if len(tests.layout.n_bins) else np.zeros((len(cases.codes), 1), np.uint8)
    places = distinct_columns(codes)
    columns = tuple(Column(f"tests {place}") for place in range(len(places)))
    table = Table(columns, tuple(codes[:, places].T), len(codes))
    coded = replace(cases, whole=table, told=None)
    found = grow(coded, prior, rules, "binary", Exact(), threads)
    return found._replace(tree=replace(found.tree, conditions=_queries(found.tree.conditions, tests, places)))


def distinct_columns(codes: NDArray[np.uint8]) -> NDArray[np.intp]:
    """The first of all columns that put the rows in the same order, or in its reverse, whatever their codes."""
    found: dict[bytes, int] = {}
    for place in range(codes.shape[1]):
        ranks = np.unique(codes[:, place], return_inverse=True)[1].astype(np.uint8)
        reverse = ranks.max() - ranks
        found.setdefault(min(blake2b(one.tobytes()).digest() for one in (ranks, reverse)), place)
    return np.array(list(found.values()), np.intp)


def _queries(conditions: Conditions, tests: LocalTable, places: NDArray[np.intp]) -> Conditions:
    """The tests of columns of codes as the queries that they are."""
    column = places[conditions.column]
    cut = np.ceil(conditions.value).astype(np.int64) - 1
    cut = np.where(turned(tests)[column], tests.layout.n_bins[column] - 2 - cut, cut)
    pairs, which = np.unique(np.column_stack((column, cut)), axis=0, return_inverse=True)
    texts = [(text_of(tests.layout.test(*pair)[1]), 2) for pair in pairs.tolist()]
    n = len(conditions)
    return Conditions.from_arrays((), [QUERY] * n, [0] * n, which.ravel(), [UNSEEN] * n, texts)
