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
