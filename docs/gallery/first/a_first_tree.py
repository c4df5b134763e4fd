"""
A first tree
============

A table of loans: numbers, text and missing values, taken as they are. At most six leaves, so that the tree can be read
at a glance.
"""

from petree import ProbabilityTreeClassifier
from petree.demo import make_loans
from petree.plotting import plot_tree

loans, repaid = make_loans()
model = ProbabilityTreeClassifier(max_leaf_nodes=6).fit(loans, repaid)
print(model.export_text())

# %%
# The numbers beside a node are the shares of the classes among its training rows. What a leaf answers is written behind
# it, and is more careful than the share: a leaf of few rows is drawn towards the nodes above it.
#
# The same tree as a picture: lines are as wide as their part of the rows, and bars are the probabilities.

plot_tree(model)
