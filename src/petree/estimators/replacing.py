"""A fitted model is replaced in one step, so that another thread sees the old model or the new one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

Model = TypeVar("Model")
Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


@contextmanager
def replaced_at_the_end(model: Model) -> Iterator[Model]:
    """A copy to fit, which the model becomes at the end; where fitting fails or is interrupted it stays what it was."""
    copy = _of_attributes(type(model), dict(vars(model)))
    yield copy
    model.__dict__ = copy.__dict__


def by_one_model(
    method: Callable[Concatenate[Model, Arguments], Answer],
) -> Callable[Concatenate[Model, Arguments], Answer]:
    """A method that answers by the model as it was when it was called, whatever is fitted meanwhile."""

    @wraps(method)
    def answer(model: Model, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Answer:
        return method(_of_attributes(type(model), model.__dict__), *arguments, **named)

    return answer


def _of_attributes(kind: type[Model], attributes: dict[str, Any]) -> Model:
    model = object.__new__(kind)
    model.__dict__ = attributes
    return model
