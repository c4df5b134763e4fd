"""The compiled loops of petree."""

from petree.core._baseline import numbers as numbers


class Stopped(BaseException):
    pass

def has_avx2() -> bool:
    """Whether this processor can run the variant for AVX2."""
