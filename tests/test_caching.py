"""Cached properties hold no lock, so that no forked process waits for one."""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
from threading import Event, Thread

import petree
from petree.caching import cached_property


class Slow:
    """An object whose value is computed as long as it has to wait."""

    def __init__(self) -> None:
        self.n_computed = 0
        self.is_begun = Event()
        self.may_end = Event()

    @cached_property
    def value(self) -> int:
        """What is computed."""
        self.is_begun.set()
        assert self.may_end.wait(60)
        self.n_computed += 1
        return 7


def test_a_value_is_computed_once() -> None:
    one = Slow()
    one.may_end.set()
    assert [one.value, one.value, one.n_computed] == [7, 7, 1]
    assert Slow.value.__doc__ == "What is computed."


def test_values_of_other_objects_do_not_wait() -> None:
    slow, fast = Slow(), Slow()
    thread = Thread(target=lambda: slow.value)
    thread.start()
    assert slow.is_begun.wait(60)
    fast.may_end.set()
    values: list[int] = []
    other = Thread(target=lambda: values.append(fast.value), daemon=True)
    other.start()
    other.join(10)
    is_blocked = not values
    slow.may_end.set()
    thread.join()
    assert not is_blocked


def test_no_class_has_a_cached_property_with_a_lock() -> None:
    for module in pkgutil.walk_packages(petree.__path__, "petree."):
        if module.name.endswith("__main__"):
            continue
        try:
            members = vars(importlib.import_module(module.name))
        except ImportError:  # an extra that is not installed
            continue
        for kind in filter(inspect.isclass, list(members.values())):
            locked = [name for name, value in vars(kind).items() if isinstance(value, functools.cached_property)]
            assert not locked or not kind.__module__.startswith("petree"), (kind, locked)
