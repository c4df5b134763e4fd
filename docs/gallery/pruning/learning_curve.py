"""
More rows, more tree
====================

The default grows with what the data can prove: a single leaf, then the strong effects, then the weak ones. A tree
without pruning has a leaf for every few rows, however many there are.
"""

import matplotlib.pyplot as plt

from petree import ProbabilityTreeClassifier
from petree.demo import make_loans
from petree.metrics import auc

new, outcome = make_loans(4000, seed=99)
rows = [50, 100, 200, 400, 800, 1600, 3200]
trees = {
    "default": ProbabilityTreeClassifier(),
    "unpruned, Laplace": ProbabilityTreeClassifier(pruning="none", smoothing="laplace"),
}
_, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for name, model in trees.items():
    leaves = []
    areas = []
    for n_rows in rows:
        model.fit(*make_loans(n_rows))
        leaves.append(model.get_n_leaves())
        areas.append(auc(outcome, model.predict_proba(new), model.classes_))
    left.plot(rows, leaves, marker="o", label=name)
    right.plot(rows, areas, marker="o", label=name)
left.set(xlabel="training rows", ylabel="leaves", xscale="log", yscale="log")
right.set(xlabel="training rows", ylabel="AUC on new rows", xscale="log")
left.legend()
