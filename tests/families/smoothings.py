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


# alias, slow definition on a path, worked number: (leaf counts, estimate)
SMOOTHINGS = [
    ("none", plain_frequency, ([3, 0, 1], [0.75, 0.0, 0.25])),
    ("laplace", plain_laplace, ([3, 0, 1], [0.571429, 0.142857, 0.285714])),
    ("m_estimate", plain_m_estimate, ([3, 0, 1], [0.541667, 0.166667, 0.291667])),
    ("m_branch", plain_m_branch, None),
    ("curtailment", plain_curtailment, None),
    ("hierarchical", plain_hierarchical, None),
]
