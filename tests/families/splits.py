"""Split scores: slow definitions and worked numbers."""

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


# alias, slow definition, worked numbers on WORKED_SPLITS
SPLITS = [
    ("gain", plain_gain, {"S1": 0.278072, "S3": 1.0, "S4": 0.789415, "S5": 0.007560, "S7": 0.257831}),
]
