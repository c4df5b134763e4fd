"""What the parameters of criteria must be."""

from __future__ import annotations

from collections.abc import Iterable


def check_choice(owner: object, name: str, choices: Iterable[str]) -> None:
    """Raise unless a parameter of `owner` is one of some words."""
    value, choices = getattr(owner, name), tuple(choices)
    if not isinstance(value, str) or value not in choices:
        raise ValueError(
            f"The {name!r} parameter of {type(owner).__name__} must be one of {', '.join(choices)}. "
            f"Got {value!r} instead."
        )
