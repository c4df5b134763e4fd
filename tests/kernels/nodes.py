"""Random nodes as the kernels of the best tests know them, and as the oracle does."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.oracles.choosing import ranking
from tests.oracles.growing import Candidate, PlainColumn, PlainTable

from petree.columns import NOMINAL, NUMBER
from petree.conditions import EQUALS, IS_MISSING, THRESHOLD
from petree.kernels import best, ratio
from petree.splitting import resolve_split
from petree.splitting.codes import Setting

NONE = np.empty(0)


def make_rows(seed, n_rows, n_bins, n_classes, dtype):
    generator = np.random.default_rng(seed)
    codes = np.column_stack([generator.integers(0, bins + 1, n_rows) for bins in n_bins]).astype(dtype)
    return codes, generator.integers(0, n_classes, n_rows).astype(np.uint16), generator


@dataclass(frozen=True)
class Nodes:
    """Rows of several nodes, side by side, as the kernels and as the oracle know them."""

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
        is_whole = not self.is_fractional and (self.class_weight == 1).all()
        return resolve_split(rules.split).code(Setting(rules.tests, bool(is_whole), float(self.weights.sum())))

    @property
    def rows(self):
        """What the kernels read of the rows: classes, weights, the type of counter, and the nodes with their totals."""
        n_classes, ends = len(self.class_weight), list(zip(self.starts, self.stops, strict=True))
        totals = np.array([np.bincount(self.classes[a:b], self.weights[a:b], n_classes) for a, b in ends])
        if self.is_fractional:
            totals = np.column_stack((totals, self.stops - self.starts))
            weights = np.empty(0, np.uint32), self.weights, np.empty(0)
        else:
            totals = totals.astype(np.int64)
            has_copies = (self.copies > 1).any()
            weights = self.copies.astype(np.uint32)[: None if has_copies else 0], NONE, np.empty(0, np.uint32)
        return self.classes, *weights, self.starts, self.stops, totals

    @property
    def factors(self):
        return NONE if (self.class_weight == 1).all() else self.class_weight

    def best(self, kernel, rules):
        """Values and tests of `best_of_narrow` or `best_of_wide`."""
        n = len(self.starts)
        value, tolerance, tests = np.empty(n), np.empty(n), [np.full(n, -1) for _ in range(4)]
        codes = self.codes.astype(np.uint8 if kernel is best.best_of_narrow else np.uint32)
        kernel(
            codes, *self.rows, 0, len(self.n_bins), self.n_bins, self.kinds, self.score(rules), len(self.class_weight),
            rules.min_samples_leaf, self.factors, value, tolerance, *tests,
        )  # fmt: skip
        return value, [candidate(*test) for test in np.transpose(tests).tolist()]

    def best_by_ratio(self, rules, n_narrow, places):
        """Values and tests of the kernel, for columns some of which are narrow."""
        n = len(self.starts)
        value, tests = np.empty(n), [np.full(n, -1) for _ in range(4)]
        narrow, wide = (np.ascontiguousarray(part) for part in np.split(self.codes, [n_narrow], axis=1))
        ratio.best_by_ratio(
            narrow.astype(np.uint8), wide.astype(np.uint32), *self.rows, places, self.n_bins, self.kinds,
            self.score(rules), len(self.class_weight), rules.min_samples_leaf, self.factors, value, *tests,
        )  # fmt: skip
        return value, [candidate(*test) for test in np.transpose(tests).tolist()]

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


def candidate(column, kind, cut, missing):
    """What a kernel found, in the oracle's words."""
    if column < 0:
        return None
    if kind == IS_MISSING:
        return Candidate(column, kind)
    return Candidate(column, kind, {THRESHOLD: cut + 0.5, EQUALS: float(cut)}.get(kind, 0.0), missing)
