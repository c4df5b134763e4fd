"""Random numbers of rows from what stands in them."""

from __future__ import annotations

import numpy as np
from numba import njit

from petree.kernels.chain import mix

# All bits of a missing value, whichever NaN it is.
NAN_BITS = 0x7FF8000000000000


@njit(nogil=True, cache=True)
def mix_columns(numbers, bits, is_whole, keys):
    """Make the key of each row depend on its number in every column: a line each, and the same again as bits.

    The numbers of some columns are whole and count as integers.
    """
    for column in range(numbers.shape[0]):
        for row in range(numbers.shape[1]):
            number, word = numbers[column, row], bits[column, row]
            if is_whole[column]:
                word = np.uint64(np.int64(number))
            elif number == 0:  # minus zero is zero
                word = np.uint64(0)
            elif number != number:
                word = np.uint64(NAN_BITS)
            keys[row] = mix(keys[row], word)
