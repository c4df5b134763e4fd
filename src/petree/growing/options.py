"""Option trees from a table: nodes that keep several tests (Buntine 1992, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.keys import combine_keys, root_key
from petree.sources.coding import CodedTable, Vocabulary
from petree.sources.quality import Quality
from petree.sources.rows import ColumnCodes, Rows
from petree.sources.weights import Targets, Weights
from petree.threads import Threads
from petree.tree import Tree, offsets, ranges

# Searches that are begun together, and that have room in any case.
ROUND = 5
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
    seed : int
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
    seed: int = 0

    def smaller(self, n_rows: int) -> OptionRules:
        """Rules that give fewer nodes: without options within a search, and then with larger leaves."""
        if self.max_options > 1:
            return self._replace(max_options=1)
        return self._replace(min_samples_leaf=min(self.min_samples_leaf * STEP, n_rows))

    def for_core(self, search: int, n_columns: int) -> core.options.OptionRules:
        """As the compiled loops know them, for the search of this number in a table of so many columns."""
        wanted = n_columns if self.max_features is None else self.max_features
        drawn = int(np.ceil(np.sqrt(n_columns))) if isinstance(wanted, str) else min(wanted, n_columns)
        key = combine_keys(root_key(self.seed), np.array([search], np.uint64))
        return core.options.OptionRules(
            int(self.max_depth), int(self.max_options), int(self.option_depth), float(np.log(self.factor)),
            int(self.lookahead), int(self.max_nodes), int(drawn), int(key[0]),
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


@dataclass(frozen=True)
class Ground:
    """What searches look at: rows of the columns that tell any of them apart, and the numbers of these columns.

    Columns are drawn from an `order` of them.
    """

    quality: Quality
    class_weight: NDArray[np.float64]
    places: NDArray[np.intp]
    numbers: NDArray[np.int32]
    order: NDArray[np.int64]
    rows: core.tables.Rows
    n_rows: int

    def grow(self, rules: OptionRules, search: int, threads: Threads) -> Grown | None:
        """What a search finds, or None where its nodes are too many."""
        evidence = self.quality.evidence(self.places, self.class_weight, rules.min_samples_leaf)
        asked = rules.for_core(search, len(self.places))
        fits, levels, counts, splits, penalties, children = core.options.grow(
            evidence, self.rows, self.order, asked, threads.stop
        )
        return Grown(levels, counts, splits, penalties, children) if fits else None


def grow_options(
    coded: CodedTable,
    quality: Quality,
    targets: Targets,
    tests: str,
    rules: OptionRules,
    ranks: NDArray[np.int64],
    threads: Threads,
) -> tuple[Tree, int]:
    """The options of all searches at one root, and the depth bound with which they fit into `max_nodes`.

    One search is less deep where it would not fit; several have fewer options, then larger leaves. What is drawn are
    columns by their `ranks`. What the choice of a cut costs is the split annotation "cut_penalty".
    """
    ground = _ground(coded, quality, targets, ranks)
    found, depth = _deepest(ground, rules, threads) if rules.n_searches == 1 else _search(ground, rules, threads)
    merged = _merge(found)
    splits = merged.splits.copy()
    splits[:, 1] = ground.numbers[splits[:, 1]]
    tree = _assemble(coded, merged._replace(splits=splits, counts=_unweighted(merged.counts, targets)), targets, tests)
    return tree.with_annotations(n_prior_tests=np.full(tree.n_nodes, quality.n_prior_tests)), depth


def _unweighted(counts: NDArray[np.float64], targets: Targets) -> NDArray[np.float64]:
    """The counts (classes, then rows) on the scale of the data."""
    factors = np.ones(targets.n_classes) if targets.class_weight is None else targets.class_weight
    found: NDArray[np.float64] = counts / np.append(factors, 1.0)
    return found if Weights.of(targets.weights).are_fractional else np.rint(found)


def _deepest(ground: Ground, rules: OptionRules, threads: Threads) -> tuple[list[Grown], int]:
    """What one search finds with the greatest depth bound whose nodes fit, and that bound; a root alone always fits.

    The whole depth is tried first, since it fits most often; where it does not, the bound is found by halving.
    """
    fits, too_deep, depth, best = 0, rules.max_depth + 1, rules.max_depth, None
    while too_deep - fits > 1 or best is None:
        [found] = threads.run(ground.grow, [(rules._replace(max_depth=depth), 0, threads)])
        if found is not None:
            fits, best = depth, found
        else:
            too_deep = depth
        depth = (fits + too_deep) // 2
    return [best], fits


def _search(ground: Ground, rules: OptionRules, threads: Threads) -> tuple[list[Grown], int]:
    """What the searches find, round by round, while another round like those before fits into the nodes.

    So much work as it takes to fill the nodes is done and no more, whatever time it takes.
    """
    own = rules._replace(max_nodes=max(rules.max_nodes // min(ROUND, rules.n_searches), 1))
    [(first, own)] = threads.run(_within_bounds, [(ground, own, 0, threads)])
    found = [first]
    while len(found) < rules.n_searches:
        numbers = range(len(found), min(len(found) - len(found) % ROUND + ROUND, rules.n_searches))
        pieces = [(ground, own, number, threads) for number in numbers]
        found += [grown for grown, _ in threads.run(_within_bounds, pieces)]
        n_nodes = np.cumsum([len(grown.levels) for grown in found])
        if n_nodes[-1] * (1 + ROUND / len(found)) > rules.max_nodes:
            break
    return found[: np.searchsorted(n_nodes, rules.max_nodes, side="right")], rules.max_depth


def _within_bounds(ground: Ground, rules: OptionRules, search: int, threads: Threads) -> tuple[Grown, OptionRules]:
    """What a search finds, and with which rules, smaller ones where its nodes are too many; a root alone fits."""
    while (found := ground.grow(rules, search, threads)) is None:
        rules = rules.smaller(ground.n_rows)
    return found, rules


def _merge(found: Sequence[Grown]) -> Grown:
    """All searches as one, whose common root has number 0; a search notes its own root as the last of its nodes."""
    levels, counts, splits, children = [np.zeros(1, np.int64)], [found[0].counts[-1:]], [], []
    start = 1
    for one in found:
        number = np.arange(start, start + len(one.levels))
        number[-1] = 0
        start += len(one.levels) - 1
        levels.append(one.levels[:-1])
        counts.append(one.counts[:-1])
        splits.append(np.column_stack((number[one.splits[:, 0]], one.splits[:, 1:])))
        children.append(number[one.children])
    penalties = np.concatenate([one.penalties for one in found])
    return Grown(
        np.concatenate(levels), np.concatenate(counts), np.concatenate(splits), penalties, np.concatenate(children)
    )


def _ground(coded: CodedTable, quality: Quality, targets: Targets, ranks: NDArray[np.int64]) -> Ground:
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
    columns = ColumnCodes(quality.n_bins[places], quality.kinds[places], order, order.astype(np.intp), signs)
    rows = replace(Rows.without_columns(targets), columns=columns, narrow=narrow, wide=wide)
    n_rows = int(rows.root().sizes[0])
    numbers = coded.column_order[places]
    drawn_from = np.argsort(ranks[numbers], kind="stable")
    return Ground(quality, targets.factors, places, numbers, drawn_from, rows.packed, n_rows)


def _assemble(coded: CodedTable, found: Grown, targets: Targets, tests: str) -> Tree:
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
        child_start=offsets(n_children[by_owner]).astype(np.int32),
        children=number[found.children[ranges(starts[by_owner], stops[by_owner])]].astype(np.int32),
        conditions=Vocabulary(coded.columns, tests).conditions(
            column[by_owner], kind[by_owner], cut[by_owner], missing[by_owner]
        ),
        classes=tuple(targets.labels),
        class_weight=targets.class_weight,
        split_annotations={"cut_penalty": found.penalties[by_owner]},
    )
