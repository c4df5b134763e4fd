"""Old names of public things: each still works for one version, and warns."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module


def forwards(module: str, renamed: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a module some of whose names have new ones, written as "package.module:name"."""

    def __getattr__(name: str) -> object:  # noqa: N807
        if name not in renamed:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        place, new = renamed[name].split(":")
        warnings.warn(f"{module}.{name} is now {place}.{new}.", DeprecationWarning, stacklevel=2)
        return getattr(import_module(place), new)

    return __getattr__
