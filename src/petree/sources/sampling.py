"""Which rows of a table a sample has: by what stands in them, so that their order does not matter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree import core
from petree.keys import Keys, combine_keys, root_key
from petree.sources.quality import EvidenceOfTests
from petree.sources.rows import Rows
from petree.sources.searching.by_sample import LAST_BAND, LEAST_SAMPLE, BySample
from petree.sources.searching.leading import Lead
from petree.sources.table import TableSource
from petree.splitting.base import Scores, code_of
from petree.splitting.codes import GrowthSetting, RatioCode
from petree.tree import turns

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
        refuse_ratio_scores(searcher.scoring.split)
        if len(rows) < LEAST_SAMPLE << LAST_BAND:
            return source
        bands = bands_of(rows, self.seed)
        evidence = EvidenceOfTests.of(searcher.scoring.split, rows.root().counts[0], searcher.scoring.class_weight)
        sampled = BySample(searcher, bands, Lead(evidence, self.ratio))
        return TableSource(rows, sampled, source.vocabulary, source.threads)


def refuse_ratio_scores(split: Scores) -> None:
    """Raise where a split score looks at all tests of a node."""
    if isinstance(code_of(split, GrowthSetting("binary", 1.0)), RatioCode):
        raise ValueError(
            f"The split score {split!r} compares each test with the mean of all, which a sample does not tell; set "
            "sample_ratio=None, or another split score."
        )


def bands_of(rows: Rows, seed: int) -> NDArray[np.uint8]:
    """Of each row in how many samples, each a half of the one before, it is."""
    keys = rows.classes.astype(np.uint64)
    weights = rows.weights.of_rows
    if weights is not None:
        keys = combine_keys(keys, weights.astype(np.float64).view(np.uint64))
    core.content.mix_codes(rows.narrow, keys)
    core.content.mix_wide_codes(rows.wide, keys)
    bands = np.empty(len(rows), np.uint8)
    core.content.count_halvings(_told_apart(keys), root_key(seed), bands)
    return bands


def _told_apart(keys: Keys) -> Keys:
    """Keys of which no more than a small part are equal: equal rows get other ones in turn, where they may be many.

    The others go into a sample together.
    """
    slots = (keys % np.uint64(N_SLOTS)).astype(np.intp)
    n_rows = np.bincount(slots, minlength=N_SLOTS)
    which = np.flatnonzero((n_rows > HEAVY * (1 + len(keys) // N_SLOTS))[slots])
    order = which[np.argsort(keys[which], kind="stable")]
    is_first = np.append(True, keys[order[1:]] != keys[order[:-1]])[: len(order)]
    apart = keys.copy()
    apart[order] = combine_keys(keys[order], turns(is_first).astype(np.uint64))
    return apart
