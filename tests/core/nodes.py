"""Random nodes as the compiled search knows them, and as the oracle does."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.oracles.choosing import ranking
from tests.oracles.growing import Candidate, PlainColumn, PlainTable

from petree import core
from petree.columns import NOMINAL, NUMBER
from petree.conditions import EQUALS, IN, IS_MISSING, THRESHOLD
from petree.sources.found import N_FIELDS, codes_of
from petree.sources.searching.by_value import ALL_COLUMNS
from petree.splitting import resolve_split
from petree.splitting.codes import GrowthSetting, RatioCode, n_log_n_table

NONE = np.empty(0)
NO_COPIES = np.empty(0, np.uint32)


def make_rows(seed, n_rows, n_bins, n_classes, dtype):
    generator = np.random.default_rng(seed)
    codes = np.column_stack([generator.integers(0, bins + 1, n_rows) for bins in n_bins]).astype(dtype)
    return codes, generator.integers(0, n_classes, n_rows).astype(np.uint16), generator


@dataclass(frozen=True)
class Nodes:
    """Rows of several nodes, side by side, as the search and as the oracle know them."""

    codes: Any
    classes: Any
    weights: Any
    copies: Any
    class_weight: Any
    starts: Any
    stops: Any
    n_bins: Any
    kinds: Any
    is_fractional: bool

    @classmethod
    def of(cls, seed, sizes, bins, kinds, n_classes, weighting):
        stops = np.cumsum(sizes)
        codes, classes, generator = make_rows(seed, stops[-1], bins, n_classes, np.int64)
        copies = generator.integers(1, 4, stops[-1]) if weighting == "copies" else np.ones(stops[-1], np.int64)
        weights = generator.random(stops[-1]) + 0.1 if weighting == "fractions" else copies.astype(float)
        class_weight = generator.choice([0.5, 1.0, 3.0], n_classes) if weighting == "classes" else np.ones(n_classes)
        starts, kinds = stops - sizes, generator.choice(kinds, len(bins))
        is_fractional = weighting == "fractions"
        return cls(codes, classes, weights, copies, class_weight, starts, stops, np.array(bins), kinds, is_fractional)

    def plain(self, order):
        """All rows as a table whose columns stand in the given order."""
        columns = []
        for column in order:
            codes, n_bins = self.codes[:, column].astype(float), self.n_bins[column]
            codes[codes == n_bins] = np.nan
            kind = NUMBER if self.kinds[column] == THRESHOLD else NOMINAL
            columns.append(PlainColumn(kind, codes, np.arange(n_bins - 1) + 0.5, int(n_bins)))
        return PlainTable(tuple(columns), self.classes.astype(np.intp), self.weights, self.class_weight)

    def rankings(self, rules, order):
        """What each node may choose from, best first, by the oracle."""
        table = self.plain(order)
        return [ranking(table, np.arange(a, b), rules) for a, b in zip(self.starts, self.stops, strict=True)]

    def score(self, rules):
        return resolve_split(rules.split).code(GrowthSetting(rules.tests, float(self.weights.sum())))

    def search(self, rules):
        code = self.score(rules)
        base = code.base if isinstance(code, RatioCode) else code
        is_whole = not self.is_fractional and not len(self.factors)
        return core.search.Search(
            base.name, np.array(base.parameters, np.float64), n_log_n_table() if is_whole else NONE,
            rules.min_samples_leaf, self.factors, True, False,
        )  # fmt: skip

    @property
    def open_nodes(self):
        """The nodes as the search knows them."""
        n_classes, slices = len(self.class_weight), np.column_stack((self.starts, self.stops))
        counts = np.array([np.bincount(self.classes[a:b], self.weights[a:b], n_classes) for a, b in slices])
        sizes = np.array([self.copies[a:b].sum() for a, b in slices])
        return core.search.Nodes(slices, counts, sizes, ALL_COLUMNS)

    def rows(self, n_narrow, numbers):
        """The rows with the first columns narrow and the others wide."""
        narrow, wide = np.split(self.codes, [n_narrow], axis=1)
        columns = core.tables.Columns(
            self.n_bins, self.kinds, np.asarray(numbers, np.int32), np.zeros(len(self.kinds), np.int64), NONE
        )
        copies = self.copies.astype(np.uint32) if (self.copies > 1).any() else NO_COPIES
        return core.tables.Rows(
            columns, len(self.class_weight), np.ascontiguousarray(narrow, np.uint8),
            np.ascontiguousarray(wide, np.uint32), self.classes, copies, self.weights if self.is_fractional else NONE,
            NONE, np.arange(len(self.classes), dtype=np.uint32),
        )  # fmt: skip

    @property
    def factors(self):
        return NONE if (self.class_weight == 1).all() else self.class_weight

    def best(self, width, rules):
        """Values and tests of the search by value, all columns narrow or all wide."""
        n, n_columns = len(self.starts), len(self.n_bins)
        values, tests = np.empty((n, 2)), np.empty((n, N_FIELDS), np.int64)
        rows = self.rows(n_columns if width == "narrow" else 0, np.arange(n_columns))
        core.search.best_by_value(self.search(rules), rows, self.open_nodes, 0, n_columns, values, tests, core.NO_STOP)
        return values[:, 0].tolist(), [candidate(*test) for test in tests.tolist()]

    def best_by_ratio(self, rules, n_narrow, numbers):
        """Values and tests of the search by ratio, some columns narrow, in the user's order `numbers`."""
        n = len(self.starts)
        values, tests = np.empty((n, 2)), np.empty((n, N_FIELDS), np.int64)
        ratio = core.search.RatioRules(*self.score(rules)[1:])
        core.search.best_by_ratio(
            self.search(rules), ratio, self.rows(n_narrow, numbers), self.open_nodes, values, tests, core.NO_STOP
        )
        return values[:, 0].tolist(), [candidate(*test) for test in tests.tolist()]

    def assert_best(self, values, tests, rankings, per_case):
        """The first of each ranking, by its value times the weight of the node."""
        table = self.plain([])
        for node, (a, b) in enumerate(zip(self.starts, self.stops, strict=True)):
            if not rankings[node]:
                assert tests[node] is None
                continue
            expected, value = rankings[node][0]
            weight = table.weight(np.arange(a, b)) if per_case else 1.0
            assert values[node] == pytest.approx(value * weight, abs=1e-9)
            assert tests[node] == expected


def candidate(column, kind, cut, missing, *inside):
    """What the search found, in the oracle's words."""
    if column < 0:
        return None
    if kind == IS_MISSING:
        return Candidate(column, kind)
    if kind == IN:
        return Candidate(column, kind, codes_of(np.array([inside], np.int64).view(np.uint64))[0], missing)
    return Candidate(column, kind, {THRESHOLD: cut + 0.5, EQUALS: float(cut)}.get(kind, 0.0), missing)
