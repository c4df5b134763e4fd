"""Random numbers of rows from their content."""

import numpy as np
import pytest

from petree import core
from petree.keys import mix


def test_rows_are_mixed_column_by_column():
    generator = np.random.default_rng(1)
    whole = generator.integers(-5, 5, 300)
    number = generator.choice([0.0, -0.0, np.nan, -np.nan, 1.5, np.inf], 300)
    clean = np.where(np.isnan(number), np.nan, number + 0.0)
    keys = generator.integers(0, 2**63, 300).astype(np.uint64)
    expected = mix(mix(keys, whole.view(np.uint64)), clean.view(np.uint64))
    block = np.stack((whole.astype(float), number))
    core.content.mix_columns(block, np.array([True, False]), keys)
    np.testing.assert_array_equal(keys, expected)


def test_whole_numbers_that_no_integer_holds_are_alike():
    numbers = np.array([[2.0**63, 2.0**64, -(2.0**63), np.inf, np.nan]])
    keys = np.zeros(5, np.uint64)
    core.content.mix_columns(numbers, np.array([True]), keys)
    assert len(set(keys.tolist())) == 1


@pytest.mark.parametrize(("n_columns", "n_rows"), [(1, 3), (3, 3), (2, 2), (2, 4)])
def test_flags_and_keys_of_other_lengths_are_refused(n_columns, n_rows):
    with pytest.raises(ValueError, match="for each"):
        core.content.mix_columns(np.zeros((2, 3)), np.zeros(n_columns, bool), np.zeros(n_rows, np.uint64))
