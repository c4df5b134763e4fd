"""Option trees from a table: nodes that keep several tests, grown by one kernel (Buntine 1992, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree import kernels
from petree.bayes import Prior
from petree.conditions import MULTIWAY, THRESHOLD, UNSEEN, Conditions
from petree.keys import mix
from petree.sources.coding import CodedTable
from petree.sources.quality import Quality
from petree.sources.weights import Weights
from petree.tree import Tree, ranges

# Values and bins counted between two looks for an interrupt: a fraction of a second.
WORK_PER_CALL = 20_000_000
# Room for so many nodes at first.
FIRST_NODES = 128


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


def grow_options(
    coded: CodedTable,
    arrays: Sequence[NDArray[Any]],
    classes: NDArray[np.intp],
    weights: NDArray[np.float64] | None,
    labels: Sequence[Any],
    tests: str,
    prior: Prior,
    rules: OptionRules,
) -> tuple[Tree, int]:
    """The deepest option tree that fits into `max_nodes`, up to `max_depth`, and its depth bound.

    What the choice of a cut costs is the split annotation "cut_penalty".
    """
    counts = np.bincount(classes, weights, len(labels)).astype(np.float64)
    quality = Quality.of(coded, arrays, counts, prior, tests)
    cases, worth = quality.for_kernels(
        coded.places, _codes(coded), classes, np.ones(len(classes)) if weights is None else weights,
        Weights.of(weights).copies, rules.min_samples_leaf,
    )  # fmt: skip
    found, depth = _deepest(cases, worth, rules)
    tree = _assemble(coded, found, labels, tests)
    return tree.with_annotations(n_prior_tests=np.full(tree.n_nodes, quality.n_prior_tests)), depth


def _deepest(cases: Any, worth: Any, rules: OptionRules) -> tuple[Any, int]:
    """What the kernel found with the greatest depth bound whose nodes fit, and that bound; a root alone always fits.

    The whole depth is tried first, since it fits most often; where it does not, the bound is found by halving.
    """
    fits, too_deep, depth, best = 0, rules.max_depth + 1, rules.max_depth, None
    while too_deep - fits > 1 or best is None:
        found = _grow(cases, worth, rules._replace(max_depth=depth))
        if found is None:
            too_deep = depth
        else:
            fits, best = depth, found
        depth = (fits + too_deep) // 2
    return best, fits


def _grow(cases: Any, worth: Any, rules: OptionRules) -> Any:
    """What the kernel found, or None where there are too many nodes. It works in pieces, so it can be interrupted."""
    kernel, row_keys = kernels.options, _row_keys(len(cases.classes))
    bench, desk = kernels.evidence.make_bench(cases, worth), kernels.desk.make_desk(cases, rules)
    found, level = _empty(len(worth.alphas)), 0
    kernel.begin(cases, worth, rules, row_keys, bench, desk)
    while level >= 0 and found.sizes[0] <= rules.max_nodes:
        found = _with_room(found, desk)
        level = kernel.grow_on(cases, worth, rules, row_keys, bench, desk, found, WORK_PER_CALL)
    return found if found.sizes[0] <= rules.max_nodes else None


def _empty(n_counts: int) -> Any:
    return kernels.options.Found(
        np.empty(0, np.int64), np.empty(0, np.uint64), np.empty(0, np.int64), np.empty((0, n_counts)),
        np.empty((0, kernels.bayes.N_FIELDS)), np.empty(0, np.int64), np.zeros(3, np.int64),
    )  # fmt: skip


def _with_room(found: Any, desk: Any) -> Any:
    """The same with room for more in each list that may be too short for the next node."""
    n_splits, n_branches = desk.children.shape[1:]
    n_nodes, n_used_splits, n_children = found.sizes
    keys, levels, counts = (_longer(one, n_nodes, 1) for one in (found.keys, found.levels, found.counts))
    places = found.places
    if len(keys) > len(found.keys):
        places = np.full(2 ** (2 * len(keys) - 1).bit_length(), -1)
        kernels.options.enter(places, keys, n_nodes)
    splits = _longer(found.splits, n_used_splits, n_splits)
    children = _longer(found.children, n_children, n_splits * n_branches)
    return kernels.options.Found(places, keys, levels, counts, splits, children, found.sizes)


def _longer(lines: NDArray[Any], n_used: int, n_more: int) -> NDArray[Any]:
    """Lines with room for so many more; where there is none, twice as many and a little more."""
    if n_used + n_more <= len(lines):
        return lines
    return np.concatenate((lines, np.empty((len(lines) + FIRST_NODES * n_more, *lines.shape[1:]), lines.dtype)))


def _codes(coded: CodedTable) -> NDArray[Any]:
    """All codes as one matrix, in the user's order."""
    if not coded.wide.shape[1]:
        return coded.narrow
    return np.hstack([coded.narrow.astype(np.uint32), coded.wide])[:, coded.places]


def _row_keys(n_rows: int) -> NDArray[np.uint64]:
    """A random number for each row, by whose sum a set of rows is known."""
    return mix(np.zeros(n_rows, np.uint64), np.arange(1, n_rows + 1, dtype=np.uint64))


def _assemble(coded: CodedTable, found: Any, labels: Sequence[Any], tests: str) -> Tree:
    """The kernel's nodes and splits as a tree, level by level."""
    n_nodes, n_splits, n_children = found.sizes
    nodes, splits, children = found.counts[:n_nodes], found.splits[:n_splits], found.children[:n_children]
    order = np.argsort(found.levels[:n_nodes], kind="stable")
    number = np.argsort(order)
    owners = number[splits[:, 0].astype(np.int64)]
    by_owner = np.argsort(owners, kind="stable")
    column, kind, cut, missing = splits[:, 1:5].astype(np.int64).T
    stops = np.cumsum(_count_children(coded, column, kind, missing))
    starts = np.concatenate(([0], stops))[: len(splits)]
    return Tree(
        counts=nodes[order, :-1],
        sizes=nodes[order, -1].astype(np.int64),
        n_tests=np.full(len(order), sum(one.n_tests(tests) for one in coded.columns), np.int64),
        split_start=np.searchsorted(owners[by_owner], np.arange(len(order) + 1)).astype(np.int32),
        child_start=np.concatenate(([0], np.cumsum((stops - starts)[by_owner]))).astype(np.int32),
        children=number[children[ranges(starts[by_owner], stops[by_owner])]].astype(np.int32),
        conditions=_conditions(coded, column[by_owner], kind[by_owner], cut[by_owner], missing[by_owner]),
        classes=tuple(labels),
        split_annotations={"cut_penalty": splits[by_owner, 5]},
    )


def _count_children(
    coded: CodedTable, column: NDArray[np.int64], kind: NDArray[np.int64], missing: NDArray[np.int64]
) -> NDArray[np.int64]:
    n_bins = np.array([one.n_bins for one in coded.columns], np.int64)[column]
    return np.where(kind == MULTIWAY, n_bins + (missing != UNSEEN), 2)


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
