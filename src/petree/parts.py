"""What the families share: aliases resolved in one place, and parameters checked in one form of sentence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from math import ceil, inf, nan
from numbers import Integral, Real
from reprlib import repr as short
from typing import Any, ClassVar, Protocol, Self, TypeVar, runtime_checkable

from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_random_state

DEFAULT = "default"
LARGEST_INTEGER = 2**63 - 1

Part = TypeVar("Part")


@runtime_checkable
class Checked(Protocol):
    """A part that raises for a bad parameter."""

    def check(self) -> None: ...


@runtime_checkable
class Tunable(Protocol):
    """A part with the values to try of each parameter that may be "auto"."""

    candidates: Mapping[str, tuple[float, ...]]


def resolve(
    part: str | Part, members: Mapping[str, type[Part]], family: str, method: str, default: Part | None = None
) -> Part:
    """A family member from its alias; an object that has the family's method passes through.

    Where a family has a `default`, the alias "default" is a copy of it.
    """
    names = sorted(members if default is None else [*members, DEFAULT])
    if isinstance(part, str):
        if default is not None and part == DEFAULT:
            return clone(default)
        if part not in members:
            raise ValueError(unknown_name(family, part, names))
        return members[part]()
    if not has_method(part, method):
        hint = f" Did you mean {part.__name__}()?" if isinstance(part, type) and method in dir(part) else ""
        raise TypeError(
            f"The '{family}' parameter must be one of {', '.join(names)}, or an object with a method '{method}'. "
            f"Got {part!r} instead.{hint}"
        )
    return part


def has_method(part: object, method: str) -> bool:
    """Whether an object, which must not be a class, has a method."""
    return not isinstance(part, type) and callable(getattr(part, method, None))


def declared(part: object, base: type, name: str) -> Any:
    """What a part declares, or else the base class of its family, from which a user's own part need not derive."""
    return getattr(part, name, getattr(base, name))


def check_part(part: object) -> None:
    """Let a part raise for a bad parameter, if it has a method ``check()``."""
    if isinstance(part, Checked):
        part.check()


class WithParameters(BaseEstimator):
    """Something small of which many copies are made: scikit-learn asks for the names of the parameters each time."""

    @classmethod
    @cache
    def _get_param_names(cls) -> list[str]:
        return super()._get_param_names()


class WithNestedPart(WithParameters):
    """Something with a parameter, named by `nested`, that is another part or its alias; the part's are its own too."""

    nested: ClassVar[str]

    def nested_part(self) -> object:
        """The part, where the parameter is an alias, too."""
        raise NotImplementedError

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        parameters: dict[str, Any] = super().get_params(deep=False)
        return parameters | nested_parameters(self.nested, self.nested_part()) if deep else parameters

    def set_params(self, **parameters: Any) -> Self:
        if self.nested in parameters:
            setattr(self, self.nested, parameters.pop(self.nested))
        if any(name.startswith(f"{self.nested}__") for name in parameters):
            setattr(self, self.nested, self.nested_part())
        return super().set_params(**parameters)


def nested_parameters(name: str, part: object) -> dict[str, Any]:
    """A part of another and its own parameters, by their names in that."""
    own = part.get_params() if isinstance(part, BaseEstimator) else {}
    return {name: part, **{f"{name}__{inner}": value for inner, value in own.items()}}


def unknown_name(what: str, name: object, names: Collection[str]) -> str:
    """What to say of a name that is none of these; small and capital letters are alike when a close one is sought."""
    lower = {known.lower(): known for known in names}
    close = get_close_matches(str(name).lower(), lower, 1)
    hint = f" Did you mean {lower[close[0]]!r}?" if close else ""
    return f"Unknown {what} {name!r}; valid names are {', '.join(names)}.{hint}"


def check_choice(owner: object, name: str, choices: Iterable[Any]) -> None:
    """Raise unless a parameter of `owner` is one of some words, or of the values True, False and None."""
    value = getattr(owner, name)
    choices = tuple(choices)
    if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
        raise ValueError(
            f"The {name!r} parameter of {type(owner).__name__} must be one of {', '.join(map(str, choices))}. "
            f"Got {short(value)} instead."
        )


def check_integer(owner: object, name: str, least: int) -> None:
    """Raise unless a parameter of `owner` is an integer not below `least` that compiled loops can count to."""
    check_count(f"The {name!r} parameter of {type(owner).__name__}", getattr(owner, name), least)


def check_count(what: str, value: object, least: int) -> None:
    """Raise unless a value is such an integer; `what` names it at the beginning of the sentence."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"{what} must be an integer not below {least}. Got {short(value)} instead.")
    if int(value) > LARGEST_INTEGER:
        raise ValueError(f"{what} must not be above {LARGEST_INTEGER}. Got {short(value)} instead.")


def check_integer_or_none(owner: object, name: str, least: int) -> None:
    """The same, where None stands for no bound."""
    if getattr(owner, name) is not None:
        check_integer(owner, name, least)


def check_rows(owner: object, name: str) -> None:
    """Raise unless a parameter of `owner` is a number of rows, or a share of them."""
    value = getattr(owner, name)
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not (0 < value < 1 or (isinstance(value, Integral) and int(value) >= 1)):
        raise ValueError(
            f"The {name!r} parameter of {type(owner).__name__} must be an integer not below 1, or a share of the rows "
            f"between 0 and 1. Got {short(value)} instead."
        )
    if isinstance(value, Integral):
        check_integer(owner, name, 1)


def count_rows(number_or_share: float, n_rows: int) -> int:
    """A number of rows, or of so many rows a share that is rounded up, as scikit-learn does."""
    return int(number_or_share) if isinstance(number_or_share, Integral) else ceil(number_or_share * n_rows)


def check_seed(owner: object) -> None:
    """Raise unless the 'random_state' of `owner` is a seed, a generator or None."""
    seed = owner.random_state  # type: ignore[attr-defined]
    if isinstance(seed, Integral) and not 0 <= int(seed) < 2**32:
        raise ValueError(
            f"The 'random_state' parameter of {type(owner).__name__} must be between 0 and 2**32 - 1. "
            f"Got {short(seed)} instead."
        )
    if isinstance(seed, Integral):
        return
    try:
        check_random_state(seed)
    except ValueError:
        raise ValueError(
            f"The 'random_state' parameter of {type(owner).__name__} must be a whole number, a RandomState or None. "
            f"Got {short(seed)} instead."
        ) from None


def check_number(owner: object, name: str, least: float, above: bool = False, most: float = inf) -> float:
    """A parameter of `owner`; raises unless it is a finite number not below `least`, or above it, and not above `most`.

    A parameter that may be "auto" is one of the owner's `candidates`; only an estimator can choose its value.
    """
    value = getattr(owner, name)
    kind = type(owner).__name__
    if isinstance(value, str) and value == "auto" and isinstance(owner, Tunable) and name in owner.candidates:
        raise ValueError(
            f"The {name!r} parameter of {kind} is 'auto', which an estimator chooses while fitting; "
            f"give a number to use {kind} by itself."
        )
    number = _as_float(value)
    if not least <= number <= most or number == inf or (above and number == least):
        limits = f"{'above' if above else 'not below'} {least}" + (f" and not above {most}" if most < inf else "")
        raise ValueError(
            f"The {name!r} parameter of {kind} must be a finite number {limits}. Got {short(value)} instead."
        )
    return number


def _as_float(value: Any) -> float:
    """A number as a float, anything else as NaN, which lies within no limits."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return nan
    try:
        return float(value)
    except OverflowError:
        return inf
