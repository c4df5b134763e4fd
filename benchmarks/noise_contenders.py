"""The criteria of the noise benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from petree.pruning import MEMBERS


@dataclass(frozen=True)
class Contender:
    """A criterion with its parameters; one that is slow may sit out beyond `most_rows`."""

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
    Contender("pessimistic", "pessimistic"),
    Contender("minimum_error", "minimum_error"),
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
)


def available() -> list[Contender]:
    """Those whose criterion petree has."""
    return [one for one in CONTENDERS if one.member in MEMBERS]
