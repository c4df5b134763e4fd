"""Option trees from a table: nodes that keep several tests (Buntine 1992, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree.bayes import node_probability, posterior_shares, posterior_weights
from petree.growing.best_first import grow_best_first
from petree.growing.option_ground import GrownOptions, OptionGround, OptionRules, ground_of
from petree.sources.coding import CodedTable, Vocabulary
from petree.sources.quality import Quality
from petree.sources.weights import Targets, Weights
from petree.threads import Threads
from petree.tree import Tree, offsets, ranges

# Searches that are begun together, and that have room in any case.
ROUND = 5


class GrownTree(NamedTuple):
    """An option tree, the depth bound with which it fits into its bounds, and whether an interrupt ended it."""

    tree: Tree
    depth: int
    is_interrupted: bool


def grow_options(
    coded: CodedTable,
    quality: Quality,
    targets: Targets,
    tests: str,
    rules: OptionRules,
    ranks: NDArray[np.int64],
    threads: Threads,
) -> GrownTree:
    """The options of all searches at one root.

    Depth first one search is less deep where it would not fit into `max_nodes`; several have fewer options, then larger
    leaves. What is drawn are columns by their `ranks`. What the choice of a cut costs is the split annotation
    "cut_penalty".
    """
    ground = ground_of(coded, quality, targets, ranks)
    assembly = Assembly(coded, quality, targets, tests, ground.numbers)
    if rules.is_best_first:
        grown, is_interrupted = grow_best_first(ground, rules, assembly.masses, threads)
        depth = _depth_of(grown, ground, rules, threads)
        return GrownTree(assembly.tree(grown), depth, is_interrupted)
    if rules.n_searches == 1:
        found, depth = _deepest(ground, rules, threads)
        return GrownTree(assembly.tree(found), depth, False)
    found = _merge(_search(ground, rules, threads))
    return GrownTree(assembly.tree(found), _depth_of(found, ground, rules, threads), False)


def _depth_of(found: GrownOptions, ground: OptionGround, rules: OptionRules, threads: Threads) -> int:
    """The depth bound of searches: 0 where they found a root alone that could be divided, if there were more room."""
    if len(found.levels) > 1:
        return rules.max_depth
    one_test = rules._replace(max_depth=1, max_options=1, max_features=None, max_nodes=ground.n_lines + 1)
    [divided] = threads.run(ground.grow, [(one_test, 0, threads)])
    return rules.max_depth if divided is not None and len(divided.levels) == 1 else 0


@dataclass(frozen=True)
class Assembly:
    """What makes trees of what was grown: the table with its classes, and which of its columns were looked at."""

    coded: CodedTable
    quality: Quality
    targets: Targets
    tests: str
    numbers: NDArray[np.int32]

    def tree(self, grown: GrownOptions) -> Tree:
        """The nodes and splits as a tree, level by level."""
        splits = grown.splits.copy()
        splits[:, 1] = self.numbers[splits[:, 1]]
        counts = _unweighted(grown.counts, self.targets)
        tree = _assemble(self.coded, grown._replace(splits=splits, counts=counts), self.targets, self.tests)
        return tree.with_annotations(n_prior_tests=np.full(tree.n_nodes, self.quality.n_prior_tests))

    def masses(self, grown: GrownOptions, by_search: bool) -> NDArray[np.float64]:
        """How much of the posterior goes through each node, in the order in which the nodes were grown."""
        tree = self.tree(grown)
        shares = posterior_shares(tree, *posterior_weights(tree, self.quality.prior), by_search)
        found = np.empty(tree.n_nodes)
        found[_by_level(grown)] = node_probability(tree, shares)
        return found


def _by_level(grown: GrownOptions) -> NDArray[np.intp]:
    """The nodes in the order in which the tree has them."""
    return np.argsort(grown.levels, kind="stable")


def _unweighted(counts: NDArray[np.float64], targets: Targets) -> NDArray[np.float64]:
    """The counts (classes, then rows) on the scale of the data."""
    factors = np.ones(targets.n_classes) if targets.class_weight is None else targets.class_weight
    found: NDArray[np.float64] = counts / np.append(factors, 1.0)
    return found if Weights.of(targets.weights).are_fractional else np.rint(found)


def _deepest(ground: OptionGround, rules: OptionRules, threads: Threads) -> tuple[GrownOptions, int]:
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
    return _merge([best]), fits


def _search(ground: OptionGround, rules: OptionRules, threads: Threads) -> list[GrownOptions]:
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
    return found[: np.searchsorted(n_nodes, rules.max_nodes, side="right")]


def _within_bounds(
    ground: OptionGround, rules: OptionRules, search: int, threads: Threads
) -> tuple[GrownOptions, OptionRules]:
    """What a search finds, and with which rules, smaller ones where its nodes are too many; a root alone fits."""
    while (found := ground.grow(rules, search, threads)) is None:
        rules = rules.smaller(ground.n_rows)
    return found, rules


def _merge(found: Sequence[GrownOptions]) -> GrownOptions:
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
    return GrownOptions(
        np.concatenate(levels), np.concatenate(counts), np.concatenate(splits), penalties, np.concatenate(children)
    )


def _assemble(coded: CodedTable, found: GrownOptions, targets: Targets, tests: str) -> Tree:
    """The nodes and splits as a tree, level by level."""
    order = _by_level(found)
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
