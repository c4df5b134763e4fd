"""Split scores: slow definitions and worked numbers."""

import math
from functools import partial

from petree.bayes import Prior
from petree.splitting import DKM, MAUC, MSEE, Bayes, GainRatio

WORKED_SPLITS = {
    "S1": [[8, 2], [2, 8]],
    "S3": [[10, 0], [0, 10]],
    "S4": [[10, 1, 0], [2, 8, 3], [0, 1, 9]],
    "S5": [[40, 1], [55, 4]],
    "S7": [[6, 1, 0], [2, 5, 0]],
    "reordered": [[2, 0], [20, 1], [3, 9]],  # Laplace ranks the first two children the other way round
}


def node_of(table):
    """Class counts of the node whose children these are."""
    return [sum(column) for column in zip(*table, strict=True)]


def decrease(table, impurity):
    """Impurity of the node less that of its children, each by its share of the cases."""
    node = node_of(table)
    if not sum(node):
        return 0.0
    return impurity(node) - math.fsum(sum(child) / sum(node) * impurity(child) for child in table if sum(child))


def shares(counts, added=0):
    """Frequencies, after `added` cases of every class."""
    return [(n + added) / (sum(counts) + added * len(counts)) for n in counts]


def entropy(counts):
    return -math.fsum(p * math.log2(p) for p in shares(counts) if p > 0) if sum(counts) else 0.0


def split_information(table):
    return entropy([sum(child) for child in table])


def over_information(score, table):
    information = split_information(table)
    return score / information if information else 0.0


def plain_gain(table):
    return decrease(table, entropy)


def plain_gain_ratio(table):
    return over_information(plain_gain(table), table)


def plain_gini(table):
    return decrease(table, lambda counts: 1 - math.fsum(p * p for p in shares(counts)))


def plain_dkm(table):
    return decrease(table, lambda counts: math.fsum(math.sqrt(p * max(1 - p, 0)) for p in shares(counts)))


def plain_dkm_majority(table):
    return decrease(table, lambda counts: 2 * math.sqrt(max(shares(counts)) * (1 - max(shares(counts)))))


def plain_chi_square(table):
    node = node_of(table)
    statistic = 0.0
    for child in table:
        for observed, column in zip(child, node, strict=True):
            if sum(child) and column:
                expected = sum(child) * column / sum(node)
                statistic += (observed - expected) ** 2 / expected
    return statistic


def squared_error(counts, added=0):
    """Definition 3 of Ferri et al. (2003): for each class, the chance of it, of missing it, and the error then."""
    p = shares(counts, added)
    return math.fsum(
        p[i] * (1 - p[i]) * ((1 - p[i]) ** 2 + math.fsum(p[j] ** 2 for j in range(len(p)) if j != i))
        for i in range(len(p))
    )


def plain_msee(table, laplace=False, penalty=None):
    score = decrease(table, partial(squared_error, added=int(laplace)))
    return over_information(score, table) if penalty else score


def wins(p, q):
    """What a case of estimate p scores against one of estimate q."""
    return 0.5 if math.isclose(p, q, rel_tol=1e-12, abs_tol=1e-12) else float(p > q)


def area(table, estimates, i, j):
    """A(i|j): the chance that a case of class i has a larger p_i than one of class j, by pairs of children."""
    pairs = math.fsum(
        first[i] * second[j] * wins(estimates[a][i], estimates[b][i])
        for a, first in enumerate(table)
        for b, second in enumerate(table)
        if first[i] and second[j]
    )
    return pairs / (node_of(table)[i] * node_of(table)[j])


def plain_mauc(table, laplace=False, penalty=None):
    present = [i for i, n in enumerate(node_of(table)) if n]
    if len(present) < 2:
        return 0.0
    estimates = [shares(child, int(laplace)) if sum(child) else None for child in table]
    pairs = [(i, j) for i in present for j in present if i < j]
    areas = [(area(table, estimates, i, j) + area(table, estimates, j, i)) / 2 for i, j in pairs]
    score = math.fsum(areas) / len(pairs) - 0.5
    return over_information(2 * score, table) if penalty else score


