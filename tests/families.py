"""The members of the families, with the slow definition of each: a new member is one row here.

The tests of a family run over its list; `test_families.py` also checks that no alias is left out.
"""

import math

WORKED_SPLITS = {
    "S1": [[8, 2], [2, 8]],
    "S3": [[10, 0], [0, 10]],
    "S4": [[10, 1, 0], [2, 8, 3], [0, 1, 9]],
    "S5": [[40, 1], [55, 4]],
    "S7": [[6, 1, 0], [2, 5, 0]],
}


def entropy(counts):
    total = sum(counts)
    return -sum(n / total * math.log2(n / total) for n in counts if n > 0) if total else 0.0


def plain_gain(table):
    node = [sum(column) for column in zip(*table, strict=True)]
    total = sum(node)
    if not total:
        return 0.0
    return entropy(node) - sum(sum(child) / total * entropy(child) for child in table)


def plain_frequency(path, n_classes):
    """Probabilities of the last node of a path of class counts from the root."""
    for counts in reversed(path):
        if sum(counts):
            return [n / sum(counts) for n in counts]
    return [1 / n_classes] * n_classes


def plain_laplace(path, n_classes):
    counts = path[-1]
    return [(n + 1) / (sum(counts) + n_classes) for n in counts]


# alias, slow definition, worked numbers on WORKED_SPLITS
SPLITS = [
    ("gain", plain_gain, {"S1": 0.278072, "S3": 1.0, "S4": 0.789415, "S5": 0.007560, "S7": 0.257831}),
]

# alias, slow definition on a path, worked number: (leaf counts, estimate)
SMOOTHINGS = [
    ("none", plain_frequency, ([3, 0, 1], [0.75, 0.0, 0.25])),
    ("laplace", plain_laplace, ([3, 0, 1], [0.571429, 0.142857, 0.285714])),
]

# alias, number of leaves of the worked tree [[[12, 0], [3, 5]], [[1, 9], [6, 4]]] of 6 candidate tests
PRUNINGS = [
    ("none", 4),
]

BINNINGS = ["quantile", "exact", "entropy"]
