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
from same_models_tables import (
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
from sklearn.base import BaseEstimator

from petree import OptionTreeClassifier, ProbabilityTreeClassifier, RelationalTreeClassifier, presets
from petree.bayes import Prior
from petree.binning import Entropy, Quantile
from petree.pruning import (
    BIC,
    MAP,
    MDL,
    CardPerClass,
    Chi,
    CostComplexity,
    ErrorBased,
    MinimumError,
    Negligible,
    Permutation,
    QuinlanRivest,
    Rand,
    ReducedError,
    SafePruning,
    Sampled,
    SmoothedCost,
    SubtreeRandomisation,
)
from petree.smoothing import (
    Average,
    Bayes,
    Confusion,
    Curtailment,
    Doubt,
    Hierarchical,
    Laplace,
    MBranch,
    MEstimate,
    Shrinkage,
)
from petree.splitting import DKM, MAUC, MSEE, GainRatio
from petree.splitting import Bayes as Quality

# Models of each kind. A deck of the longest family, the prunings, goes a hundred times into the trees.
N_TREES = 3300
N_OPTIONS = 600
N_RELATIONAL = 300
N_LARGE = 56
N_KNOWN = 104
N_KNOWN_DATABASES = 24
N_EACH_PRESET = 6

Random = np.random.Generator
Draw = Callable[[Random], Any]


class Lengths(BaseEstimator):
    """A score as users write their own, without a twin in the engine: how much longer the vectors of shares become."""

    additive = True

    def score(self, counts: NDArray[np.float64]) -> Any:
        node = counts.sum(axis=-2)
        sizes = counts.sum(axis=-1)
        total = np.maximum(sizes.sum(axis=-1), np.finfo(float).tiny)
        longer = np.sqrt((counts**2).sum(axis=-1)).sum(axis=-1) - np.sqrt((node**2).sum(axis=-1))
        return longer / total


def seeded(kind: str, number: int) -> Random:
    """The generator of a model."""
    return np.random.default_rng([*kind.encode(), number])


def pick(random: Random, *values: Any) -> Any:
    """One of some values, of any type."""
    return values[int(random.integers(len(values)))]


def draw_prior(random: Random) -> Any:
    """A name, or a prior with parameters of its own."""
    if random.random() < 0.5:
        return pick(random, "I", "II", "III", "IV", "cautious")
    return Prior(
        pick(random, "I", "II", "III", "IV"), alpha=pick(random, 0.5, 1.0, 3.0), omega=pick(random, 0.3, 0.7),
        mean=pick(random, "base_rate", "uniform"), shrink=pick(random, 1.0, 0.8), power=pick(random, 1.0, 0.5),
    )  # fmt: skip


def draw_leaf(random: Random) -> Any:
    """What leaves speak with where all of them answer."""
    return pick(random, "none", "laplace", Hierarchical(4.0), MBranch(2.0))


# -- the families ------------------------------------------------------------------------------------------------------

SPLITS: Mapping[str, Draw] = {
    "gain": lambda random: "gain",
    "gain_ratio": lambda random: "gain_ratio",
    "gain_ratio, other rules": lambda random: GainRatio(pick(random, 0.0, 0.001, 0.02), pick(random, False, True)),
    "gini": lambda random: "gini",
    "dkm": lambda random: "dkm",
    "dkm, majority": lambda random: DKM("majority"),
    "chi_square": lambda random: "chi_square",
    "msee": lambda random: pick(random, "msee", MSEE(laplace=True)),
    "msee, penalty": lambda random: MSEE(pick(random, False, True), penalty=True),
    "mauc": lambda random: pick(random, "mauc", MAUC(laplace=True)),
    "mauc, penalty": lambda random: MAUC(pick(random, False, True), penalty=True),
    "bayes": lambda random: pick(random, "bayes", Quality(draw_prior(random))),
    "a user's own": lambda random: Lengths(),
}
# Scores whose gains add up, and that the engine looks ahead with; those of "msee" do so for binary tests.
ADDITIVE = ("gain", "gini", "dkm", "dkm, majority", "msee", "bayes")

PRUNINGS: Mapping[str, Draw] = {
    "default": lambda random: "default",
    "none": lambda random: "none",
    "chi": lambda random: pick(random, "chi", Chi(0.2, bonferroni=False)),
    "chi, pre": lambda random: Chi(pick(random, 0.05, 0.3), pick(random, True, False), when="pre"),
    "chi, corrected": lambda random: Chi(pick(random, 0.1, 0.4), correction="cases"),
    "rand": lambda random: pick(random, "rand", Rand(0.3, 40), Rand(0.1, 200)),
    "rand, pre": lambda random: Rand(pick(random, 0.1, 0.4), pick(random, 40, 100), when="pre"),
    "rand, corrected": lambda random: Rand(pick(random, 0.1, 0.4), 20, correction="cases"),
    "mdl": lambda random: pick(random, "mdl", MDL(by="stump"), MDL(class_exponent=0.5, keep_equal=True)),
    "mdl, pre": lambda random: MDL(when="pre", class_exponent=pick(random, 0.0, 1.0)),
    "bic": lambda random: pick(random, "bic", BIC(by="stump"), BIC(class_exponent=0.5, keep_equal=True)),
    "bic, pre": lambda random: BIC(when="pre", class_exponent=pick(random, 0.5, 1.0)),
    "error_based": lambda random: ErrorBased(pick(random, 0.1, 0.25, 0.5), pick(random, "c4.5", "exact", "j48")),
    "error_based, raising": lambda random: ErrorBased(raising=True, collapsing=pick(random, True, False)),
    "pessimistic": lambda random: "pessimistic",
    "minimum_error": lambda random: MinimumError(pick(random, 1.0, 2.0, 8.0), pick(random, "base_rate", "uniform")),
    "cost_complexity": lambda random: CostComplexity(
        pick(random, "error", "log", "brier"), pick(random, 3, 5), pick(random, "0-SE", "1-SE")
    ),
    "cost_complexity, alpha": lambda random: CostComplexity(
        pick(random, "error", "log", "brier"), alpha=pick(random, 0.001, 0.01)
    ),
    "reduced_error": lambda random: ReducedError(
        pick(random, "pruning", "training"), backfitting=random.random() < 0.3
    ),
    "reduced_error, drawn": lambda random: ReducedError(pick(random, "pruning", "training"), pick(random, 0.2, 0.5)),
    "card_per_class": lambda random: CardPerClass(
        pick(random, 0.5, 1.0, 4.0), pick(random, "ratio", "printed", "Kc/2")
    ),
    "quinlan_rivest": lambda random: QuinlanRivest(pick(random, 0.5, 1.0)),
    "map": lambda random: MAP(draw_prior(random)),
    "map, pre": lambda random: MAP(draw_prior(random), when="pre"),
    "negligible": lambda random: Negligible(pick(random, 0.01, 0.1), draw_prior(random)),
    "permutation": lambda random: Permutation(pick(random, 0.01, 0.1), pick(random, 100, 300)),
    "permutation, post": lambda random: Permutation(pick(random, 0.01, 0.1), pick(random, 100, 1000), when="post"),
    "subtree_randomisation": lambda random: SubtreeRandomisation(0.2, 10, pick(random, None, BIC(), Rand(0.3, 20))),
    "safe": lambda random: SafePruning(pick(random, "first", "last")),
    "smoothed": lambda random: SmoothedCost(pick(random, None, MBranch(), Shrinkage()), random.random() < 0.7),
    "sampled": lambda random: Sampled(pick(random, None, MDL(), BIC(), QuinlanRivest()), pick(random, 0.2, 0.5)),
}
# What takes long gets small tables: many searches for each node, or many trees.
MOST_ROWS = {
    "subtree_randomisation": 120,
    "error_based, raising": 400,
    "rand": 700,
    "rand, pre": 700,
    "rand, corrected": 250,
    "default": 250,
}
# Gain is quick, most of all under permuted classes, for which it has ways of its own: so many times the rows.
TIMES_WITH_GAIN = 4
PERMUTED = ("default", "rand", "rand, pre", "rand, corrected")
# Of a relational tree also what moves attributes among the objects of a table, but nothing that needs one table.
RELATIONAL_SPLITS = [name for name in SPLITS if name != "bayes"]
RELATIONAL_PRUNINGS: Mapping[str, Draw] = {
    **{name: draw for name, draw in PRUNINGS.items() if name not in ("subtree_randomisation", "error_based, raising")},
    "rand, attributes": lambda random: Rand(0.3, 10, randomise="attributes"),
}

SMOOTHINGS: Mapping[str, Draw] = {
    "default": lambda random: "default",
    "none": lambda random: "none",
    "laplace": lambda random: pick(random, "laplace", Laplace()),
    "m_estimate": lambda random: MEstimate(pick(random, 0.7, 4.0), pick(random, "uniform", "base_rate")),
    "m_estimate, auto": lambda random: MEstimate("auto", pick(random, "uniform", "base_rate")),
    "m_branch": lambda random: MBranch(pick(random, 0.7, 4.0, 20.0)),
    "m_branch, auto": lambda random: MBranch("auto"),
    "bayes": lambda random: Bayes(draw_prior(random)),
    "bayes, auto": lambda random: Bayes(Prior(pick(random, "I", "II", "III", "IV"), alpha="auto")),
    "curtailment": lambda random: Curtailment(pick(random, 3.0, 20.0)),
    "curtailment, auto": lambda random: Curtailment("auto"),
    "shrinkage": lambda random: Shrinkage(pick(random, 1, 5, 20)),
    "hierarchical": lambda random: Hierarchical(pick(random, 2.0, 25.0)),
    "hierarchical, auto": lambda random: Hierarchical("auto"),
    "average": lambda random: Average((pick(random, "shrinkage", "laplace"), MBranch(3.0), Curtailment(5.0))),
    "confusion": lambda random: Confusion(pick(random, 0.0, 0.05, 0.3, 1.0), draw_leaf(random)),
    "confusion, auto": lambda random: Confusion("auto", draw_leaf(random)),
    "doubt": lambda random: Doubt(pick(random, 0.0, 0.02, 0.1, 0.5, 1.0), draw_leaf(random)),
    "doubt, auto": lambda random: Doubt("auto", draw_leaf(random)),
    "average, by row": lambda random: Average((Doubt(0.1), pick(random, "laplace", Confusion(0.2)))),
}
# Where tests ask several tables, only estimates that answer node by node.
NODE_SMOOTHINGS = [name for name in SMOOTHINGS if name.partition(",")[0] not in ("confusion", "doubt", "average")]

BINNINGS: Mapping[str, Draw] = {
    "quantile": lambda random: "quantile",
    "quantile, few": lambda random: Quantile(int(random.integers(2, 40))),
    "quantile, many": lambda random: Quantile(int(random.integers(300, 900))),
    "exact": lambda random: "exact",
    "entropy": lambda random: pick(random, "entropy", Entropy(20), Entropy(None, stop="mdl")),
}
PRIORS: Mapping[str, Draw] = {
    **{name: lambda random, name=name: name for name in ("I", "II", "III", "IV", "cautious")},
    "a user's own": lambda random: Prior(
        pick(random, "I", "II", "III", "IV"), alpha=pick(random, 0.5, 3.0), shrink=pick(random, 1.0, 0.7),
        mean=pick(random, "base_rate", "uniform"), power=pick(random, 1.0, 0.4), penalties={"x1": 0.3},
    ),
}  # fmt: skip
AGGREGATES = ("count", "min", "max", "sum", "mean", "mode", "proportion")


# -- plans -------------------------------------------------------------------------------------------------------------


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
