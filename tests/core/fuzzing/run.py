"""The process that makes the calls: ``python -m tests.core.fuzzing.run --seed 0 --first 0 --calls 1000``.

Each call follows from the seed and its number alone. The number of the call under way stands in a file, for the process
that watches; what a call did wrong is printed, a line of JSON each.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
from tests.core.fuzzing.chance import Chance
from tests.core.fuzzing.doors import Door, find_doors
from tests.core.fuzzing.recipes import Kitchen, Recipe, describe
from tests.core.fuzzing.recording import record

from petree import core

MOST_SECONDS = 2.0
SECONDS_TO_STOP = 0.5
MOST_BYTES = 2**29
ROOM = 2**32  # bytes of addresses that a call may ask for before it gets none
REFUSALS = (TypeError, ValueError, OverflowError, IndexError, MemoryError)


class Fuzzer:
    def __init__(self, seed: int, extension: ModuleType) -> None:
        self._seed = seed
        self._doors = find_doors(extension)
        self._stopped = getattr(extension, "Stopped", ())
        self._classes = {door.name: door.call for door in self._doors.values() if door.makes_object}
        self._calls = record(extension, self._doors) if extension is core._core else {}

    def report(self) -> str:
        noted = sum(map(len, self._calls.values()))
        return f"{len(self._doors)} doors, {noted} calls of {len(self._calls)} of them as examples"

    def prepare(self, number: int) -> tuple[Door, tuple[Recipe, ...], Chance]:
        random = Random(f"{self._seed} {number}")
        door = random.choice(list(self._doors.values()))
        chance = Chance(random, self._doors, self._calls)
        return door, chance.arguments(door), chance

    def describe(self, number: int) -> str:
        door, recipes, _ = self.prepare(number)
        return f"{door.name}({', '.join(map(describe, recipes))})"

    def complaints_about_examples(self) -> list[str]:
        """Doors that no example goes through, and examples that cannot be made again."""
        missing = [f"{name}: no fit of tests/core/fits.py calls it" for name in self._doors if name not in self._calls]
        return missing + [f"{name}: {error}" for name in self._calls for error in self._errors(name)]

    def _errors(self, name: str) -> Iterator[str]:
        for recipes in self._calls.get(name, ()):
            kitchen = Kitchen(self._classes)
            try:
                self._doors[name].call(*[kitchen.make(recipe) for recipe in recipes])
            except Exception as error:
                yield f"{type(error).__name__}: {error}"
            if (damage := kitchen.damage()) is not None:
                yield damage

    def complaint(self, number: int) -> str | None:
        """What a call did wrong."""
        door, recipes, chance = self.prepare(number)
        kitchen = Kitchen(self._classes)
        used, began = memory(), time.thread_time()
        complaint = self._call(door, recipes, kitchen, chance, number)
        seconds, more = time.thread_time() - began, memory() - used
        if seconds > MOST_SECONDS * slowness():
            complaint = complaint or f"it took {seconds:.1f} seconds"
        if more > MOST_BYTES * slowness():
            complaint = complaint or f"it took {more / 2**20:.0f} MB"
        return complaint or kitchen.damage()

    def _call(
        self, door: Door, recipes: tuple[Recipe, ...], kitchen: Kitchen, chance: Chance, number: int
    ) -> str | None:
        try:
            arguments = [kitchen.make(recipe) for recipe in recipes]
            with _stopping(door, arguments):
                _look_at(door.call(*arguments))
        except REFUSALS as error:
            return None if _is_sentence(str(error)) else f"{type(error).__name__} without a sentence: {error}"
        except BaseException as error:
            return None if isinstance(error, self._stopped) else f"{type(error).__name__}: {error}"
        return None


@contextmanager
def _stopping(door: Door, arguments: list[Any]) -> Iterator[None]:
    """Who asks for a lot of work gets it, but can always stop it."""
    flags = []
    for k, parameter in enumerate(door.parameters[: len(arguments)]):
        argument = arguments[k]
        if parameter.name == "stop" and isinstance(argument, np.ndarray) and argument.flags.c_contiguous:
            arguments[k] = np.array(argument)
            flags.append(arguments[k])
    timer = threading.Timer(SECONDS_TO_STOP, lambda: [flag.fill(1) for flag in flags])
    if flags:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _look_at(result: Any) -> None:
    """Touch all of what was returned, and ask it for everything it offers."""
    if isinstance(result, tuple):
        for part in result:
            _look_at(part)
    elif isinstance(result, np.ndarray):
        result.tobytes()
    elif type(result).__module__.startswith("petree"):
        for name in dir(type(result)):
            if not name.startswith("__") and not callable(getattr(result, name)):
                _look_at(getattr(result, name))


def _is_sentence(text: str) -> bool:
    first = text.split("\n")[0]
    return " " in first and "::" not in first


def memory() -> int:
    """The most bytes that this process has used so far."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def slowness() -> int:
    """Sanitized loops are slower and keep what was freed."""
    return 8 if _is_sanitized() else 1


def _is_sanitized() -> bool:
    return "asan" in os.environ.get("LD_PRELOAD", "")


def limit_addresses() -> None:
    """What asks for far too much gets nothing, instead of memory that is never touched."""
    if not sys.platform.startswith("linux") or _is_sanitized():
        return
    import resource

    with open("/proc/self/statm") as file:
        in_use = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (in_use + ROOM, resource.RLIM_INFINITY))


def main(extension: ModuleType = core._core) -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--first", type=int, default=0)
    options.add_argument("--calls", type=int, default=1000)
    options.add_argument("--progress", default=os.devnull, help="file for the number of the call under way")
    options.add_argument("--describe", action="store_true", help="print the calls instead of making them")
    options.add_argument("--examples", action="store_true", help="make the calls that were recorded, unchanged")
    chosen = options.parse_args()
    faulthandler.enable()
    fuzzer = Fuzzer(chosen.seed, extension)
    numbers = range(chosen.first, chosen.first + chosen.calls)
    if chosen.examples:
        print(json.dumps(fuzzer.complaints_about_examples()))
        return
    if chosen.describe:
        print(*map(fuzzer.describe, numbers), sep="\n")
        return
    print(json.dumps({"report": fuzzer.report()}), flush=True)
    limit_addresses()
    make_calls(fuzzer, numbers, chosen.progress)


def make_calls(fuzzer: Any, numbers: range, progress: str) -> None:
    """Print what goes wrong; the number under way stands in a file, for the process that watches."""
    file = os.open(progress, os.O_WRONLY)
    for number in numbers:
        os.lseek(file, 0, os.SEEK_SET)
        os.write(file, b"%12d" % number)
        complaint = fuzzer.complaint(number)
        if complaint is not None:
            call = fuzzer.describe(number)
            print(json.dumps({"number": number, "call": call, "complaint": complaint}), flush=True)


if __name__ == "__main__":
    main()
