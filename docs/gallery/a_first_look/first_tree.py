"""
A first tree
============

Loans.
"""

from petree import ProbabilityTreeClassifier
from petree.demo import make_loans
from petree.plotting import plot_tree

loans, repaid = make_loans()
model = ProbabilityTreeClassifier().fit(loans, repaid)
print(model.export_text())

# %%
# The same tree as a picture.

plot_tree(model)
