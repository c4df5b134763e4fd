"""How long the methods take to learn and to answer."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from lab.experiments.measuring import answer
from lab.experiments.methods import Method
from lab.experiments.trials import Trial

REPEATS = 3


class Seconds(NamedTuple):
    """To learn, and to answer."""

    learn: float
    test: float

    @property
    def total(self) -> float:
        return self.learn + self.test


# By problem and method.
Times: TypeAlias = Mapping[tuple[str, str], Seconds]


def seconds_of(method: Method, trial: Trial) -> Seconds:
    """The fastest of a few times on one trial, once what is compiled is compiled."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns without values among few cases
        answer(method, trial, 0)
        return min((_time(method, trial) for _ in range(REPEATS)), key=lambda found: found.total)


def _time(method: Method, trial: Trial) -> Seconds:
    started = time.perf_counter()
    learned = answer(method, trial, 0).seconds
    return Seconds(learned, time.perf_counter() - started - learned)
