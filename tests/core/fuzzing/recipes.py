"""Arguments as recipes: what to hand over, made anew for each call, so that every call stands by itself."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

# How an array lies in memory. Fenced: between bytes that nobody may write.
GOOD_LAYOUTS = ("plain", "fenced")
BAD_LAYOUTS = ("fortran", "strided", "reversed", "misaligned", "swapped", "broadcast")
OTHER_LAYOUTS = ("read only", "mapped")

FENCE = 64
FENCE_BYTE = 0xA5


@dataclass(frozen=True)
class Plain:
    """An object that is handed over as it is."""

    value: Any


@dataclass(frozen=True)
class ArrayOf:
    """A copy of these values in some layout."""

    values: NDArray[Any]
    layout: str = "plain"


@dataclass(frozen=True)
class ObjectOf:
    """An object of one of the extension's classes."""

    door: str
    arguments: tuple[Recipe, ...]


Recipe: TypeAlias = Plain | ArrayOf | ObjectOf


@dataclass
class Kitchen:
    """Makes what recipes say and remembers it, to look at it after the call."""

    classes: dict[str, Any]
    fences: list[NDArray[np.uint8]] = field(default_factory=list)
    untouchable: list[tuple[NDArray[Any], bytes]] = field(default_factory=list)
    held: list[NDArray[Any]] = field(default_factory=list)

    def make(self, recipe: Recipe) -> Any:
        if isinstance(recipe, Plain):
            return recipe.value
        if isinstance(recipe, ArrayOf):
            return self._array(recipe)
        arguments = [self.make(argument) for argument in recipe.arguments]
        self.held.extend(argument for argument in arguments if isinstance(argument, np.ndarray))
        return self.classes[recipe.door](*arguments)

    def damage(self) -> str | None:
        """What a call wrote where it may not."""
        for fence in self.fences:
            if (fence[:FENCE] != FENCE_BYTE).any() or (fence[-FENCE:] != FENCE_BYTE).any():
                return "it wrote beside an array"
        if any(array.tobytes() != before for array, before in self.untouchable):
            return "it wrote into a read-only array"
        return None

    def _array(self, recipe: ArrayOf) -> NDArray[Any]:
        array = _LAYOUTS[recipe.layout](self, recipe.values)
        if recipe.layout == "read only":
            array.flags.writeable = False
            self.untouchable.append((array, array.tobytes()))
        return array


def _plain(_: Kitchen, values: NDArray[Any]) -> NDArray[Any]:
    return np.array(values, order="C")


def _fenced(kitchen: Kitchen, values: NDArray[Any]) -> NDArray[Any]:
    memory = np.full(values.nbytes + 2 * FENCE, FENCE_BYTE, np.uint8)
    kitchen.fences.append(memory)
    array = memory[FENCE : FENCE + values.nbytes].view(values.dtype).reshape(values.shape)
    array[...] = values
    return array


def _misaligned(_: Kitchen, values: NDArray[Any]) -> NDArray[Any]:
    memory = np.zeros(values.nbytes + 1, np.uint8)
    array = memory[1:].view(values.dtype).reshape(values.shape)
    array[...] = values
    return array


def _strided(_: Kitchen, values: NDArray[Any]) -> NDArray[Any]:
    return np.repeat(values, 2, axis=-1)[..., ::2] if values.ndim else np.array(values)


def _swapped(_: Kitchen, values: NDArray[Any]) -> NDArray[Any]:
    return values.astype(values.dtype.newbyteorder())


def _mapped(_: Kitchen, values: NDArray[Any]) -> NDArray[Any]:
    """Without a length there is nothing to map."""
    if values.size == 0:
        return np.array(values)
    with tempfile.TemporaryDirectory() as folder:
        array: NDArray[Any] = np.memmap(Path(folder) / "values", values.dtype, "w+", shape=values.shape)
    array[...] = values
    return array


_LAYOUTS: dict[str, Any] = {
    "plain": _plain,
    "read only": _plain,
    "fenced": _fenced,
    "misaligned": _misaligned,
    "strided": _strided,
    "swapped": _swapped,
    "mapped": _mapped,
    "fortran": lambda _, values: np.array(values, order="F"),
    "reversed": lambda _, values: np.array(values)[::-1] if values.ndim else np.array(values),
    "broadcast": lambda _, values: np.broadcast_to(values.ravel()[:1], values.shape) if values.size else values.copy(),
}


def describe(recipe: Recipe) -> str:
    """A recipe as a person would write it."""
    if isinstance(recipe, Plain):
        return repr(recipe.value)
    if isinstance(recipe, ArrayOf):
        values = recipe.values
        return f"{recipe.layout} {values.dtype}{list(values.shape)} {np.array2string(values, threshold=60)}"
    return f"{recipe.door}({', '.join(map(describe, recipe.arguments))})"
