"""Calls as petree makes them, noted while it learns: from them, a little changed, chance reaches the inner loops."""

from __future__ import annotations

import numbers
import warnings
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
from tests.core.fuzzing.doors import Door
from tests.core.fuzzing.recipes import ArrayOf, ObjectOf, Plain, Recipe

Call = tuple[Recipe, ...]

MOST_CALLS = 12  # of one door
MOST_BYTES = 1_000_000  # of one call


class CannotNoteError(Exception):
    """An argument that cannot be made again, or is too large."""


@dataclass
class Recorder:
    doors: dict[str, Door]
    calls: dict[str, list[Call]] = field(default_factory=lambda: defaultdict(list))
    _made: dict[int, tuple[Any, str, Sequence[Any]]] = field(default_factory=dict)

    def listen(self, extension: ModuleType) -> None:
        """Stand at every door of the extension's modules."""
        for door in self.doors.values():
            place = door.name.split(".")
            room = extension if len(place) == 1 else vars(extension).get(place[0])
            if isinstance(room, ModuleType) and getattr(room, place[-1], None) is door.call:
                setattr(room, place[-1], self._listener(door))

    def _listener(self, door: Door) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            handed = [*arguments, *(named[each.name] for each in door.parameters if each.name in named)]
            self._note(door, handed)
            result = door.call(*handed)
            if door.makes_object:
                self._made[id(result)] = (result, door.name, handed)
            return result

        return call

    def _note(self, door: Door, arguments: Sequence[Any]) -> None:
        """The first calls, and now and then one that comes later."""
        calls = self.calls[door.name]
        if len(calls) >= MOST_CALLS:
            return
        try:
            call = tuple(map(self._recipe, arguments))
        except CannotNoteError:
            return
        if _size(call) <= MOST_BYTES:
            calls.append(call)

    def _recipe(self, argument: Any) -> Recipe:
        if isinstance(argument, np.ndarray) and not argument.dtype.hasobject:
            if argument.nbytes > MOST_BYTES:
                raise CannotNoteError
            return ArrayOf(np.array(argument, order="C"), "plain" if argument.flags.writeable else "read only")
        if argument is None or isinstance(argument, (numbers.Number, np.generic, str, bytes)):
            return Plain(argument)
        if id(argument) in self._made:
            _, name, arguments = self._made[id(argument)]
            return ObjectOf(name, tuple(map(self._recipe, arguments)))
        raise CannotNoteError


def _size(call: Sequence[Recipe]) -> int:
    sizes = {ArrayOf: lambda each: each.values.nbytes, ObjectOf: lambda each: _size(each.arguments)}
    return sum(sizes.get(type(each), lambda _: 8)(each) for each in call)


def record(extension: ModuleType, doors: dict[str, Door]) -> dict[str, list[Call]]:
    """The calls of a few dozen fits; petree's other modules must not have been imported before."""
    recorder = Recorder(doors)
    recorder.listen(extension)
    from tests.core.fits import FITS

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for fit in FITS.values():
            fit()
    return {name: calls for name, calls in recorder.calls.items() if calls}
