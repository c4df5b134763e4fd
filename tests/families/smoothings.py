"""Probability estimates: slow definitions and worked numbers."""

import math


def plain_frequency(path, n_classes):
    """Probabilities of the last node of a path of class counts from the root."""
    for counts in reversed(path):
        if sum(counts):
            return [n / sum(counts) for n in counts]
    return [1 / n_classes] * n_classes


def plain_laplace(path, n_classes):
    counts = path[-1]
    return [(n + 1) / (sum(counts) + n_classes) for n in counts]


def plain_m_estimate(path, n_classes, m=4):
    counts = path[-1]
    return [(n + m / n_classes) / (sum(counts) + m) for n in counts]


def plain_m_branch(path, n_classes, m=4):
    """Definition 1 of Ferri et al. (2003), node by node."""
    estimate, cases = [1 / n_classes] * n_classes, sum(path[0])
    for place, counts in enumerate(path, 1):
        height = len(path) + 1 - place
        weight = m * (1 + (1 - 1 / height) * math.sqrt(cases))
        estimate = [(n + weight * p) / (sum(counts) + weight) for n, p in zip(counts, estimate, strict=True)]
    return estimate


def plain_curtailment(path, n_classes, v=20):
    while len(path) > 1 and sum(path[-1]) < v:
        path = path[:-1]
    return plain_frequency(path, n_classes)


def plain_hierarchical(path, n_classes, shrinkage=25):
    shares = [plain_frequency(path[: place + 1], n_classes) for place in range(len(path))]
    estimate = list(shares[0])
    for place in range(1, len(path)):
        cases = sum(path[place - 1])
        kept = 1 / (1 + shrinkage / cases) if cases else 0.0
        estimate = [e + kept * (p - q) for e, p, q in zip(estimate, shares[place], shares[place - 1], strict=True)]
    return estimate


def left_out_estimate(counts, class_code):
    """Frequency of a class at a node after one of its cases is taken away."""
    return max(counts[class_code] - 1, 0) / (sum(counts) - 1) if sum(counts) > 1 else 0.0


def shrinkage_weights(path, n_classes, iterations=20):
    """Weights of the uniform distribution and of each node of the path, by EM on the cases of the last one."""
    own, cases = path[-1], sum(path[-1])
    weights = [1 / (len(path) + 1)] * (len(path) + 1)
    for _ in range(iterations if cases >= 2 else 0):
        responsibilities = [0.0] * len(weights)
        for class_code, n in enumerate(own):
            likelihoods = [1 / n_classes, *(left_out_estimate(counts, class_code) for counts in path)]
            shares = [w * p for w, p in zip(weights, likelihoods, strict=True)]
            for place, share in enumerate(shares):
                responsibilities[place] += n * share / sum(shares)
        weights = [responsibility / cases for responsibility in responsibilities]
    return weights


def plain_shrinkage(path, n_classes, iterations=20):
    weights = shrinkage_weights(path, n_classes, iterations)
    parts = [[1 / n_classes] * n_classes, *(plain_frequency(path[:end], n_classes) for end in range(1, len(path) + 1))]
    return [sum(w * part[c] for w, part in zip(weights, parts, strict=True)) for c in range(n_classes)]


def plain_average(path, n_classes):
    pairs = zip(plain_hierarchical(path, n_classes), plain_m_branch(path, n_classes), strict=True)
    return [sum(pair) / 2 for pair in pairs]


# -- cases behind the estimate of the last node of a path ------------------------------------------------------------


def frequency_strength(path, n_classes):
    """Cases of the last node that has any; as many as there are classes where nobody has."""
    return next((sum(counts) for counts in reversed(path) if sum(counts)), n_classes)


def laplace_strength(path, n_classes):
    return sum(path[-1]) + n_classes


def m_strength(path, n_classes, m=4):
    return sum(path[-1]) + m


def curtailment_strength(path, n_classes, v=20):
    while len(path) > 1 and sum(path[-1]) < v:
        path = path[:-1]
    return frequency_strength(path, n_classes)


def hierarchical_strength(path, n_classes, shrinkage=25):
    while len(path) > 1 and not sum(path[-1]):
        path = path[:-1]
    kept = 1 if len(path) == 1 else 1 / (1 + shrinkage / sum(path[-2]))
    return frequency_strength(path, n_classes) / kept


def shrinkage_strength(path, n_classes, iterations=20):
    weights = shrinkage_weights(path, n_classes, iterations)
    cases = [n_classes, *(frequency_strength(path[:end], n_classes) for end in range(1, len(path) + 1))]
    mean = sum(w * n for w, n in zip(weights, cases, strict=True))
    return min(mean, cases[-1] / weights[-1]) if weights[-1] else mean


def average_strength(path, n_classes):
    return (hierarchical_strength(path, n_classes) + m_strength(path, n_classes)) / 2


# alias, slow definition on a path, slow strength (None if they need more of the tree than the path), worked number:
# (leaf counts, estimate)
SMOOTHINGS = [
    ("none", plain_frequency, frequency_strength, ([3, 0, 1], [0.75, 0.0, 0.25])),
    ("laplace", plain_laplace, laplace_strength, ([3, 0, 1], [0.571429, 0.142857, 0.285714])),
    ("m_estimate", plain_m_estimate, m_strength, ([3, 0, 1], [0.541667, 0.166667, 0.291667])),
    ("m_branch", plain_m_branch, m_strength, None),
    ("bayes", None, None, None),
    ("curtailment", plain_curtailment, curtailment_strength, None),
    ("shrinkage", plain_shrinkage, shrinkage_strength, None),
    ("confusion", plain_frequency, frequency_strength, ([3, 0, 1], [0.75, 0.0, 0.25])),
    ("doubt", plain_hierarchical, hierarchical_strength, None),
    ("hierarchical", plain_hierarchical, hierarchical_strength, None),
    ("average", plain_average, average_strength, None),
]
