"""What holds of annotations, of the smoothing, of the certainty and of base rates."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from numbers import Integral
from typing import Any

import numpy as np

from petree.estimators.decisions.base_rates import LEAST_RATE
from petree.estimators.parameters import Smoothing
from petree.estimators.stored import Stored
from petree.smoothing import Average, Shrinkage
from petree.storage.invariants.nodes import OPTION
from petree.storage.values import require

# Estimates in a smoothing, and steps of EM at each node: a file must not be able to keep a reader busy for hours.
MOST_ESTIMATES = 20
MOST_ITERATIONS = 1000


def notes_are_finite(stored: Stored) -> None:
    """Annotations are finite numbers, one a node or a split, or null; every split of an option tree has a penalty."""
    tree = stored.tree
    for notes, length in ((tree.annotations, tree.n_nodes), (tree.split_annotations, len(tree.conditions))):
        for name, values in notes.items():
            is_right = values.dtype.kind in "biuf" and len(values) == length and not np.isinf(values).any()
            require(bool(is_right), f"the annotation {name!r} of the tree holds something other than finite numbers")
    if stored.estimator in OPTION:
        penalties = tree.split_annotations.get("cut_penalty")
        require(penalties is not None and not np.isnan(penalties).any(), "the tree lacks the penalties of its cuts")


def work_is_bounded(stored: Stored) -> None:
    """No smoothing is made of more than 20 estimates, or takes more than 1000 steps of EM."""
    for smoothing in (stored.smoothing, stored.parameters.get("smoothing")):
        estimates = list(islice(_estimates(smoothing), MOST_ESTIMATES + 1))
        require(len(estimates) <= MOST_ESTIMATES, f"a smoothing is made of more than {MOST_ESTIMATES} estimates")
        shrinkages = [one for one in estimates if isinstance(one, Shrinkage)]
        steps = [int(one.iterations) for one in shrinkages if isinstance(one.iterations, Integral)]
        require(sum(steps) <= MOST_ITERATIONS, f"a smoothing takes more than {MOST_ITERATIONS} iterations")


def leaves_are_worth_something(stored: Stored) -> None:
    """What the cases of a leaf are worth is finite and more than 0, and so is the most, or it is infinite.

    Leaves of an option tree tell their own certainty.
    """
    certainty = stored.certainty
    if certainty is None:
        return
    require(stored.estimator not in OPTION, "an option tree has no certainty")
    is_right = 0 < certainty.each < np.inf and certainty.most > 0
    require(is_right, "the numbers of its certainty are not more than 0")


def sizes_are_of_one_tree(stored: Stored) -> None:
    """Only a model of one tree has sizes."""
    require(stored.sizes is None or stored.estimator not in OPTION, "an option tree has no sizes")


def base_rates_can_be_moved_to(stored: Stored) -> None:
    """Base rates are more than 0 and sum to 1, and every class has training cases where there are any."""
    rates = stored.base_rates
    if rates is None:
        return
    is_right = rates.shape == stored.classes.shape and (rates >= LEAST_RATE).all() and abs(rates.sum() - 1) <= 1e-9
    require(bool(is_right), "its base rates are not more than 0, or do not sum to 1")
    require(bool((stored.tree.counts[0] > 0).all()), "it has base rates, and a class without training cases")


def _estimates(smoothing: Smoothing | None) -> Iterator[Smoothing | None]:
    """A smoothing, and those in it."""
    yield smoothing
    inside: Any = smoothing.parts if isinstance(smoothing, Average) else getattr(smoothing, "leaf", None)
    for part in inside if isinstance(inside, list | tuple) else [inside]:
        if part is not None:
            yield from _estimates(part)
