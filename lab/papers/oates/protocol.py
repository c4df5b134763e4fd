"""The systems and the generated data of Oates and Jensen (1999).

All trees are grown as C4.5 grows them. EBP is C4.5's own pruning, with raising and collapsing; REP and sampled REP are
the presets of that name; MDL is the code of Quinlan and Rivest, which the paper names. "New sets" is REP with cases
from the generator that nobody has seen before, for each decision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lab.experiments.curves import size_name
from lab.experiments.data import DataSet
from lab.experiments.methods import Method
from lab.experiments.trials import Trial, cross_validated
from lab.papers.data.generators import led24, rand30, waveform40
from lab.papers.setting import PaperSetting
from petree.pruning import QuinlanRivest, ReducedError
from petree.systems import presets

Generator: TypeAlias = Callable[[int, int], DataSet]

FOLDS = 10
# The set of which the paper speaks, and the number of cross-validations that decide there.
TIC_TAC_TOE = "tic_tac_toe"
REPEATS = 10
CASES = (250, 500, 1000, 2000, 4000)
QUICK_CASES = (250, 500, 1000)
# How often the bits of exceptions count in other versions of MDL.
FACTORS = (2.0, 3.0, 4.0)
GENERATORS: Mapping[str, Generator] = {"rand": rand30, "led-24": led24, "waveform-40": waveform40}


class NewCases:
    """Cases from a generator, others at every call.

    A copy begins anew: all folds of an experiment get the same stream, and it is of this very seed.
    """

    def __init__(self, generator: Generator, seed: int) -> None:
        self.generator = generator
        self.seed = seed
        self._random = np.random.default_rng(seed)

    def __call__(self, n_cases: int) -> tuple[dict[str, NDArray[Any]], NDArray[Any]]:
        data = self.generator(n_cases, int(self._random.integers(2**63)))
        return data.columns, data.y

    def __repr__(self) -> str:
        return f"NewCases({self.generator.__name__}, {self.seed})"


def pruned() -> list[Method]:
    """The three prunings of Figure 1."""
    return [
        Method("EBP", presets["c4.5"]()),
        Method("REP", presets["rep"]()),
        Method("MDL", presets["c4.5"](pruning="quinlan_rivest")),
    ]


def coded() -> list[Method]:
    """MDL with the bits of exceptions counted more often, which makes larger trees."""
    return [Method(coded_name(c), presets["c4.5"](pruning=QuinlanRivest(c))) for c in FACTORS]


def coded_name(c: float) -> str:
    return f"MDL, c = {c:g}"


def resampled() -> list[Method]:
    """REP with one pruning set, and with half of it drawn for each decision."""
    return [Method("REP", presets["rep"]()), Method("sampled REP", presets["rep-sampled"]())]


def renewed(generator: Generator, seed: int) -> list[Method]:
    """The same, and with a new pruning set for each decision."""
    fresh = ReducedError(fresh=NewCases(generator, seed))
    return [*resampled(), Method("new sets", presets["rep"](pruning=fresh))]


def cases(setting: PaperSetting) -> tuple[int, ...]:
    """Numbers of cases to generate."""
    return QUICK_CASES if setting.quick else CASES


def trials(name: str, setting: PaperSetting) -> Iterator[Trial]:
    """Ten-fold cross-validation of each number of cases; a data set is named with it."""
    for n_cases in cases(setting):
        data = GENERATORS[name](n_cases, setting.seed + n_cases).renamed(size_name(name, n_cases))
        yield from cross_validated([data], 1, FOLDS, setting.seed)
