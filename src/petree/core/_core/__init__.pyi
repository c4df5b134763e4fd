"""The compiled loops of petree."""

from petree.core._core import (
    content as content,
    draws as draws,
    numbers as numbers,
    options as options,
    partitions as partitions,
    permutation as permutation,
    prediction as prediction,
    relations as relations,
    search as search,
    tables as tables,
    trees as trees
)


def set_main_thread(thread: int) -> None:
    """Say which thread handles signals: the loops of that one look for them."""

class Stopped(BaseException):
    pass
