"""Pruning criteria: slow definitions and worked numbers."""

import math
from functools import partial

from tests.bayes.oracles import plain_map, plain_negligible
from tests.families.smoothings import plain_laplace, plain_m_branch, plain_m_estimate
from tests.oracles.cases import plain_cost_complexity, squared_length
from tests.oracles.correction import plain_corrected_chi
from tests.oracles.pruning import (
    data_length,
    plain_chi,
    plain_description,
    plain_quinlan_rivest,
    plain_smoothed,
    plain_wallace_patrick,
)
from tests.oracles.pruning_by_errors import (
    exact_errors,
    j48_errors,
    plain_card_per_class,
    plain_collapsing,
    plain_error_based,
    plain_minimum_error,
    plain_pessimistic,
    plain_safe,
)

from petree.bayes import Prior
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
    QuinlanRivest,
    Rand,
    ReducedError,
    SmoothedCost,
    WallacePatrick,
)
from petree.smoothing import Confusion, Laplace, MBranch, MEstimate

# values that are not accepted, by the kind of parameter
LEVELS = (0, -1, 1.5, math.nan, math.inf, "x", None, True)
SHARES = (-1, 2, math.nan, math.inf, "x", None, True)
AMOUNTS = (-1, math.nan, math.inf, "x", None, True)
NUMBERS = (0, -1, 1.5, math.nan, "x", None, True)
FLAGS = ("no", math.nan, "x", None, 1)
TIMES = ("before", None)
CORRECTIONS = ("level", 0)
PRIORS = (
    "V", None, Prior("V"), Prior(alpha=-1), Prior(alpha="auto"), Prior("II", 0), Prior(mean="x"), Prior(shrink=2),
    Prior(penalties={"x0": 0}), Prior(power=0),
)  # fmt: skip
DESCRIPTION = {"when": TIMES, "by": ("leaf", None), "class_exponent": AMOUNTS, "keep_equal": FLAGS}

# alias, slow definition on plain nodes (None if it needs more than counts), number of leaves of the worked tree
# [[[12, 0], [3, 5]], [[1, 9], [6, 4]]] of 6 candidate tests (None if it needs more than counts), and values of each
# parameter that are not accepted
PRUNINGS = [
    ("none", lambda root: root, 4, {}),
    ("chi", plain_chi, 3, {"alpha": LEVELS, "bonferroni": FLAGS, "when": TIMES, "correction": CORRECTIONS}),
    (
        "rand",
        None,
        None,
        {
            "alpha": SHARES,
            "permutations": NUMBERS,
            "when": TIMES,
            "correction": CORRECTIONS,
            "randomise": ("links", None),
        },
    ),
    (
        "best_size",
        None,
        None,
        {"min_samples_leaf": NUMBERS, "standard_errors": (-1.0, "a", None), "saving": (-0.1, 0.6, "a")},
    ),
    ("mdl", partial(plain_description, mdl=True), 1, DESCRIPTION),
    ("bic", partial(plain_description, mdl=False), 4, DESCRIPTION),
    (
        "error_based",
        plain_error_based,
        4,
        {"confidence": LEVELS, "limit": ("C4.5", None), "raising": FLAGS, "collapsing": FLAGS},
    ),
    ("pessimistic", plain_pessimistic, 2, {}),
    ("minimum_error", plain_minimum_error, 4, {"m": AMOUNTS, "prior": ("even", None)}),
    (
        "cost_complexity",
        None,
        None,
        {
            "loss": ("gini", None),
            "folds": (1, *NUMBERS),
            "rule": ("2-SE", None),
            "alpha": (-1, math.nan, math.inf, "x"),
        },
    ),
    ("reduced_error", None, None, {"label": ("leaf", None), "alpha": LEVELS, "fresh": (3, "x"), "backfitting": FLAGS}),
    ("card_per_class", plain_card_per_class, 4, {"k": AMOUNTS, "reading": ("K", None)}),
    ("quinlan_rivest", plain_quinlan_rivest, 1, {"c": AMOUNTS}),
    ("map", plain_map, 4, {"prior": PRIORS, "when": TIMES}),
    ("negligible", plain_negligible, 4, {"bound": LEVELS, "prior": PRIORS}),
    ("permutation", None, None, {"alpha": SHARES, "permutations": NUMBERS, "when": TIMES}),
    (
        "subtree_randomisation",
        None,
        None,
        {
            "alpha": SHARES,
            "permutations": NUMBERS,
            "criterion": ("chi", 3, Chi, Chi(alpha=-1), Rand(permutations=0), ReducedError()),
        },
    ),
    ("safe", plain_safe, 4, {"ties": ("none", None)}),
    (
        "smoothed",
        partial(plain_smoothed, estimate=plain_laplace),
        4,
        {"smoothing": ("laplace", Laplace, Confusion()), "pay_tests": FLAGS},
    ),
    (
        "sampled",
        None,
        None,
        {
            "alpha": LEVELS,
            "criterion": ("mdl", Chi(), MDL(when="pre"), ErrorBased(2), QuinlanRivest(-1), BIC(keep_equal=3)),
        },
    ),
    ("wallace_patrick", plain_wallace_patrick, 3, {"alpha": (0, *AMOUNTS)}),
]

