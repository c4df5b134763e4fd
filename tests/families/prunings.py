"""Pruning criteria: worked numbers."""

# alias, number of leaves of the worked tree [[[12, 0], [3, 5]], [[1, 9], [6, 4]]] of 6 candidate tests
PRUNINGS = [
    ("none", 4),
]
