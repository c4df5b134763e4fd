"""Pruning criteria: slow definitions and worked numbers."""

from functools import partial

from tests.bayes.oracles import plain_map, plain_negligible
from tests.families.smoothings import plain_laplace, plain_m_branch, plain_m_estimate
from tests.oracles.cases import plain_cost_complexity, squared_length
from tests.oracles.correction import plain_speaking_chi
from tests.oracles.pruning import (
    data_length,
    exact_errors,
    j48_errors,
    plain_card_per_class,
    plain_chi,
    plain_collapsing,
    plain_description,
    plain_error_based,
    plain_minimum_error,
    plain_pessimistic,
    plain_quinlan_rivest,
    plain_safe,
    plain_smoothed,
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
    SmoothedCost,
)
from petree.smoothing import MBranch, MEstimate

# alias, slow definition on plain nodes (None if it needs more than counts), number of leaves of the worked tree
# [[[12, 0], [3, 5]], [[1, 9], [6, 4]]] of 6 candidate tests (None if it needs more than counts)
PRUNINGS = [
    ("none", lambda root: root, 4),
    ("chi", plain_chi, 3),
    ("rand", None, None),
    ("best_size", None, None),
    ("mdl", partial(plain_description, mdl=True), 1),
    ("bic", partial(plain_description, mdl=False), 4),
    ("error_based", plain_error_based, 4),
    ("pessimistic", plain_pessimistic, 2),
    ("minimum_error", plain_minimum_error, 4),
    ("cost_complexity", None, None),
    ("reduced_error", None, None),
    ("card_per_class", plain_card_per_class, 4),
    ("quinlan_rivest", plain_quinlan_rivest, 1),
    ("map", plain_map, 4),
    ("negligible", plain_negligible, 4),
    ("permutation", None, None),
    ("subtree_randomisation", None, None),
    ("safe", plain_safe, 4),
    ("smoothed", partial(plain_smoothed, estimate=plain_laplace), 4),
    ("sampled", None, None),
]

# members with parameters of their own, and their slow definitions
VARIANTS = [
    (Chi(alpha=0.1, when="pre"), partial(plain_chi, alpha=0.1, when="pre")),
    (Chi(alpha=0.3, bonferroni=False), partial(plain_chi, alpha=0.3, bonferroni=False)),
    (Chi(correction="cases"), plain_speaking_chi),
    (Chi(alpha=0.5, correction="cases"), partial(plain_speaking_chi, alpha=0.5)),
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
]