# members with parameters of their own, and their slow definitions
VARIANTS = [
    (Chi(alpha=0.1, when="pre"), partial(plain_chi, alpha=0.1, when="pre")),
    (Chi(alpha=0.3, bonferroni=False), partial(plain_chi, alpha=0.3, bonferroni=False)),
    (Chi(correction="cases"), plain_corrected_chi),
    (Chi(alpha=0.5, correction="cases"), partial(plain_corrected_chi, alpha=0.5)),
    (MDL(by="stump"), partial(plain_description, mdl=True, by="stump")),
    (MDL(when="pre", keep_equal=True), partial(plain_description, mdl=True, when="pre", keep_equal=True)),
    (MDL(class_exponent=0.5), partial(plain_description, mdl=True, exponent=0.5)),
    (BIC(by="stump", keep_equal=True), partial(plain_description, mdl=False, by="stump", keep_equal=True)),
    (BIC(when="pre"), partial(plain_description, mdl=False, when="pre")),
    (BIC(class_exponent=0.0, keep_equal=True), partial(plain_description, mdl=False, exponent=0.0, keep_equal=True)),
    (ErrorBased(limit="exact"), partial(plain_error_based, limit=exact_errors)),
    (ErrorBased(limit="j48"), partial(plain_error_based, limit=j48_errors)),
    (ErrorBased(0.05, "exact"), partial(plain_error_based, limit=partial(exact_errors, confidence=0.05))),
    (ErrorBased(collapsing=True), plain_collapsing),
    (MinimumError(m=5.0, prior="uniform"), partial(plain_minimum_error, m=5.0, prior="uniform")),
    (MinimumError(m=0), partial(plain_minimum_error, m=0)),
    (CardPerClass(4), partial(plain_card_per_class, k=4)),
    (CardPerClass(7, "printed"), partial(plain_card_per_class, k=7, reading="printed")),
    (CardPerClass(4, "Kc/2"), partial(plain_card_per_class, k=4, reading="Kc/2")),
    (CostComplexity(alpha=0.02), partial(plain_cost_complexity, alpha=0.02)),
    (CostComplexity(alpha=0.05, loss="log"), partial(plain_cost_complexity, alpha=0.05, loss=data_length)),
    (CostComplexity(alpha=0.0, loss="brier"), partial(plain_cost_complexity, alpha=0.0, loss=squared_length)),
    (QuinlanRivest(c=2.0), partial(plain_quinlan_rivest, c=2.0)),
    (MAP("I"), partial(plain_map, prior=Prior("I"))),
    (MAP("II"), partial(plain_map, prior=Prior("II"))),
    (MAP(when="pre"), partial(plain_map, when="pre")),
    (MAP(Prior("IV", alpha=3.0, mean="uniform")), partial(plain_map, prior=Prior("IV", alpha=3.0, mean="uniform"))),
    (Negligible(0.23, "IV"), partial(plain_negligible, bound=0.23, prior=Prior("IV"))),
    (SmoothedCost(MBranch()), partial(plain_smoothed, estimate=plain_m_branch)),
    (SmoothedCost(MEstimate(m=4), False), partial(plain_smoothed, estimate=plain_m_estimate, pay_tests=False)),
    (WallacePatrick(alpha=0.3), partial(plain_wallace_patrick, alpha=0.3)),
]
