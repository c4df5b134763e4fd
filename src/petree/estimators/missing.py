"""What goes with which way to treat missing values; the rest is refused before anything is grown."""

from __future__ import annotations

from typing import Protocol

from petree.estimators.constraints import InteractionCst, MonotonicCst
from petree.parts import declared
from petree.pruning.criterion import Criterion
from petree.splitting.base import Scores, SplitScore


class WithMissing(Protocol):
    """The parameters of an estimator that have to do with missing values."""

    missing: str
    tests: str
    monotonic_cst: MonotonicCst
    interaction_cst: InteractionCst


def check_missing(model: WithMissing, split: Scores, pruning: Criterion) -> None:
    """Raise where the parts of an estimator cannot do with its way to treat missing values."""
    if model.missing == "branch":
        return
    way = f"missing={model.missing!r}"
    if declared(split, SplitScore, "looks_at_values"):
        _refuse(way, f"needs a split score of class counts, which {split!r} is not", "set split='gain'")
    if model.interaction_cst is not None:
        _refuse(way, "does not go with 'interaction_cst'", "leave out one of the two")
    if pruning.chooses_tests and pruning.judges_while_growing:
        _refuse(way, f"does not go with {pruning!r}, which chooses among all tests of a node", 'set its when="post"')
    if model.missing == "fractions":
        _check_fractions(way, pruning)
    elif model.tests == "multiway":
        _refuse(way, "is for tests of two branches", "set tests to 'binary' or 'sets', or missing='fractions'")
    if model.missing == "surrogates" and model.monotonic_cst is not None:
        what = "does not go with 'monotonic_cst': another value of one column could send a row another way at another"
        _refuse(way, what, "leave out one of the two")
    if model.missing == "surrogates" and "reroute" in pruning.needs:
        _refuse(way, f"does not go with {pruning!r}, which raises branches", "set its raising=False")


def _check_fractions(way: str, pruning: Criterion) -> None:
    """Raise where a criterion needs rows that are not divided."""
    if pruning.exchanges_rows:
        instead = "set pruning to one that goes by counts, such as 'best_size', 'cost_complexity', 'mdl' or 'chi'"
        _refuse(way, f"divides rows, and {pruning!r} permutes or draws whole ones", instead)
    if "reroute" in pruning.needs:
        _refuse(way, f"does not go with {pruning!r}, which raises branches", "set its raising=False")


def _refuse(way: str, what: str, instead: str) -> None:
    raise ValueError(f"{way} {what}; {instead}, or set missing='branch'.")
