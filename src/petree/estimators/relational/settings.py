"""What the parameters of a relational tree may be, and what an ACE application declares of them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from petree.relational.queries.terms import NAMES_OF_FUNCTIONS
from petree.smoothing.base import Estimates, goes_by_row

# Stands for the number of cases that an application declares as its minimal_cases.
DECLARED = "declared"
# As many as Tilde leaves in a branch where nothing is declared.
USUAL_CASES = 2
# Settings that the reading of the application follows.
FOLLOWED = ("classes", "load", "minimal_cases", "tilde_mode", "typed_language", "unused")
# What Tilde's names of scores are called here.
SPLITS = {"gain": "gain", "gainratio": "gain_ratio"}


def least_cases(min_samples_leaf: float | str, settings: Mapping[str, Any]) -> Any:
    """The number of cases that a branch must have, or their share until their number is known."""
    if not isinstance(min_samples_leaf, str):
        return min_samples_leaf
    declared = settings.get("minimal_cases", USUAL_CASES)
    if not isinstance(declared, int) or declared < 1:
        raise ValueError(f"The setting minimal_cases must be a whole number not below 1. Got {declared!r} instead.")
    return declared


def warn_of_settings(settings: Mapping[str, Any], split: object) -> None:
    """Name what an application sets and the tree does not follow."""
    ignored = [name for name in settings if name not in FOLLOWED]
    if SPLITS.get(str(settings.get("heuristic", ""))) == split:
        ignored.remove("heuristic")
    if ignored:
        listed = ", ".join(f"{name}({settings[name]})" for name in ignored)
        warnings.warn(
            f"The tree does not follow these settings of the application: {listed}; set split, pruning or binning "
            "to what they ask for.",
            stacklevel=6,
        )


def check_asking(aggregates: object, windows: object) -> None:
    """Raise where the functions that a file names are not a list of known ones, or windows not one of numbers."""
    known = NAMES_OF_FUNCTIONS
    if not isinstance(aggregates, list) or any(name not in known for name in aggregates):
        raise ValueError(f"The 'aggregates' must be a list of {', '.join(known)}. Got {aggregates!r}.")
    if not isinstance(windows, (list, tuple)) or any(type(one) not in (int, float) or one <= 0 for one in windows):
        raise ValueError(f"The 'windows' must be a list of numbers above 0. Got {windows!r}.")


def refuse_by_row(smoothing: Estimates) -> None:
    """Raise for a smoothing whose answers need the columns of one table."""
    if goes_by_row(smoothing):
        raise ValueError(f"{smoothing!r} answers by columns of one table; choose another smoothing.")