def log_beta(values):
    return math.fsum(math.lgamma(value) for value in values if value) - math.lgamma(math.fsum(values))


def plain_bayes(table, mean="base_rate"):
    """Equation 6 of Buntine (1992) with alpha_0 = 1, less the same of the unsplit node."""
    node = node_of(table)
    if sum(bool(sum(child)) for child in table) < 2:
        return 0.0
    alphas = [n / sum(node) if mean == "base_rate" else 1 / len(node) for n in node]

    def evidence(counts):
        return log_beta([n + a if a else 0 for n, a in zip(counts, alphas, strict=True)]) - log_beta(alphas)

    return math.fsum(map(evidence, table)) - evidence(node)


QUALITY = {"S1": -12.830385, "S3": -3.472305, "S4": -27.103436, "S5": -24.477419}
UNSPLIT = {"S1": -15.599096, "S3": -15.599096, "S4": -41.341034, "S5": -22.898473}
GAIN = {"S1": 0.278072, "S3": 1.0, "S4": 0.789415, "S5": 0.007560, "S7": 0.257831}
INFORMATION = {"S1": 1.0, "S3": 1.0, "S4": 1.576323, "S5": 0.976500, "S7": 1.0}
RATIO = {"S1": 0.278072, "S3": 1.0, "S4": 0.500795, "S5": 0.007742, "S7": 0.257831}
ERROR_DECREASE = {"S1": 0.0324, "S3": 0.25, "S4": 0.209805, "S5": 0.002242, "S7": 0.036651}
LAPLACE_ERROR = {"S1": 0.234375, "S3": 0.129437, "S4": 0.328363, "S5": 0.108570, "S7": 0.344400}
AREA = {"S1": 0.8, "S3": 1.0, "S4": 0.877778, "S5": 0.610526, "S7": 0.791667}

# alias, slow definition, worked numbers on WORKED_SPLITS
SPLITS = [
    ("gain", plain_gain, GAIN),
    ("gain_ratio", plain_gain_ratio, RATIO),
    ("gini", plain_gini, {"S1": 0.18, "S3": 0.5, "S4": 0.349798, "S5": 0.000912, "S7": 0.163265}),
    ("dkm", plain_dkm, {"S1": 0.2, "S3": 1.0, "S4": 0.563863, "S5": 0.012751, "S7": 0.188062}),
    ("chi_square", plain_chi_square, {"S1": 7.2, "S3": 20.0, "S4": 34.928462, "S5": 0.959509, "S7": 4.666667}),
    ("msee", plain_msee, ERROR_DECREASE),
    ("mauc", plain_mauc, {name: area - 0.5 for name, area in {**AREA, "reordered": 0.894}.items()}),
    ("bayes", plain_bayes, {name: quality - UNSPLIT[name] for name, quality in QUALITY.items()}),
]

# the same for members with parameters of their own
VARIANTS = [
    (GainRatio(slack=0, restrictions=False), plain_gain_ratio, RATIO),
    (
        DKM("majority"),
        plain_dkm_majority,
        {"S1": 0.2, "S3": 1.0, "S4": 0.221250, "S5": 0.012751, "S7": 0.188062},
    ),
    (
        MSEE(laplace=True),
        partial(plain_msee, laplace=True),
        {name: squared_error(node_of(WORKED_SPLITS[name]), 1) - error for name, error in LAPLACE_ERROR.items()},
    ),
    (
        MSEE(penalty=True),
        partial(plain_msee, penalty=True),
        {name: error / INFORMATION[name] for name, error in ERROR_DECREASE.items()},
    ),
    (Bayes(Prior(mean="uniform")), partial(plain_bayes, mean="uniform"), {"S1": 2.768711}),
    (MAUC(laplace=True), partial(plain_mauc, laplace=True), {"reordered": 0.886 - 0.5}),
    (
        MAUC(penalty=True),
        partial(plain_mauc, penalty=True),
        {name: (2 * area - 1) / INFORMATION[name] for name, area in AREA.items()},
    ),
]
