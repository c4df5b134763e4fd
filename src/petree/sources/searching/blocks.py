"""All candidates of nodes, as numpy blocks of counts: for scores in Python alone, and where the best is not enough."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petree.conditions import IN, IS_MISSING, MULTIWAY, THRESHOLD, UNSEEN
from petree.sources.base import Candidates, Nodes, Splits
from petree.sources.coding import n_orders
from petree.sources.found import TEST, Best
from petree.sources.searching.sets import Orders
from petree.tree import ranges

# Class counts of candidates that are held at a time.
CELLS_AT_ONCE = 1_000_000
# Scores that differ by no more than this, a case, are equal.
TOLERANCE = 1e-12


def best_by_score(source: Any, split: Any, nodes: Nodes) -> Iterator[tuple[NDArray[np.intp], Best]]:
    """Best tests of the nodes, column by column."""
    for column, place in enumerate(source.places):
        cells = _n_candidates(source)[place] * 2 * source.n_classes
        for which in np.array_split(np.arange(len(nodes)), 1 + len(nodes) * cells // CELLS_AT_ONCE):
            if len(which):
                yield which, _best_of_column(source, split, nodes.take(which), column, place)


def _best_of_column(source: Any, split: Any, nodes: Nodes, column: int, place: int) -> Best:
    """The first best candidate of one column at each node."""
    counts, rows = _count(source, nodes, place)
    factor = counts.sum(axis=(1, 2)) if source.per_case else np.ones(len(nodes))
    tests, scores, orders = [], [], _orders(source, counts, place)
    for kind, side, children, child_rows in _candidates(counts, rows, int(source.kinds[place]), orders):
        score = _ask(split, children) * factor[:, None]
        scores.append(np.where(_are_large(child_rows, source.min_samples_leaf), score, -np.inf))
        tests += [(kind, cut, side) for cut in range(score.shape[1])]
    if not tests:
        return Best.none(len(nodes))
    order = sorted(range(len(tests)), key=lambda k: (tests[k][0] != IS_MISSING, tests[k][1], -tests[k][2]))
    score = np.concatenate(scores, axis=1)[:, order]
    highest = score.max(axis=1, initial=-np.inf)
    first = np.argmax(score >= (highest - TOLERANCE * factor)[:, None], axis=1)
    kind, cut, side = np.array(tests)[order][first].T
    columns = np.where(highest > -np.inf, column, -1)
    chosen = _as_tests(columns, np.arange(len(nodes)), kind, cut, side, rows, orders)
    return Best(highest, TOLERANCE * factor, chosen)


# -- all of them -------------------------------------------------------------------------------------------------------


def list_candidates(source: Any, split: Any, nodes: Nodes) -> Iterator[Candidates]:
    """The candidates of some nodes at a time, each as a row of `_Block`, joined and in the order of generation."""
    cells = int(_n_candidates(source).sum()) * 4 * source.n_classes
    for which in np.array_split(np.arange(len(nodes)), 1 + len(nodes) * cells // CELLS_AT_ONCE):
        blocks = [
            block
            for column, place in enumerate(source.places)
            for block in _list_column(source, split, nodes.take(which), column, place)
        ]
        if blocks:
            yield _join(blocks, which)


class _Block(NamedTuple):
    """Candidates of one column: node, test, rank, score and the counts of their children, all of the same number.

    The rank says in which order the tests of a column are generated.
    """

    node: NDArray[np.intp]
    tests: NDArray[Any]
    rank: NDArray[np.intp]
    score: NDArray[np.float64]
    children: NDArray[np.float64]


def _list_column(source: Any, split: Any, nodes: Nodes, column: int, place: int) -> Iterator[_Block]:
    counts, rows = _count(source, nodes, place)
    orders = _orders(source, counts, place)
    for kind, side, children, child_rows in _candidates(counts, rows, int(source.kinds[place]), orders):
        is_listed = _are_large(child_rows, source.min_samples_leaf)
        is_listed[:, 1:] &= _differ(children[:, :, 0]) | _differ(child_rows[:, :, 0])  # the other branch is the rest
        node, cut = np.nonzero(is_listed)
        rank = np.full(len(node), -1) if kind == IS_MISSING else 2 * cut + (side == 0)
        listed = children[node, cut]
        tests = _as_tests(np.full(len(node), column), node, np.full(len(node), kind), cut, side, rows, orders)
        yield _Block(node, tests, rank, _ask(split, listed), listed)


def _differ(branch: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether candidates put something else into their first branch than the ones before them."""
    differ: NDArray[np.bool_] = (branch[:, 1:] != branch[:, :-1]).any(axis=2)
    return differ


def _join(blocks: list[_Block], which: NDArray[np.intp]) -> Candidates:
    """The blocks of some nodes as one list: by node, then as the tests are generated."""
    node, tests = np.concatenate([one.node for one in blocks]), np.concatenate([one.tests for one in blocks])
    n_children = np.concatenate([np.full(len(one.node), one.children.shape[1]) for one in blocks]).astype(np.intp)
    children = np.concatenate([one.children.reshape(-1, one.children.shape[2]) for one in blocks])
    order = np.lexsort((np.concatenate([one.rank for one in blocks]), tests["column"], node))
    stops = np.cumsum(n_children)
    splits = Splits(which[node], np.concatenate([one.score for one in blocks]), tests).take(order)
    return Candidates(splits, children[ranges((stops - n_children)[order], stops[order])], n_children[order])


