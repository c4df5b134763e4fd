"""Random numbers of rows from their content."""

import numpy as np
import pytest

from petree import core
from petree.keys import mix


def test_rows_are_mixed_column_by_column():
    generator = np.random.default_rng(1)
    whole = generator.integers(-5, 5, 300).astype(float)
    number = generator.choice([0.0, -0.0, np.nan, -np.nan, 1.5, np.inf], 300)
    clean = np.where(np.isnan(number), np.nan, number + 0.0)
    keys = generator.integers(0, 2**63, 300).astype(np.uint64)
    expected = mix(mix(keys, whole.view(np.uint64)), clean.view(np.uint64))
    core.content.mix_columns(np.stack((whole, number)), keys)
    np.testing.assert_array_equal(keys, expected)


@pytest.mark.parametrize("n_rows", [2, 4])
def test_keys_of_another_length_are_refused(n_rows):
    with pytest.raises(ValueError, match="for each"):
        core.content.mix_columns(np.zeros((2, 3)), np.zeros(n_rows, np.uint64))
