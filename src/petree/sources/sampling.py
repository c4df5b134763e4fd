"""Which rows of a table a sample has: by what stands in them, so that their order does not matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from petree.keys import Keys, combine_keys, root_key
from petree.sources.quality import EvidenceOfTests
from petree.sources.rows import Rows
from petree.sources.searching.by_sample import LAST_BAND, LEAST_SAMPLE, BySample
from petree.sources.searching.by_value import ByRatio
from petree.sources.table import TableSource

# Rows whose keys are made together, so that their codes stay in the cache.
CHUNK_ROWS = 16_384
# Equal rows that may be many are found by counting the last bits of their keys.
N_SLOTS = 65_536
# A slot of so many times the mean of all slots, and some more, may have rows of which many are equal.
HEAVY = 4


@dataclass(frozen=True)
class Sampling:
    """How tests are chosen on samples.

    Parameters
    ----------
    ratio : float
        How many times more probable than the second test the first one must be.
    seed : int
    """

    ratio: float
    seed: int

    def bind(self, source: TableSource) -> TableSource:
        """A source that has just been made, with tests that samples choose; the same one where nodes are small."""
        rows = source.rows
        searcher = source.searcher
        if isinstance(searcher, ByRatio):
            raise ValueError(
                f"The split score {searcher.scoring.split!r} compares each test with the mean of all, which a sample "
                "does not tell; set sample_ratio=None, or another split score."
            )
        if len(rows) < LEAST_SAMPLE << LAST_BAND:
            return source
        names = [column.column.name for column in source.vocabulary.columns]
        bands = bands_of(rows, [names[column] for column in rows.columns.order], self.seed)
        evidence = EvidenceOfTests.of(searcher.scoring.split, rows.root().counts[0], searcher.scoring.class_weight)
        sampled = BySample(searcher, bands, evidence, float(np.log(self.ratio)))
        return TableSource(rows, sampled, source.vocabulary, source.threads)


def bands_of(rows: Rows, names: Sequence[str], seed: int) -> NDArray[np.uint8]:
    """Of each row how many samples, each a half of the one before, it belongs to; columns are told by their names."""
    keys = np.empty(len(rows), np.uint64)
    tables = [_code_keys(crc32(name.encode()), 256) for name in names[: rows.n_narrow]]
    wide = np.array([crc32(name.encode()) for name in names[rows.n_narrow :]], np.uint64)
    for start in range(0, len(rows), CHUNK_ROWS):
        part = slice(start, start + CHUNK_ROWS)
        sums = combine_keys(rows.wide[part].astype(np.uint64), wide).sum(axis=1, dtype=np.uint64)
        for place, table in enumerate(tables):
            sums += table[rows.narrow[part, place]]
        keys[part] = combine_keys(sums, rows.classes[part].astype(np.uint64))
    keys = combine_keys(root_key(seed), _told_apart(_with_weights(keys, rows)))
    return (64 - np.clip(np.frexp(keys.astype(np.float64))[1], 0, 64)).astype(np.uint8)


def _code_keys(column: int, n_codes: int) -> Keys:
    """A key for each code of a column."""
    return combine_keys(np.arange(n_codes, dtype=np.uint64), np.array([column], np.uint64))


def _with_weights(keys: Keys, rows: Rows) -> Keys:
    """Keys that tell rows of other weights apart."""
    weights = rows.weights.of_rows
    return keys if weights is None else combine_keys(keys, weights.astype(np.float64).view(np.uint64))


def _told_apart(keys: Keys) -> Keys:
    """Keys of which no more than a small part are equal: equal rows get other ones in turn, where they may be many.

    The others go into a sample together.
    """
    slots = (keys % np.uint64(N_SLOTS)).astype(np.intp)
    n_rows = np.bincount(slots, minlength=N_SLOTS)
    which = np.flatnonzero((n_rows > HEAVY * (1 + len(keys) // N_SLOTS))[slots])
    order = which[np.argsort(keys[which], kind="stable")]
    places = np.arange(len(order))
    is_first = np.append(True, keys[order[1:]] != keys[order[:-1]])[: len(order)]
    turn = places - np.maximum.accumulate(np.where(is_first, places, 0))
    apart = keys.copy()
    apart[order] = combine_keys(keys[order], turn.astype(np.uint64))
    return apart
