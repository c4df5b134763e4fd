"""The models to compare two versions by: every member of every family, with parameters and data drawn by number.

A model is known by its name, such as "tree 17", and is the same in every run. Members are dealt from decks, so that
each has its share of the models; all else comes from a generator that the number seeds.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.same_models.members import (
    ADDITIVE,
    BINNINGS,
    MOST_ROWS,
    NODE_SMOOTHINGS,
    PERMUTED,
    PRIORS,
    PRUNINGS,
    RELATIONAL_PRUNINGS,
    RELATIONAL_SPLITS,
    SMOOTHINGS,
    SPLITS,
    TIMES_WITH_GAIN,
    Draw,
    Random,
    pick,
)
from lab.same_models.tables import (
    DATABASES,
    LARGE,
    TABLES,
    Cases,
    draw_database,
    draw_table,
    known_database,
    known_table,
    large_table,
)
from petree import OptionTreeClassifier, ProbabilityTreeClassifier, RelationalTreeClassifier, presets

# Models of each kind. A deck of the longest family, the prunings, goes a hundred times into the trees.
N_TREES = 3300
N_OPTIONS = 600
N_RELATIONAL = 300
N_LARGE = 56
N_KNOWN = 104
N_KNOWN_DATABASES = 24
N_EACH_PRESET = 6

AGGREGATES = ("count", "min", "max", "sum", "mean", "mode", "proportion")


def seeded(kind: str, number: int) -> Random:
    """The generator of a model."""
    return np.random.default_rng([*kind.encode(), number])


@dataclass(frozen=True)
class Made:
    """A model that is not fitted yet, and what it is to learn from."""

    model: Any
    cases: Cases
    settings: Mapping[str, Any]
    max_leaves: int | None = 8


@dataclass(frozen=True)
class Plan:
    """A model by its name, with the members of the families that it stands for."""

    name: str
    members: Mapping[str, str]
    make: Callable[[], Made]


def plan_all() -> list[Plan]:
    """All models; those of known data sets only where PETREE_DATA names their folder."""
    kinds = [plan_trees(), plan_presets(), plan_options(), plan_relational(), plan_large()]
    if os.environ.get("PETREE_DATA"):
        kinds += [plan_known(), plan_known_databases()]
    return [plan for plans in kinds for plan in plans]


def deal(names: Sequence[str], n: int, seed: int) -> list[str]:
    """So many cards of a deck, each as often as any other, in random order."""
    return [names[place] for place in np.random.default_rng([7, seed]).permutation(np.arange(n) % len(names))]


def plan_trees() -> Iterator[Plan]:
    families = (SPLITS, PRUNINGS, SMOOTHINGS, BINNINGS)
    decks = [deal(list(family), N_TREES, seed) for seed, family in enumerate(families)]
    for number, (split, *others) in enumerate(zip(*decks, strict=True)):
        is_changed = others[0] in PERMUTED and number % 3 > 0
        yield _plan_tree("tree", number, ("gain" if is_changed else split, *others), draw_table)


def plan_large() -> Iterator[Plan]:
    """Splits and smoothings on large tables; of the prunings those that look at rows, and quick ones."""
    prunings = [
        "none", "rand", "rand, pre", "rand, corrected", "cost_complexity, alpha", "mdl", "error_based, raising",
        "permutation",
    ]  # fmt: skip
    smoothings = ["none", "laplace", "shrinkage", "doubt", "hierarchical, auto"]
    families = (SPLITS, prunings, smoothings, BINNINGS)
    decks = [deal(list(names), N_LARGE, 10 + seed) for seed, names in enumerate(families)]
    for number, (split, *others) in enumerate(zip(*decks, strict=True)):
        cards = ("gain" if others[0] in PERMUTED else split, *others)  # any other score is searched for too long
        yield _plan_tree("large", number, cards, lambda random, most, number=number: large_table(number % len(LARGE)))


def plan_known() -> Iterator[Plan]:
    families = (SPLITS, [name for name in PRUNINGS if name not in MOST_ROWS], SMOOTHINGS, BINNINGS)
    decks = [deal(list(names), N_KNOWN, 20 + seed) for seed, names in enumerate(families)]
    for number, cards in enumerate(zip(*decks, strict=True)):
        name = TABLES[number % len(TABLES)]
        yield _plan_tree("known", number, cards, lambda random, most, name=name: known_table(name))


def _plan_tree(kind: str, number: int, cards: Sequence[str], draw: Callable[[Random, int], Cases]) -> Plan:
    split, pruning, smoothing, binning = cards
    random = seeded(kind, number)
    tests = pick(random, "binary", "binary", "multiway")
    weights = pick(random, "none", "none", "whole", "fractional")
    members = {
        "estimator": "tree", "split": split, "pruning": pruning, "smoothing": smoothing, "binning": binning,
        "tests": tests, "weights": weights, "table": kind,
    }  # fmt: skip

    def make() -> Made:
        random = seeded(f"{kind}, made", number)
        most = MOST_ROWS.get(pruning, 1500) * (TIMES_WITH_GAIN if split == "gain" else 1)
        cases = draw(random, min(most, 3000))
        parameters = _draw_stopping(random, kind) | _draw_ahead(random, split, pruning, tests)
        model = ProbabilityTreeClassifier(
            SPLITS[split](random), PRUNINGS[pruning](random), SMOOTHINGS[smoothing](random), tests,
            BINNINGS[binning](random), class_weight=_draw_class_weight(random, cases.y),
            random_state=pick(random, None, int(random.integers(100))), n_jobs=pick(random, 1, 2), **parameters,
        )  # fmt: skip
        return Made(model, cases, _draw_settings(random, cases, weights))

    return Plan(f"{kind} {number}", members, make)


def _draw_stopping(random: Random, kind: str) -> dict[str, Any]:
    depths = (6, 9) if kind == "large" else (None, None, 2, 5, 12)
    return {
        "min_samples_leaf": pick(random, 1, 1, 1, 2, 5, 20),
        "max_depth": pick(random, *depths),
        "min_gain": pick(random, 0.0, 0.0, 0.0, 0.001, 0.02),
    }


def _draw_ahead(random: Random, split: str, pruning: str, tests: str) -> dict[str, Any]:
    """Lookahead where it is allowed, and now and then where it is refused."""
    if split == "gain_ratio" and random.random() < 0.05:
        return {"lookahead": 2}
    is_allowed = split in ADDITIVE and pruning not in ("permutation", *MOST_ROWS)
    is_allowed &= tests == "binary" or split != "msee"
    return {"lookahead": 2, "beam": pick(random, 2, 4)} if is_allowed and random.random() < 0.15 else {}


def _draw_class_weight(random: Random, y: NDArray[Any]) -> Any:
    weights = {label: float(np.round(random.exponential() + 0.1, 3)) for label in np.unique(y).tolist()}
    return pick(random, None, None, None, None, "balanced", weights)


def _draw_settings(random: Random, cases: Cases, weights: str) -> dict[str, Any]:
    """What `fit` is given beside the table: weights, now and then groups, or a class that does not occur."""
    settings: dict[str, Any] = {}
    if weights == "whole":
        settings["sample_weight"] = random.choice([0.0, 1.0, 1.0, 2.0, 3.0], size=cases.n_rows)
    if weights == "fractional":
        settings["sample_weight"] = random.exponential(size=cases.n_rows)
    if cases.database is None and random.random() < 0.05:
        settings["groups"] = np.arange(cases.n_rows) // 4
    if cases.database is None and cases.y.dtype.kind == "U" and random.random() < 0.1:
        settings["classes"] = [*np.unique(cases.y).tolist(), "other"]
    return settings


def plan_presets() -> Iterator[Plan]:
    for number, name in enumerate([name for _ in range(N_EACH_PRESET) for name in presets]):
        members = {"estimator": "preset", "preset": name}
        yield Plan(f"preset {number}", members, partial(_make_preset, name, number))


def _make_preset(name: str, number: int) -> Made:
    random = seeded("preset", number)
    model = presets[name]()
    if isinstance(model, RelationalTreeClassifier):
        cases = draw_database(random)
        return Made(model.set_params(database=cases.database, target=cases.target), cases, {})
    if isinstance(model, OptionTreeClassifier):
        return Made(model.set_params(max_nodes=2000), draw_table(random, 150), {})
    return Made(model, draw_table(random, 600), {})


def plan_options() -> Iterator[Plan]:
    for number, (prior, binning) in enumerate(
        zip(deal(list(PRIORS), N_OPTIONS, 30), deal(list(BINNINGS), N_OPTIONS, 31), strict=True)
    ):
        random = seeded("option", number)
        tests = pick(random, "binary", "multiway")
        weights = pick(random, "none", "none", "whole", "fractional")
        members = {"estimator": "option", "prior": prior, "binning": binning, "tests": tests, "weights": weights}
        make = partial(_make_options, number, PRIORS[prior], BINNINGS[binning], tests, weights)
        yield Plan(f"option {number}", members, make)


def _make_options(number: int, prior: Draw, binning: Draw, tests: str, weights: str) -> Made:
    random = seeded("option, made", number)
    cases = draw_table(random, 500)
    model = OptionTreeClassifier(
        prior(random), lookahead=pick(random, 1, 1, 1, 2), max_options=pick(random, 1, 2, 4),
        option_depth=pick(random, None, 1, 3), factor=pick(random, 1e-9, 0.005, 0.5),
        max_depth=pick(random, 2, 4, 6, 20), tests=tests, binning=binning(random),
        min_samples_leaf=pick(random, 1, 1, 3, 10), max_nodes=pick(random, 50, 1000), n_jobs=pick(random, 1, 2),
    )  # fmt: skip
    settings = _draw_settings(random, cases, weights)
    settings.pop("groups", None)
    return Made(model, cases, settings, pick(random, None, 2, 4, 8, 20))


def plan_relational() -> Iterator[Plan]:
    for number, cards in enumerate(_deal_relational(N_RELATIONAL, 40)):
        yield _plan_relational("relational", number, cards, draw_database)


def plan_known_databases() -> Iterator[Plan]:
    for number, cards in enumerate(_deal_relational(N_KNOWN_DATABASES, 50)):
        name = DATABASES[number % len(DATABASES)]
        yield _plan_relational("known database", number, cards, lambda random, name=name: known_database(name))


def _deal_relational(n: int, seed: int) -> Iterator[tuple[str, ...]]:
    """Members for so many relational trees; of the splits gain as often as all others, since it has its own ways."""
    others = [name for name in RELATIONAL_SPLITS if name != "gain"]
    names = ([*others, *["gain"] * len(others)], list(RELATIONAL_PRUNINGS), NODE_SMOOTHINGS, list(BINNINGS), AGGREGATES)
    return zip(*(deal(one, n, seed + place) for place, one in enumerate(names)), strict=True)


def _plan_relational(kind: str, number: int, cards: Sequence[str], draw: Callable[[Random], Cases]) -> Plan:
    split, pruning, smoothing, binning, aggregate = cards
    random = seeded(kind, number)
    weights = pick(random, "none", "none", "whole", "fractional")
    members = {
        "estimator": "relational", "split": split, "pruning": pruning, "smoothing": smoothing, "binning": binning,
        "aggregates": aggregate, "weights": weights,
    }  # fmt: skip

    def make() -> Made:
        random = seeded(f"{kind}, made", number)
        cases = draw(random)
        more = random.permutation(AGGREGATES)[: random.integers(3)].tolist()
        model = RelationalTreeClassifier(
            cases.database, cases.target, SPLITS[split](random), RELATIONAL_PRUNINGS[pruning](random),
            SMOOTHINGS[smoothing](random), aggregates=pick(random, (aggregate, *more), (aggregate,)),
            max_links=pick(random, 1, 2), min_examples=pick(random, 1, 2, 4), binning=BINNINGS[binning](random),
            min_samples_leaf=pick(random, 1, 2, 4), max_depth=pick(random, None, 3, 6),
            class_weight=pick(random, None, None, "balanced"), known_labels=bool(random.random() < 0.15),
            random_state=pick(random, None, int(random.integers(100))), n_jobs=pick(random, 1, 2),
        )  # fmt: skip
        return Made(model, cases, _draw_settings(random, cases, weights))

    return Plan(f"{kind} {number}", members, make)
