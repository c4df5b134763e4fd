"""Option trees from a table: nodes that keep several tests (Buntine 1992, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.bayes import Prior
from petree.conditions import THRESHOLD, Conditions
from petree.sources.coding import CodedTable
from petree.sources.quality import Quality
from petree.sources.weights import Weights
from petree.threads import Threads
from petree.tree import Tree, ranges


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
    """

    max_depth: int
    max_options: int
    option_depth: int
    factor: float
    lookahead: int
    min_samples_leaf: int
    max_nodes: int

    def for_core(self) -> core.options.OptionRules:
        """As the compiled loops know them."""
        return core.options.OptionRules(
            int(self.max_depth), int(self.max_options), int(self.option_depth), float(np.log(self.factor)),
            int(self.lookahead), int(self.max_nodes),
        )  # fmt: skip


class Grown(NamedTuple):
    """What the compiled loops give, nodes in the order in which they were finished.

    Of nodes the levels and counts (classes, then rows); of splits the node, the test, the number of children and what
    the cut costs; and the children, those of one split after those of another.
    """

    levels: NDArray[np.int64]
    counts: NDArray[np.float64]
    splits: NDArray[np.int64]
    penalties: NDArray[np.float64]
    children: NDArray[np.int64]


def grow_options(
    coded: CodedTable,
    arrays: Sequence[NDArray[Any]],
    classes: NDArray[np.intp],
    weights: NDArray[np.float64] | None,
    labels: Sequence[Any],
    tests: str,
    prior: Prior,
    rules: OptionRules,
    threads: Threads,
) -> tuple[Tree, int]:
    """The deepest option tree that fits into `max_nodes`, up to `max_depth`, and its depth bound.

    What the choice of a cut costs is the split annotation "cut_penalty".
    """
    counts = np.bincount(classes, weights, len(labels)).astype(np.float64)
    quality = Quality.of(coded, arrays, counts, prior, tests)
    in_order = coded.places if coded.wide.shape[1] else slice(None)
    evidence = quality.evidence(in_order, np.empty(0), rules.min_samples_leaf)
    rows = _rows(coded, quality, classes.astype(np.uint16), Weights.of(weights), len(labels))
    found, depth = _deepest(evidence, rows, rules, threads)
    tree = _assemble(coded, found, labels, tests)
    return tree.with_annotations(n_prior_tests=np.full(tree.n_nodes, quality.n_prior_tests)), depth


def _deepest(
    evidence: core.options.Evidence, rows: core.tables.Rows, rules: OptionRules, threads: Threads
) -> tuple[Grown, int]:
    """What is found with the greatest depth bound whose nodes fit, and that bound; a root alone always fits.

    The whole depth is tried first, since it fits most often; where it does not, the bound is found by halving.
    """
    fits, too_deep, depth, best = 0, rules.max_depth + 1, rules.max_depth, None
    while too_deep - fits > 1 or best is None:
        asked = evidence, rows, rules._replace(max_depth=depth).for_core(), threads.stop
        [(it_fits, *found)] = threads.run(core.options.grow, [asked])
        if it_fits:
            fits, best = depth, Grown(*found)
        else:
            too_deep = depth
        depth = (fits + too_deep) // 2
    return best, fits


def _rows(
    coded: CodedTable, quality: Quality, classes: NDArray[np.uint16], weights: Weights, n_classes: int
) -> core.tables.Rows:
    """The rows with all codes in one matrix: narrow ones, or all as wide ones in the user's order."""
    narrow, wide, order = coded.narrow, coded.wide, coded.column_order
    n_bins, kinds = quality.n_bins, quality.kinds
    if wide.shape[1]:
        wide = np.ascontiguousarray(np.hstack([narrow.astype(np.uint32), wide])[:, coded.places])
        narrow, order = np.empty((len(wide), 0), np.uint8), np.arange(len(order), dtype=np.int32)
        n_bins, kinds = n_bins[coded.places], kinds[coded.places]
    columns = core.tables.Columns(n_bins, kinds, order)
    places = np.arange(len(classes), dtype=np.uint32)
    return core.tables.Rows(columns, n_classes, narrow, wide, classes, weights.copies, weights.fractions, places)


def _assemble(coded: CodedTable, found: Grown, labels: Sequence[Any], tests: str) -> Tree:
    """The nodes and splits as a tree, level by level."""
    order = np.argsort(found.levels, kind="stable")
    number = np.argsort(order)
    owners = number[found.splits[:, 0]]
    by_owner = np.argsort(owners, kind="stable")
    column, kind, cut, missing, n_children = found.splits[:, 1:].T
    stops = np.cumsum(n_children)
    starts = stops - n_children
    return Tree(
        counts=found.counts[order, :-1],
        sizes=found.counts[order, -1].astype(np.int64),
        n_tests=np.full(len(order), sum(one.n_tests(tests) for one in coded.columns), np.int64),
        split_start=np.searchsorted(owners[by_owner], np.arange(len(order) + 1)).astype(np.int32),
        child_start=np.concatenate(([0], np.cumsum((stops - starts)[by_owner]))).astype(np.int32),
        children=number[found.children[ranges(starts[by_owner], stops[by_owner])]].astype(np.int32),
        conditions=_conditions(coded, column[by_owner], kind[by_owner], cut[by_owner], missing[by_owner]),
        classes=tuple(labels),
        split_annotations={"cut_penalty": found.penalties[by_owner]},
    )


def _conditions(
    coded: CodedTable,
    column: NDArray[np.int64],
    kind: NDArray[np.int64],
    cut: NDArray[np.int64],
    missing: NDArray[np.int64],
) -> Conditions:
    """The tests in the user's words."""
    value, thresholds = cut.astype(np.float64), [one.thresholds for one in coded.columns]
    start = np.cumsum([0, *(len(one) for one in thresholds[:-1])])
    is_cut = kind == THRESHOLD
    value[is_cut] = np.concatenate(thresholds)[start[column[is_cut]] + cut[is_cut]]
    return Conditions.from_arrays([one.column for one in coded.columns], kind, column, value, missing)
