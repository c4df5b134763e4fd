"""Bit tricks, most of which numba does not offer by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic


@intrinsic
def trailing_zeros(typing_context: Any, word: Any) -> Any:
    """Position of the lowest set bit of a 64-bit word that is not zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def popcount(typing_context: Any, word: Any) -> Any:
    """Number of set bits of a 64-bit word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@njit(nogil=True, cache=True, inline="always")
def bit(k):
    """The bit of element k in its word of a bit set."""
    return np.uint64(1) << np.uint64(k & 63)
