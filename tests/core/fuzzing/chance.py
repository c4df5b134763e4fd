"""Random arguments: of any kind, of the right kind, or those of a real call with a few changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.core.fuzzing.doors import Door, Parameter
from tests.core.fuzzing.recipes import BAD_LAYOUTS, GOOD_LAYOUTS, OTHER_LAYOUTS, ArrayOf, ObjectOf, Plain, Recipe

ELEMENTS = ("uint8", "uint16", "uint32", "uint64", "int8", "int32", "int64", "float32", "float64", "bool", "complex128")
LENGTHS = (0, 0, 1, 1, 2, 3, 4, 5, 8, 16, 17, 63, 64, 65, 200)
WHOLE = (0, 1, 2, 3, 5, 10, 63, 64, 65, 255, 256, 1000, 65535, 65536, 10**6, 2**31 - 1, 2**31, 2**32, 2**53, 2**63 - 1)
BROKEN = (0.0, -0.0, 0.5, 1.0, -1.0, 1e-308, 5e-324, 1e300, -1e300, float("inf"), float("-inf"), float("nan"))
WORDS = ("", "gain", "gini", "\0", "ä" * 100)


class Chance:
    def __init__(self, random: Random, doors: dict[str, Door], calls: dict[str, list[tuple[Recipe, ...]]]) -> None:
        self._random = random
        self._doors = doors
        self._calls = calls
        # lengths and bounds that arguments of one call share, so that some fit together
        self._lengths = [random.choice(LENGTHS) for _ in range(2)]
        self._is_wild = random.random() < 0.15

    # -- calls ---------------------------------------------------------------------------------------------------------

    def arguments(self, door: Door) -> tuple[Recipe, ...]:
        calls = self._calls.get(door.name)
        if calls and self._random.random() < 0.7:
            return self._changed(door.parameters, self._random.choice(calls))
        arguments = [self.argument(parameter) for parameter in door.parameters]
        if self._random.random() < 0.02:
            arguments = arguments[:-1] if self._random.random() < 0.5 else [*arguments, self._anything()]
        return tuple(arguments)

    def _changed(self, parameters: Sequence[Parameter], call: tuple[Recipe, ...]) -> tuple[Recipe, ...]:
        for _ in range(self._random.choice((0, 1, 1, 1, 1, 2, 3))):
            if not call:
                break
            k = self._random.randrange(len(call))
            parameter = parameters[k] if k < len(parameters) else Parameter("", "")
            call = (*call[:k], self._change(parameter, call[k]), *call[k + 1 :])
        return call

    def _change(self, parameter: Parameter, recipe: Recipe) -> Recipe:
        if self._random.random() < 0.08:
            return self.argument(parameter)
        if isinstance(recipe, ObjectOf):
            return replace(recipe, arguments=self._changed(self._doors[recipe.door].parameters, recipe.arguments))
        if isinstance(recipe, ArrayOf):
            return self._change_array(recipe)
        return self._change_number(recipe.value)

    def _change_number(self, value: Any) -> Recipe:
        if isinstance(value, bool) or not isinstance(value, (int, float, np.generic)):
            return self._anything()
        changes = (-value, value + 1, value - 1, 2 * value, 0, self._random.choice(WHOLE), -self._random.choice(WHOLE))
        if isinstance(value, float) and self._random.random() < 0.5:
            return Plain(self._random.choice(BROKEN))
        return Plain(self._random.choice(changes))

    # -- one argument --------------------------------------------------------------------------------------------------

    def argument(self, parameter: Parameter) -> Recipe:
        if (self._is_wild and self._random.random() < 0.5) or self._random.random() < 0.03:
            return self._anything()
        if parameter.element is not None:
            return self._array(parameter.element)
        return self._simple(parameter.type) or self._object(parameter.type)

    def _simple(self, wanted: str) -> Recipe | None:
        makers = {"int": self._whole, "float": self._real, "bool": self._bool, "str": self._word}
        return Plain(makers[wanted]()) if wanted in makers else None

    def _object(self, wanted: str) -> Recipe:
        """As made in a real call, or from random arguments; most of those are refused."""
        name = ".".join(wanted.split(".")[-2:])
        door = self._doors.get(name)
        if door is None or not door.makes_object:
            return self._anything()
        return ObjectOf(name, self.arguments(door))

    def _anything(self) -> Recipe:
        choices: tuple[Any, ...] = (
            None,
            "text",
            b"bytes",
            [1, 2, 3],
            (),
            {},
            object(),
            self._whole(),
            self._real(),
            ...,
        )
        if self._random.random() < 0.5:
            return self._array(self._random.choice(ELEMENTS))
        return Plain(self._random.choice(choices))

    def _whole(self) -> int:
        kind = self._random.random()
        if kind < 0.6:
            return self._random.choice((0, 1, 2, 3, *self._lengths))
        return self._random.choice(WHOLE) * (1 if kind < 0.8 else -1) + (2**70 if kind > 0.98 else 0)

    def _real(self) -> float:
        return self._random.choice((self._random.random(), self._random.gauss(0, 10), self._random.choice(BROKEN)))

    def _bool(self) -> bool:
        return self._random.random() < 0.5

    def _word(self) -> str:
        return self._random.choice(WORDS)

    # -- arrays --------------------------------------------------------------------------------------------------------

    def _array(self, element: str) -> Recipe:
        dimensions = self._random.choices((0, 1, 2, 3), (1, 60, 36, 3))[0]
        shape = tuple(self._length() for _ in range(dimensions))
        return ArrayOf(self._values(shape, element), self._layout())

    def _length(self) -> int:
        n, m = self._lengths
        return self._random.choice((n, n, n, n + 1, m, m, self._random.choice(LENGTHS)))

    def _layout(self) -> str:
        layouts = self._random.choices((GOOD_LAYOUTS, OTHER_LAYOUTS, BAD_LAYOUTS), (90, 5, 5))[0]
        return self._random.choice(layouts)

    def _values(self, shape: tuple[int, ...], element: str) -> NDArray[Any]:
        random = np.random.default_rng(self._random.getrandbits(32))
        kind = self._random.choice(("zeros", "few", "few", "below", "below", "ascending", "bytes"))
        if kind == "bytes":
            return self._random_bytes(random, shape, element)
        bound = {"zeros": 1, "few": 3, "below": max(self._lengths) + 2, "ascending": max(self._lengths) + 1}[kind]
        numbers = random.integers(0, bound, shape)
        if kind == "ascending" and shape:
            numbers = np.sort(numbers, axis=0)
        if element.startswith("float") and self._random.random() < 0.5:
            return (numbers + random.normal(size=shape)).astype(element)
        return np.minimum(numbers, 100).astype(element)

    def _random_bytes(self, random: np.random.Generator, shape: tuple[int, ...], element: str) -> NDArray[Any]:
        """Every bit by chance: huge and negative numbers, and truth values that are neither 0 nor 1."""
        size = int(np.prod(shape)) * np.dtype(element).itemsize
        return np.frombuffer(random.bytes(size), np.dtype(element)).reshape(shape)

    def _change_array(self, recipe: ArrayOf) -> Recipe:
        change = self._random.choice(
            (self._change_element, self._change_element, self._change_shape, self._change_rest)
        )
        return change(recipe)

    def _change_element(self, recipe: ArrayOf) -> Recipe:
        values = np.array(recipe.values)
        self.spoil(values)
        return replace(recipe, values=values)

    def spoil(self, values: NDArray[Any]) -> None:
        """Some elements become others that their type can hold."""
        for _ in range(self._random.choice((1, 1, 1, 2, values.size))):
            if values.size == 0 or not values.flags.writeable:
                return
            place = self._random.randrange(values.size)
            values.flat[place] = self._element(values, values.flat[place])

    def _element(self, values: NDArray[Any], old: Any) -> Any:
        if values.dtype.kind == "b":
            return not old
        if values.dtype.kind == "f":
            return self._random.choice((*BROKEN, -old, old + 1, float(values.size)))
        if values.dtype.kind not in "iu":
            return old
        limits = np.iinfo(values.dtype)
        wanted = self._random.choice(
            (limits.min, limits.max, -1, 0, int(old) + 1, int(old) - 1, values.size, 64, 10**6)
        )
        return min(max(wanted, limits.min), limits.max)

    def _change_shape(self, recipe: ArrayOf) -> Recipe:
        values = recipe.values
        if values.ndim == 0:
            return recipe
        axis = self._random.randrange(values.ndim)
        changes = (
            lambda: np.delete(values, slice(-1, None), axis),
            lambda: np.concatenate([values, values[(slice(None),) * axis + (slice(0, 1),)]], axis),
            lambda: values[(slice(None),) * axis + (slice(0, 0),)],
            lambda: values.T,
            lambda: values.ravel(),
            lambda: values[None],
        )
        return replace(recipe, values=np.array(self._random.choice(changes)(), order="C"))

    def _change_rest(self, recipe: ArrayOf) -> Recipe:
        if self._random.random() < 0.4:
            with np.errstate(all="ignore"):
                return replace(recipe, values=recipe.values.astype(self._random.choice(ELEMENTS[:-1])))
        return replace(recipe, layout=self._random.choice((*GOOD_LAYOUTS, *OTHER_LAYOUTS, *BAD_LAYOUTS)))
