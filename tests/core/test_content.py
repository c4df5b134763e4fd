"""Random numbers of rows and columns from their content."""

import numpy as np
import pytest

from petree import core
from petree.keys import combine_keys

GENERATOR = np.random.default_rng(1)
WHOLE = GENERATOR.integers(-5, 5, 300).astype(float)
NUMBER = GENERATOR.choice([0.0, -0.0, np.nan, -np.nan, 1.5, np.inf], 300)
CLEAN = np.where(np.isnan(NUMBER), np.nan, NUMBER + 0.0)
KEYS = GENERATOR.integers(0, 2**63, 300).astype(np.uint64)


def test_rows_are_sums_over_columns():
    rows, columns = KEYS.copy(), KEYS[:2].copy()
    core.content.add_to_rows(np.stack((WHOLE, NUMBER)), columns, rows)
    expected = (
        KEYS + combine_keys(columns[:1], WHOLE.view(np.uint64)) + combine_keys(columns[1:], CLEAN.view(np.uint64))
    )
    np.testing.assert_array_equal(rows, expected)


def test_columns_are_sums_over_rows():
    copies, columns = np.arange(300, dtype=np.uint64), KEYS[:2].copy()
    core.content.add_to_columns(np.stack((WHOLE, NUMBER)), KEYS, copies, columns)
    expected = [(copies * combine_keys(KEYS, line.view(np.uint64))).sum() for line in (WHOLE, CLEAN)]
    np.testing.assert_array_equal(columns, KEYS[:2] + np.array(expected, np.uint64))


@pytest.mark.parametrize(("n_rows", "n_columns"), [(2, 2), (4, 2), (3, 1), (3, 3)])
def test_keys_of_another_length_are_refused(n_rows, n_columns):
    rows, columns = np.zeros(n_rows, np.uint64), np.zeros(n_columns, np.uint64)
    with pytest.raises(ValueError, match="for each"):
        core.content.add_to_rows(np.zeros((2, 3)), columns, rows)
    with pytest.raises(ValueError, match="for each"):
        core.content.add_to_columns(np.zeros((2, 3)), rows, rows, columns)


@pytest.mark.parametrize("width", [0, 1, 8, 11])
def test_codes_are_mixed_into_the_keys_of_rows_a_word_at_a_time(width):
    codes = GENERATOR.integers(0, 256, (300, width)).astype(np.uint8)
    for mix, kind, step in ((core.content.mix_codes, np.uint8, 8), (core.content.mix_wide_codes, np.uint32, 2)):
        rows = KEYS.copy()
        mix(codes.astype(kind), rows)
        expected = KEYS.copy()
        for first in range(0, width, step):
            bits = 64 // step * np.arange(step, dtype=np.uint64)[: width - first]
            words = (codes[:, first : first + step].astype(np.uint64) << bits).sum(axis=1, dtype=np.uint64)
            expected = combine_keys(expected, words)
        np.testing.assert_array_equal(rows, expected)
        with pytest.raises(ValueError, match="for each"):
            mix(codes.astype(kind), rows[1:])


def test_halvings_are_the_leading_zeros_of_mixed_keys():
    bands = np.empty(300, np.uint8)
    seed = KEYS[:1].copy()
    core.content.count_halvings(KEYS, seed, bands)
    mixed = combine_keys(seed, KEYS).tolist()
    assert bands.tolist() == [64 - key.bit_length() for key in mixed]
    with pytest.raises(ValueError, match="one for each key"):
        core.content.count_halvings(KEYS, seed, bands[1:])
    with pytest.raises(ValueError, match="one key"):
        core.content.count_halvings(KEYS, KEYS, bands)
