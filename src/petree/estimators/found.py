"""Attributes that only some fits leave: where one is missing, the error says why."""

from __future__ import annotations

from typing import Generic, TypeVar, overload

Value = TypeVar("Value")


class LeftBySome(Generic[Value]):
    """An attribute that a fit may leave on a model.

    What a fit has left on the model itself comes before this, which stands on its class: it is asked only where nothing
    was left. The error is an AttributeError, so that `hasattr` is False.

    Parameters
    ----------
    reason : str
        Who has none, and what to do.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, model: None, kind: type) -> LeftBySome[Value]: ...

    @overload
    def __get__(self, model: object, kind: type) -> Value: ...

    def __get__(self, model: object | None, kind: type) -> LeftBySome[Value] | Value:
        if model is None:
            return self
        if "tree_" not in vars(model):
            raise AttributeError(f"This {kind.__name__} has no '{self._name}', since it is not fitted yet; call fit.")
        raise AttributeError(f"This {kind.__name__} has no '{self._name}': {self.reason}")
