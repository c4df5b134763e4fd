"""How a model answers, so that another program can do so from the file alone.

An answer is the weighted mean of some voices. A voice has class probabilities of every node and a rule by which a row
hears them: "leaf" (the row's own), "confusion" and "doubt" (all leaves) or "options" (all nodes of an option tree).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import singledispatch

import numpy as np
from numpy.typing import NDArray

from petree.estimators.base import TreeClassifier
from petree.estimators.fitted import SingleTreeClassifier
from petree.estimators.option.averaged import AveragedTrees
from petree.routing import LEAST_WEIGHT
from petree.smoothing import Average, Confusion, Doubt, resolve_smoothing
from petree.smoothing.base import Estimates, goes_by_row
from petree.storage.arrays import read_matrix, read_numbers
from petree.storage.values import Json, as_list, as_record, encode, named_lines, require
from petree.tree import Tree

Numbers = NDArray[np.float64]
# Other machines round other sums; the evidence of an option tree is a sum over all cases, of which e to its power is
# taken.
ROUNDING = 1e-6
SUM_ROUNDING = 1e-9


@dataclass(frozen=True)
class Voice:
    """Class probabilities of the nodes, how a row hears them, and how much they count.

    `settings` are numbers of the rule; `shares` arrays of it, such as the shares of an option tree.
    """

    rule: str
    weight: float
    probabilities: Numbers
    settings: Mapping[str, float] = field(default_factory=dict)
    shares: Mapping[str, Numbers] = field(default_factory=dict)


@singledispatch
def voices_of(model: TreeClassifier) -> list[Voice]:
    """The voices of a fitted estimator."""
    raise TypeError(f"It is not known how a {type(model).__name__} answers.")


@voices_of.register
def _(model: AveragedTrees) -> list[Voice]:
    shares = {"stay": model.shares_.stay, "go": model.shares_.go}
    return [Voice("options", 1.0, model.prior_.estimate(model.tree_), shares=shares)]


@voices_of.register
def _(model: SingleTreeClassifier) -> list[Voice]:
    if goes_by_row(model.smoothing_):
        return _voices(model.smoothing_, model.tree_, 1.0)
    return [Voice("leaf", 1.0, model.node_probabilities_)]


@singledispatch
def _voices(smoothing: Estimates, tree: Tree, weight: float) -> list[Voice]:
    """The voices of a smoothing; a new rule by which rows hear leaves is registered below."""
    return [Voice("leaf", weight, smoothing.estimate(tree))]


@_voices.register
def _(smoothing: Average, tree: Tree, weight: float) -> list[Voice]:
    parts = [resolve_smoothing(part) for part in smoothing.parts]
    return [voice for part in parts for voice in _voices(part, tree, weight / len(parts))]


@_voices.register
def _(smoothing: Confusion, tree: Tree, weight: float) -> list[Voice]:
    return [Voice("confusion", weight, smoothing.estimate(tree), {"factor": float(smoothing.factor)})]


@_voices.register
def _(smoothing: Doubt, tree: Tree, weight: float) -> list[Voice]:
    settings = {"doubt": float(smoothing.doubt), "least_weight": LEAST_WEIGHT}
    return [Voice("doubt", weight, smoothing.estimate(tree), settings)]


# -- writing --------------------------------------------------------------------------------------------------


def write_voices(voices: list[Voice]) -> str:
    """The voices as JSON text, one line per node."""
    return "[" + ",".join(map(_write_voice, voices)) + "]"


def _write_voice(voice: Voice) -> str:
    numbers = {"weight": voice.weight, **voice.settings}
    fields = {"rule": encode(voice.rule), **{name: encode(number) for name, number in numbers.items()}}
    fields |= {name: encode(shares.tolist()) for name, shares in voice.shares.items()}
    rows = encode(voice.probabilities.tolist()).replace("],[", "],\n[")
    return named_lines({**fields, "probabilities": rows})


# -- reading --------------------------------------------------------------------------------------------------


def check_computed(voices: list[Voice]) -> None:
    """Raise unless what was computed of the counts and settings of a file are probabilities."""
    for voice in voices:
        require(_are_shares(voice), "its counts and settings do not give probabilities")


def check_same(voices: list[Voice], others: list[Voice]) -> None:
    """Raise unless these voices say the same as others, to rounding."""
    for voice, other in zip(voices, others, strict=True):
        pairs = [(voice.probabilities, other.probabilities)]
        pairs += [(shares, other.shares[name]) for name, shares in voice.shares.items()]
        is_same = all(one.shape == two.shape and (np.abs(one - two) <= ROUNDING).all() for one, two in pairs)
        require(is_same, "it does not answer as its counts and settings give")


def check_told(data: Json, voices: list[Voice]) -> None:
    """Raise unless a file tells these voices, which were computed from the rest of it, to rounding."""
    answers = as_list(data, f"its answers are not of {len(voices)} voices", len(voices))
    for told, voice in zip(answers, voices, strict=True):
        _check_voice(told, voice)


def _are_shares(voice: Voice) -> bool:
    """Whether all numbers of a voice are between 0 and 1, and the probabilities of a node sum to 1."""
    is_right = all(((shares >= 0) & (shares <= 1)).all() for shares in (voice.probabilities, *voice.shares.values()))
    return bool(is_right and (np.abs(voice.probabilities.sum(axis=1) - 1) <= SUM_ROUNDING).all())


def _check_voice(data: Json, voice: Voice) -> None:
    names = {"rule", "weight", "probabilities", *voice.settings, *voice.shares}
    complaint = f"its answers are not those of the rule {voice.rule!r}"
    told = as_record(data, complaint, names)
    require(told["rule"] == voice.rule, complaint)
    for name, number in {"weight": voice.weight, **voice.settings}.items():
        _require_close(read_numbers([told[name]], 1, f"{name} of its answers"), np.array([number]), name)
    for name, shares in voice.shares.items():
        _require_close(read_numbers(told[name], len(shares), f"{name} of its answers"), shares, name)
    shape = voice.probabilities.shape
    probabilities = read_matrix(told["probabilities"], shape, "probabilities of its answers")
    _require_close(probabilities, voice.probabilities, "probabilities")
    is_sum = bool((np.abs(probabilities.sum(axis=1) - 1) <= SUM_ROUNDING).all()) and bool((probabilities <= 1).all())
    require(is_sum, "the probabilities of its answers do not sum to 1")


def _require_close(told: Numbers, computed: Numbers, name: str) -> None:
    is_close = bool((np.abs(told - computed) <= ROUNDING).all())
    require(is_close, f"the {name} of its answers are not what its counts and settings give")
