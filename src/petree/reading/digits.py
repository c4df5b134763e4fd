"""How shares and probabilities are written."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log10
from numbers import Integral

# Digits behind the point where none are asked for: of shares in a column, and of a probability.
_OF_SHARES = 3
_OF_PROBABILITIES = 2


@dataclass(frozen=True)
class Digits:
    """Digits behind the point, as a person or a program wants them.

    Parameters
    ----------
    decimals : int or None, default=None
        Digits behind the point; None for three of a share and two of a probability, and in percent for one and none.
    percent : bool, default=False
        Whether to write ``75%`` for 0.75.
    """

    decimals: int | None = None
    percent: bool = False

    def __post_init__(self) -> None:
        check_whole("decimals", self.decimals, 0)

    def share(self, share: float) -> str:
        """A share among others, all with the same digits."""
        return self._text(share, self._at_least(_OF_SHARES))

    def small_probability(self, share: float) -> str:
        """A probability that may be small, with two digits that say something, unless others are asked for."""
        is_small = self.decimals is None and 0 < share < 1
        finer = ceil(-log10(share)) + 1 - 2 * self.percent if is_small else 0
        return self.probability(share, finer)

    def probability(self, share: float, least: int = 0) -> str:
        """A probability, with as many more digits as it takes not to show as certain what is not; `least` at least."""
        fewest = max(self._at_least(_OF_PROBABILITIES), least)
        for digits in range(fewest, fewest + 16):
            text = self._text(share, digits)
            if not 0 < share < 1 or 0 < float(text.rstrip("%")) < (100 if self.percent else 1):
                return text
        return repr(share)

    def _at_least(self, usual: int) -> int:
        if self.decimals is not None:
            return int(self.decimals)
        return usual - 2 if self.percent else usual

    def _text(self, share: float, digits: int) -> str:
        return f"{share:.{digits}%}" if self.percent else f"{share:.{digits}f}"


def check_whole(name: str, value: int | None, least: int) -> None:
    """Refuse what is neither None nor a whole number that is large enough."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, Integral) or value < least):
        raise ValueError(f"The '{name}' must be a whole number of at least {least}, or None. Got {value!r} instead.")