# -- blocks ------------------------------------------------------------------------------------------------------------


def _ask(split: Any, children: NDArray[np.float64]) -> NDArray[np.float64]:
    """What a split score says of a block of candidates; it must say one finite number of each."""
    try:
        score = np.asarray(split.score(children), np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"The split score {split!r} cannot score class counts: {error}.") from error
    if score.shape != children.shape[:-2] or not np.isfinite(score).all():
        raise ValueError(
            f"The split score {split!r} must give one finite number for each table of children and classes (the last "
            f"two axes): of counts of shape {children.shape} it gave an array of shape {score.shape}, "
            f"{np.count_nonzero(~np.isfinite(score))} of them not finite."
        )
    return score


def _as_tests(
    column: Any, node: NDArray[np.intp], kind: Any, cut: Any, side: Any, rows: NDArray[Any], orders: Orders | None
) -> NDArray[Any]:
    """Candidates of some nodes as tests, with missing values on one side where the node has any."""
    tests = np.zeros(len(node), TEST)
    tests["column"], tests["kind"], tests["cut"] = column, kind, cut
    tests["missing"] = np.where(rows[node, -1, 0] > 0, side, UNSEEN)
    are_sets = tests["kind"] == IN
    if orders is not None and are_sets.any():
        sets = tests[are_sets]
        orders.fill(sets, node[are_sets], sets["cut"].copy(), rows[:, :, 0])
        tests[are_sets] = sets
    return tests


def _orders(source: Any, counts: NDArray[np.float64], place: int) -> Orders | None:
    """The orders of the categories of a column that offers sets."""
    return Orders(counts[:, :-1], source.threads.stop) if source.kinds[place] == IN else None


def _n_candidates(source: Any) -> NDArray[np.int64]:
    """How many candidates there may be at each place."""
    n_tests: NDArray[np.int64] = source.n_bins * np.where(source.kinds == IN, n_orders(source.n_classes), 1) + 2
    return n_tests


def _count(source: Any, nodes: Nodes, place: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weight of each (node, code, class), and rows of each (node, code); the last code is that of missing values."""
    starts, stops = nodes.handles[:, 0], nodes.handles[:, 1]
    rows = ranges(starts, stops)
    is_narrow = place < source.n_narrow
    codes = source.narrow[rows, place] if is_narrow else source.wide[rows, place - source.n_narrow]
    n_codes, n_classes = int(source.n_bins[place]) + 1, source.n_classes
    line = np.repeat(np.arange(len(nodes)), stops - starts) * n_codes + codes
    weights, copies = source.row_weights(), source.weights.copies
    counts = np.bincount(
        line * n_classes + source.classes[rows],
        None if weights is None else weights[rows],
        len(nodes) * n_codes * n_classes,
    ).reshape(len(nodes), n_codes, n_classes)
    n_rows = np.bincount(line, copies[rows] if len(copies) else None, len(nodes) * n_codes)
    factors = source.class_weight if len(source.class_weight) else 1.0
    return counts * factors, n_rows.reshape(len(nodes), n_codes, 1).astype(np.float64)


def _candidates(
    counts: NDArray[np.float64], rows: NDArray[np.float64], kind: int, orders: Orders | None
) -> Iterator[tuple[int, int, NDArray[np.float64], NDArray[np.float64]]]:
    """Blocks of candidates: their kind, the branch of missing values, counts and rows of their children."""
    has_missing = bool((rows[:, -1] > 0).any())
    if has_missing:
        yield IS_MISSING, 0, _pairs(counts[:, -1:], counts), _pairs(rows[:, -1:], rows)
    if kind == MULTIWAY:
        yield MULTIWAY, counts.shape[1] - 1, counts[:, None], rows[:, None]
        return
    for side in (1, 0) if has_missing else (1,):
        children, child_rows = (_binary(table, kind, side, orders) for table in (counts, rows))
        yield kind, side, children, child_rows if orders is None else child_rows * orders.are_cuts[..., None, None]


def _binary(table: NDArray[np.float64], kind: int, side: int, orders: Orders | None) -> NDArray[np.float64]:
    """The binary tests of a column, with missing values on one side."""
    known = table[:, :-1]
    branch = known.cumsum(axis=1)[:, :-1] if kind == THRESHOLD else known if orders is None else orders.branches(known)
    return _pairs(branch + table[:, -1:] if side == 0 else branch, table)


def _pairs(branch: NDArray[np.float64], table: NDArray[np.float64]) -> NDArray[np.float64]:
    """A branch and what it leaves of the node: (nodes, candidates, 2, ...)."""
    return np.stack((branch, table.sum(axis=1, keepdims=True) - branch), axis=2)


def _are_large(rows: NDArray[np.float64], least: int) -> NDArray[np.bool_]:
    """Which candidates leave enough rows in at least two children."""
    large: NDArray[np.bool_] = (rows[..., 0] >= least).sum(axis=-1) >= 2
    return large
