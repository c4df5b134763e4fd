"""The picture of the README: ``python docs/pictures/loans.py``."""

from pathlib import Path

from petree import ProbabilityTreeClassifier, plot_tree
from petree.demo import make_loans

model = ProbabilityTreeClassifier(max_leaf_nodes=6).fit(*make_loans())
plot_tree(model).figure.savefig(Path(__file__).with_suffix(".png"), dpi=110)
