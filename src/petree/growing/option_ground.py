"""What searches for option trees look at, by which rules, and what they find."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.keys import combine_keys, root_key
from petree.sources.coding import NO_CUTS, CodedTable
from petree.sources.quality import Quality
from petree.sources.rows import ColumnCodes, Rows
from petree.sources.weights import Targets
from petree.threads import Threads

# By how much the least leaf grows where a search has too many nodes.
STEP = 4


class OptionRules(NamedTuple):
    """When a node is split, and by how many tests.

    Parameters
    ----------
    max_depth : int
        Most tests on a path.
    max_options : int
        Most tests of a node.
    option_depth : int
        Levels whose nodes keep several tests; below, a node keeps the best.
    factor : float
        A test is kept if its quality is at least this factor of the best one's.
    lookahead : int
        Plies of the quality, as far as the depth allows.
    min_samples_leaf : int
    max_nodes : int
        Most distinct nodes.
    n_searches : int
        Most searches, each of which has options of its own at the root.
    max_features : int, "sqrt" or None
        Columns that are drawn for each node.
    draws_tests : bool
        Whether a column offers one test that is drawn by its quality, or its best tests.
    seed : int
    is_best_first : bool
        Whether the open nodes that most of the posterior goes through come next, or depth first.
    max_seconds : float
        When best-first growing ends, if not before.
    """

    max_depth: int
    max_options: int
    option_depth: int
    factor: float
    lookahead: int
    min_samples_leaf: int
    max_nodes: int
    n_searches: int = 1
    max_features: int | str | None = None
    draws_tests: bool = False
    seed: int = 0
    is_best_first: bool = False
    max_seconds: float = inf

    def smaller(self, n_rows: int) -> OptionRules:
        """Rules that give fewer nodes: without options within a search, and then with larger leaves."""
        if self.max_options > 1:
            return self._replace(max_options=1)
        return self._replace(min_samples_leaf=min(self.min_samples_leaf * STEP, n_rows))

    def for_core(self, search: int, n_columns: int) -> core.options.OptionRules:
        """As the compiled loops know them, for the search of this number in a table of so many columns."""
        wanted = n_columns if self.max_features is None else self.max_features
        drawn = int(np.ceil(np.sqrt(n_columns))) if isinstance(wanted, str) else min(wanted, n_columns)
        return core.options.OptionRules(
            int(self.max_depth), int(self.max_options), int(self.option_depth), float(np.log(self.factor)),
            int(self.lookahead), int(self.max_nodes), int(drawn), self.draws_tests, self.draw_of(search),
        )  # fmt: skip

    def draw_of(self, search: int) -> int:
        """What the columns of a search are drawn by."""
        return int(combine_keys(root_key(self.seed), np.array([search], np.uint64))[0])


class GrownOptions(NamedTuple):
    """Nodes and splits of option trees, as the compiled loops number them: depth first, a node after those below it.

    Of nodes the levels and counts (classes, then rows); of splits the node, the test, the number of children and what
    the cut costs; and the children, those of one split after those of another.
    """

    levels: NDArray[np.int64]
    counts: NDArray[np.float64]
    splits: NDArray[np.int64]
    penalties: NDArray[np.float64]
    children: NDArray[np.int64]


@dataclass(frozen=True)
class OptionGround:
    """What searches look at: rows of the columns that tell any of them apart, and the numbers of these columns.

    Columns are drawn from an `order` of them. The `root` has the counts of all `n_lines` rows (classes, then rows).
    """

    quality: Quality
    class_weight: NDArray[np.float64]
    places: NDArray[np.intp]
    numbers: NDArray[np.int32]
    order: NDArray[np.int64]
    rows: core.tables.Rows
    n_lines: int
    root: NDArray[np.float64]

    @property
    def n_rows(self) -> int:
        """Rows of the root, where a row of several copies counts as often."""
        return int(self.root[-1])

    def grow(self, rules: OptionRules, search: int, threads: Threads) -> GrownOptions | None:
        """What a search finds, or None where its nodes are too many."""
        asked = rules.for_core(search, len(self.places))
        fits, levels, counts, splits, penalties, children = core.options.grow(
            self.evidence(rules), self.rows, self.order, asked, threads.stop
        )
        return GrownOptions(levels, counts, splits, penalties, children) if fits else None

    def evidence(self, rules: OptionRules) -> core.options.Evidence:
        """What the quality of tests depends on, as the compiled loops know it."""
        return self.quality.evidence(self.places, self.class_weight, rules.min_samples_leaf)


def ground_of(coded: CodedTable, quality: Quality, targets: Targets, ranks: NDArray[np.int64]) -> OptionGround:
    """All codes in one matrix: narrow ones, or all as wide ones; columns that tell nothing are not drawn."""
    codes: NDArray[Any] = coded.narrow
    if coded.wide.shape[1]:
        codes = np.hstack([coded.narrow.astype(np.uint32), coded.wide])
    places = coded.places[(codes.min(axis=0) < codes.max(axis=0))[coded.places]]
    if len(places) < codes.shape[1] or codes is not coded.narrow:
        codes = np.ascontiguousarray(codes[:, places])
    none = np.empty((len(codes), 0), np.uint8)
    narrow, wide = (codes, none.astype(np.uint32)) if codes.dtype == np.uint8 else (none, codes)
    order = np.arange(len(places), dtype=np.int32)
    signs = np.zeros(len(places), np.int64)
    columns = ColumnCodes(quality.n_bins[places], quality.kinds[places], order, order.astype(np.intp), signs, NO_CUTS)
    rows = replace(Rows.without_columns(targets), columns=columns, narrow=narrow, wide=wide)
    root = np.append(targets.counts(), rows.root().sizes[0])
    numbers = coded.column_order[places]
    drawn_from = np.argsort(ranks[numbers], kind="stable")
    return OptionGround(quality, targets.factors, places, numbers, drawn_from, rows.packed, len(rows), root)
