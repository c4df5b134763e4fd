"""The pruning criteria side by side, as the benchmarks of sizes and of times know them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from petree.pruning import MEMBERS


@dataclass(frozen=True)
class Contender:
    """A criterion with its parameters; one that grows many trees may sit out beyond `most_rows`."""

    name: str
    member: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    most_rows: int | None = None

    def make(self) -> Any:
        return MEMBERS[self.member](**self.parameters)

    def takes(self, rows: int) -> bool:
        return self.most_rows is None or rows <= self.most_rows


PRE = {"when": "pre"}

CONTENDERS = (
    Contender("none", "none"),
    Contender("error_based", "error_based"),
    Contender("error_based, raising and collapsing", "error_based", {"raising": True, "collapsing": True}),
    Contender("pessimistic", "pessimistic"),
    Contender("minimum_error", "minimum_error"),
    Contender("reduced_error", "reduced_error"),
    Contender("reduced_error, alpha 0.5", "reduced_error", {"alpha": 0.5}),
    Contender("cost_complexity, 0-SE", "cost_complexity"),
    Contender("cost_complexity, 1-SE", "cost_complexity", {"rule": "1-SE"}),
    Contender("quinlan_rivest", "quinlan_rivest"),
    Contender("safe", "safe"),
    Contender("card_per_class", "card_per_class"),
    Contender("smoothed", "smoothed"),
    Contender("mdl", "mdl"),
    Contender("mdl, stumps", "mdl", {"by": "stump"}),
    Contender("mdl, pre", "mdl", PRE),
    Contender("bic", "bic"),
    Contender("bic, stumps", "bic", {"by": "stump"}),
    Contender("bic, pre", "bic", PRE),
    Contender("chi", "chi"),
    Contender("chi, pre", "chi", PRE),
    Contender("rand", "rand"),
    Contender("rand, pre", "rand", PRE),
    Contender("permutation", "permutation"),
    Contender("permutation, pre", "permutation", PRE),
    Contender("subtree_randomisation", "subtree_randomisation", most_rows=1000),
)
