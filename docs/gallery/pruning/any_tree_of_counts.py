"""
One tree, all criteria
======================

A criterion needs no estimator: a tree of counts will do. Here the criteria that go by counts alone prune the same
unpruned tree of loans.
"""

import matplotlib.pyplot as plt

from petree import ProbabilityTreeClassifier
from petree.demo import make_loans
from petree.pruning import prune

tree = ProbabilityTreeClassifier(pruning="none").fit(*make_loans(1000)).tree_
names = [
    "none",
    "safe",
    "error_based",
    "pessimistic",
    "minimum_error",
    "smoothed",
    "bic",
    "chi",
    "quinlan_rivest",
    "mdl",
]
leaves = [prune(name, tree).n_leaves for name in names]

_, axes = plt.subplots(layout="constrained")
axes.bar_label(axes.barh(names[::-1], leaves[::-1]), padding=3)
axes.set(xlabel="leaves", xscale="log", xlim=(1, 600))
