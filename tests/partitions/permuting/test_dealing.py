"""Classes that are dealt by number, against their definition."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from petree.keys import Keys
from petree.partitions.amounts import ONE_EACH
from petree.partitions.engines.base import in_pairs
from petree.partitions.permuting import dealing
from petree.partitions.permuting.dealing import Answer, NumberedRows, Question, find_ends

KEYS = np.array([17, 2**63 + 5], np.uint64)
HANDLES = np.arange(2)


@dataclass
class CutNodes:
    """Two nodes, the cases of which are in several pieces."""

    pieces: list[NumberedRows]
    of_class: NDArray[np.int64]

    def totals(self, handles: NDArray[np.int64]) -> NDArray[np.int64]:
        return self.of_class[handles]

    def ask(self, handles: NDArray[np.int64], keys: Keys, question: Question[Answer]) -> Answer:
        stop = np.zeros(1, np.uint8)
        joined: Answer = in_pairs([question.of(piece.cases(keys), stop) for piece in self.pieces], question.join)
        return joined


def make_nodes(totals: list[list[int]], copies: bool, cuts: tuple[int, ...] = ()) -> CutNodes:
    """Nodes of so many cases of each class, rows taking turns; with copies every third row is two cases."""
    of_class = np.array(totals)
    slots = np.concatenate([np.full(total, slot) for slot, total in enumerate(of_class.sum(axis=1))])
    slots = np.random.default_rng(0).permutation(slots)
    n_copies = np.ones(len(slots), np.int64)
    if copies:
        n_copies = np.where(np.arange(len(slots)) % 3, 1, 2)
        of_class[:, 0] += np.bincount(slots, n_copies - 1).astype(np.int64)
    pieces = []
    for rows in np.split(np.arange(len(slots)), cuts):
        codes = np.zeros((len(rows), 1), np.uint8)
        wide = np.empty((len(rows), 0), np.uint32)
        some = n_copies[rows] if copies else ONE_EACH
        pieces.append(NumberedRows(codes, wide, slots[rows].astype(np.int32), rows.astype(np.uint64), some, ONE_EACH))
    return CutNodes(pieces, of_class)


def dealt(nodes: CutNodes, permutations: range) -> NDArray[np.int64]:
    """The class of each case in each permutation, and -1 behind the last case of a node."""
    ends = find_ends(nodes, HANDLES, KEYS, permutations)
    cases = [some for piece in nodes.pieces for some in piece.cases(KEYS)]
    slots = np.concatenate([some.slots for some in cases])
    classes = np.full((2, len(permutations), nodes.of_class.sum(axis=1).max()), -1)
    for place, permutation in enumerate(permutations):
        draws = np.concatenate([some.draws(permutation) for some in cases])
        for slot in range(2):
            own = np.searchsorted(ends[slot, place], draws[slots == slot], "right")
            classes[slot, place, : len(own)] = own
    return classes


@pytest.mark.parametrize("totals", [[[2, 3], [4, 1]], [[2, 1, 2], [0, 2, 2]]], ids=str)
def test_every_order_of_the_classes_is_as_frequent_as_another(totals: list[list[int]]) -> None:
    classes = dealt(make_nodes(totals, copies=False), range(3000))
    for of_node, n_orders in zip(classes, [10, 5] if len(totals[0]) == 2 else [30, 6], strict=True):
        frequencies = Counter(map(tuple, of_node.tolist()))
        deviation = np.sqrt(3000 / n_orders * (1 - 1 / n_orders))
        assert len(frequencies) == n_orders
        assert np.abs(np.array(list(frequencies.values())) - 3000 / n_orders).max() < 4 * deviation


@pytest.mark.parametrize("copies", [False, True])
@pytest.mark.parametrize("spread", [6.0, 0.001])
def test_as_many_cases_of_each_class_are_dealt_as_there_are(
    spread: float, copies: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = dealt(make_nodes([[300, 0, 200], [1, 250, 150]], copies), range(4, 9))
    monkeypatch.setattr(dealing, "SPREAD", spread)  # if windows are too narrow, others follow
    monkeypatch.setattr(dealing, "CASES_AT_ONCE", 100)
    nodes = make_nodes([[300, 0, 200], [1, 250, 150]], copies, (0, 3, 3, 800))
    classes = dealt(nodes, range(4, 9))
    np.testing.assert_array_equal(classes, expected)
    for slot, of_node in enumerate(classes):
        for of_permutation in of_node:
            np.testing.assert_array_equal(
                np.bincount(of_permutation[of_permutation >= 0], minlength=3), nodes.of_class[slot]
            )


def test_copies_of_a_row_are_dealt_to_one_by_one() -> None:
    rows = NumberedRows(
        np.zeros((1, 1), np.uint8),
        np.empty((1, 0), np.uint32),
        np.zeros(1, np.int32),
        np.zeros(1, np.uint64),
        np.array([1000]),
        ONE_EACH,
    )
    (some,) = rows.cases(KEYS)
    assert len(np.unique(some.draws(3))) == 1000
