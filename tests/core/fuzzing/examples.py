"""An extension in which every door does something wrong, to see that the watch sees it."""

from __future__ import annotations

import ctypes
import os
import time
from types import ModuleType
from typing import Any

from tests.core.fuzzing import run

SIGNATURE = "def call(values: numpy.typing.NDArray[numpy.float64]) -> None"


class Function:
    """A function with a signature as those of the extension have."""

    __nb_signature__ = ((SIGNATURE, "", None),)

    def __init__(self, function: Any) -> None:
        self._function = function

    def __call__(self, values: Any) -> Any:
        return self._function(values)


def end_the_process(values: Any) -> None:
    os.abort()


def raise_another_error(values: Any) -> None:
    raise RuntimeError("This is a sentence, but no refusal.")


def raise_without_a_sentence(values: Any) -> None:
    raise MemoryError("std::bad_alloc")


def write_behind(values: Any) -> None:
    """One byte behind the array, if that is inside fences."""
    base = getattr(values, "base", None)
    if base is not None and getattr(base, "nbytes", 0) == values.nbytes + 128:
        ctypes.memset(values.ctypes.data + values.nbytes, 0, 1)


def take_long(values: Any) -> None:
    began = time.thread_time()
    while time.thread_time() - began < 1.1 * run.MOST_SECONDS * run.slowness():
        pass


def make_extension() -> ModuleType:
    extension, room = ModuleType("_example"), ModuleType("_example.bad")
    vars(extension)["bad"] = room
    for function in (
        end_the_process,
        raise_another_error,
        raise_without_a_sentence,
        write_behind,
        take_long,
    ):
        setattr(room, function.__name__, Function(function))
    return extension


if __name__ == "__main__":
    run.MOST_SECONDS = 0.05
    run.main(make_extension())
