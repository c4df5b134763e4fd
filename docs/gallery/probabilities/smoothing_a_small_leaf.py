"""
What a small leaf may say
=========================

Three of three: is the probability 1? Each smoothing has its own answer. Those that look at the nodes above the leaf
know that the class is rare there.
"""

import matplotlib.pyplot as plt

from petree import Tree
from petree.smoothing import estimate

# 100 rows, 10 of class "yes"; on the way to the leaf a node of 8 yes and 12 no.
tree = Tree.from_counts([[[3, 0], [5, 12]], [2, 78]], classes=["yes", "no"])
leaf = int(tree.counts[:, 1].argmin())
print("the leaf has", tree.counts[leaf].tolist())

names = ["none", "laplace", "m_estimate", "curtailment", "shrinkage", "m_branch", "hierarchical", "bayes"]
answers = [float(estimate(name, tree)[leaf, 0]) for name in names]

_, axes = plt.subplots(layout="constrained")
bars = axes.barh(names[::-1], answers[::-1])
axes.bar_label(bars, fmt="%.2f", padding=3)
axes.axvline(0.1, color="black", linestyle="--", linewidth=1, label="share of yes in all rows")
axes.set(xlim=(0, 1.1), xlabel="P(yes) in a leaf of three yes")
axes.legend(loc="lower right")
