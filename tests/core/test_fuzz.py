"""The doors of the extension, by chance: whatever is handed over, a call returns or is refused in a sentence."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from tests.core.fuzzing import watch
from tests.core.fuzzing.recipes import ArrayOf, Kitchen


def test_no_call_does_anything_but_return_or_refuse(request: pytest.FixtureRequest) -> None:
    assert not (found := watch.complaints(0, request.config.getoption("--fuzz-calls"))), "\n\n".join(found)


def test_every_door_lets_in_the_calls_of_real_fits() -> None:
    assert watch.complaints_about_examples() == []


WRONGS = {"ended", "RuntimeError", "without a sentence", "beside an array", "seconds"}


def test_what_a_call_does_wrong_is_told_with_the_call_and_how_to_make_it_again() -> None:
    found = watch.complaints(0, 40, "tests.core.fuzzing.examples")
    assert all(complaint.startswith("bad.") for complaint in found)
    assert all("again: python -m tests.core.fuzzing.examples --seed=0 --first=" in complaint for complaint in found)
    told = [complaint.split("\n", 1)[1] for complaint in found]
    assert {wrong for wrong in WRONGS for complaint in told if wrong in complaint} == WRONGS


def test_what_is_written_into_a_read_only_array_is_seen() -> None:
    kitchen = Kitchen({})
    array = kitchen.make(ArrayOf(np.arange(3), "read only"))
    assert kitchen.damage() is None
    ctypes.memset(array.ctypes.data, 255, 1)
    assert kitchen.damage() == "it wrote into a read-only array"
