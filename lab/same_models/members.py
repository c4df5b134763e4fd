"""Every member of every family, with parameters that a generator draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

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
