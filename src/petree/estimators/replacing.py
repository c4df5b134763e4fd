"""A fitted model is replaced in one step, so that another thread sees the old model or the new one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from os import getpid
from threading import RLock
from typing import Any, Concatenate, ParamSpec, TypeVar

Model = TypeVar("Model")
Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")

# What methods are marked with that answer by one model.
MARK = "answers_by_one_model"
# The attribute that holds the lock of a model, which pickles and copies lack.
LOCK = "_lock"


class ModelLock:
    """A lock of a model; processes that are forked begin with a free one."""

    def __init__(self) -> None:
        self._of_process = (getpid(), RLock())

    def __reduce__(self) -> tuple[type[ModelLock], tuple[()]]:
        return ModelLock, ()  # pickles and copies of a model begin with a lock of their own

    @contextmanager
    def held(self) -> Iterator[None]:
        process, lock = self._of_process
        if process != getpid():
            lock = RLock()
            self._of_process = (getpid(), lock)
        with lock:
            yield


@contextmanager
def replaced_at_the_end(model: Model) -> Iterator[Model]:
    """A copy to fit, which the model becomes at the end; where fitting fails or is interrupted it stays what it was.

    What others set on the model meanwhile, such as a parameter, stays set unless fitting set it too. All state is in
    attributes: subclasses must not keep any in ``__slots__``.
    """
    before = dict(vars(model))
    copy = _of_attributes(type(model), dict(before))
    yield copy
    model.__dict__ = _taken_over(before, vars(copy), dict(vars(model)))


def in_one_step(
    method: Callable[Concatenate[Model, Arguments], Model],
) -> Callable[Concatenate[Model, Arguments], Model]:
    """A method that fits a model: it works on a copy, which the model becomes at the end.

    Calls on one model from several threads follow each other, so that each builds on what the one before has left.
    """

    @wraps(method)
    def fit(model: Model, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Model:
        lock: ModelLock = vars(model).setdefault(LOCK, ModelLock())
        with lock.held(), replaced_at_the_end(model) as copy:
            method(copy, *arguments, **named)
        return model

    return fit


def _taken_over(before: dict[str, Any], fitted: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """The attributes of now, with what fitting changed and removed.

    Names that end in an underscore are what was learnt, and come from one fit: another may have ended meanwhile.
    """
    kept = {name: value for name, value in now.items() if name in fitted or name not in before}
    kept = {name: value for name, value in kept.items() if not name.endswith("_")}
    changed = {name: value for name, value in fitted.items() if name not in before or value is not before[name]}
    learnt = {name: value for name, value in fitted.items() if name.endswith("_")}
    return kept | changed | learnt


def as_it_is(model: Model) -> Model:
    """The model as it is now, to be read one attribute after the other: a fit that ends meanwhile does not change it.

    It shares its attributes with the model until then, so that what one of them keeps for later, both have.
    """
    return _of_attributes(type(model), model.__dict__)


def as_it_stays(model: Model) -> Model:
    """The model as it is now, whatever is fitted or set later."""
    return _of_attributes(type(model), dict(model.__dict__))


def by_one_model(
    method: Callable[Concatenate[Model, Arguments], Answer],
) -> Callable[Concatenate[Model, Arguments], Answer]:
    """A method that answers by the model as it was when it was called, whatever is fitted meanwhile."""

    @wraps(method)
    def answer(model: Model, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Answer:
        return method(as_it_is(model), *arguments, **named)

    setattr(answer, MARK, True)
    return answer


def _of_attributes(kind: type[Model], attributes: dict[str, Any]) -> Model:
    model = object.__new__(kind)
    model.__dict__ = attributes
    return model
