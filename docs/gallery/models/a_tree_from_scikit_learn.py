"""
A tree from scikit-learn, smoothed again
========================================

``Tree.from_sklearn`` takes a fitted ``DecisionTreeClassifier`` in. Its tests stay; its leaves may say something better
than 0 and 1.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

from petree import Tree
from petree.pruning import prune
from petree.smoothing import estimate

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
tree = Tree.from_sklearn(DecisionTreeClassifier(min_samples_leaf=2, random_state=0).fit(X, y))
leaves = np.flatnonzero(tree.is_leaf)
leaves = leaves[np.argsort(estimate("hierarchical", tree)[leaves, 1])]

_, axes = plt.subplots(figsize=(9, 4), layout="constrained")
for name, marker in {"none": "x", "laplace": "s", "hierarchical": "o", "bayes": "^"}.items():
    axes.plot(estimate(name, tree)[leaves, 1], marker, label=name)
axes.set_xticks(range(len(leaves)), tree.sizes[leaves])
axes.set(xlabel="leaves, by their number of rows", ylabel="P(benign)")
axes.legend(title="smoothing")

# %%
# Frequencies know two answers, whether a leaf has three rows or three hundred. Laplace's estimate looks at the number
# of rows, the others at the nodes above as well.
#
# The tree can be pruned, too.

print({name: prune(name, tree).n_leaves for name in ("none", "error_based", "bic", "mdl")})
