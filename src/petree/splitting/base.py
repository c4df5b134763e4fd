"""What a split score is: one class that tells all it may have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from petree.parts import WithParameters, declared, has_method
from petree.splitting.codes import Code, GrowthSetting, RatioCode


class Scores(Protocol):
    """Anything that scores class counts: a `SplitScore`, or an object of a user's own."""

    def score(self, counts: NDArray[np.float64]) -> NDArray[np.float64]: ...


class Coded(Protocol):
    """What may have a twin in the compiled loops."""

    def code(self, setting: GrowthSetting) -> Code | None: ...


class SplitScore(WithParameters, ABC):
    """A split score, and what it may declare; a member overrides what differs.

    Attributes
    ----------
    per_case : bool
        Whether the score is a mean over the cases of the node, so that it does not grow with them.
    additive : bool
        Whether scores of several levels can be added, each by its share of the cases: what lookahead does.
    looks_at_values : bool
        Whether cuts are weighed by where the values lie between them, so that every tree needs cuts of its own.
    """

    per_case: ClassVar[bool] = True
    additive: ClassVar[bool] = False
    looks_at_values: ClassVar[bool] = False

    @abstractmethod
    def score(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores of blocks of class counts (..., children, classes); 0 for a test that does not divide."""

    def code(self, setting: GrowthSetting) -> Code | None:
        """Its twin in the compiled loops; where there is none, trees grow by `score` itself, more slowly."""
        return None


def code_of(split: Scores, setting: GrowthSetting) -> Code | None:
    """The twin of a score in the compiled loops; one of a user's own may have none."""
    # To ask a protocol takes longer than to search a small node.
    return cast(Coded, split).code(setting) if has_method(split, "code") else None


def adds_up(split: Scores, setting: GrowthSetting) -> bool:
    """Whether scores of several levels can be added: not where they are divided by the split information."""
    return bool(declared(split, SplitScore, "additive")) and not isinstance(code_of(split, setting), RatioCode)
