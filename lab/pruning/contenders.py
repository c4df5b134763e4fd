"""The pruning criteria side by side, as the benchmarks of sizes and of times know them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from petree.pruning import BIC, MDL, MEMBERS, QuinlanRivest


@dataclass(frozen=True)
class Contender:
    """A criterion with its parameters.

    Parameters
    ----------
    name : str
        The criterion's alias and, after a comma, what is special.
    parameters : mapping
    most_rows : int, optional
        It sits out where there are more, because it takes too long.
    every : int
        Where tables can be had at will, it gets the first of so many: fewer, the longer it takes.
    """

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    most_rows: int | None = None
    every: int = 4

    @property
    def member(self) -> str:
        return self.name.partition(",")[0]

    def make(self) -> Any:
        return MEMBERS[self.member](**self.parameters)

    def takes(self, rows: int) -> bool:
        return self.most_rows is None or rows <= self.most_rows


PRE = {"when": "pre"}
CURED = {"correction": "cases"}

CONTENDERS = (
    Contender("none"),
    Contender("safe"),
    Contender("card_per_class"),
    Contender("error_based"),
    Contender("error_based, raising and collapsing", {"raising": True, "collapsing": True}),
    Contender("pessimistic"),
    Contender("minimum_error"),
    Contender("cost_complexity, 0-SE", every=12),
    Contender("cost_complexity, 1-SE", {"rule": "1-SE"}, every=12),
    Contender("reduced_error"),
    Contender("reduced_error, alpha 0.5", {"alpha": 0.5}),
    Contender("sampled, error_based"),
    Contender("sampled, mdl", {"criterion": MDL()}),
    Contender("sampled, bic", {"criterion": BIC()}),
    Contender("sampled, quinlan_rivest", {"criterion": QuinlanRivest()}),
    Contender("quinlan_rivest"),
    Contender("map"),
    Contender("negligible"),
    Contender("smoothed"),
    Contender("mdl"),
    Contender("mdl, stumps", {"by": "stump"}),
    Contender("mdl, pre", PRE, every=1),
    Contender("bic"),
    Contender("bic, stumps", {"by": "stump"}),
    Contender("bic, pre", PRE, every=1),
    Contender("chi", every=1),
    Contender("chi, corrected", CURED, every=1),
    Contender("chi, pre", PRE, every=1),
    Contender("best_size", every=1),
    Contender("rand", every=1),
    Contender("rand, corrected", CURED, every=1),
    Contender("rand, pre", PRE, every=1),
    Contender("permutation"),
    Contender("permutation, stumps", {"when": "post"}),
    Contender("subtree_randomisation", most_rows=1000, every=40),
)


# -- what the pages of both benchmarks say alike ---------------------------------------------------------------------


def left_out(name: str, places: Sequence[str], error: Exception) -> str:
    """A sentence about a contender that failed."""
    return f"{name} is left out, because it failed on {', '.join(places)}: {type(error).__name__}: {error}"
