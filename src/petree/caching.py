"""Properties that are computed once per object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Value = TypeVar("Value")


class CachedProperty(Generic[Value]):
    """A property that is computed on first access and then stored on the object, without a lock.

    `functools.cached_property` of Python 3.11 holds one lock per class while a value is computed. A process that is
    forked meanwhile inherits the locked lock, and waits for it forever. Two threads may compute a value twice here.
    """

    def __init__(self, function: Callable[[Any], Value]) -> None:
        self.function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object | None, owner: type) -> Self | Value:
        if instance is None:
            return self
        value: Value = vars(instance).setdefault(self.name, self.function(instance))
        return value


cached_property = CachedProperty
