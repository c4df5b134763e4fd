"""
Do things happen as often as they are said to?
==============================================

An unpruned tree says 0 and 1, and is wrong about both. Laplace's estimate helps a little; the default, which chooses a
size and smooths towards the nodes above, says what happens.
"""

import matplotlib.pyplot as plt

from petree import ProbabilityTreeClassifier
from petree.demo import make_loans
from petree.plotting import ReliabilityDisplay

loans, repaid = make_loans(1500)
new, outcome = make_loans(6000, seed=8)
trees = {
    "frequencies": ProbabilityTreeClassifier(pruning="none", smoothing="none"),
    "Laplace": ProbabilityTreeClassifier(pruning="none", smoothing="laplace"),
    "default": ProbabilityTreeClassifier(),
}
_, all_axes = plt.subplots(1, 3, figsize=(13, 4.6), layout="constrained")
for axes, (name, model) in zip(all_axes, trees.items(), strict=True):
    shown = ReliabilityDisplay.from_estimator(model.fit(loans, repaid), new, outcome, label="yes", ax=axes)
    axes.set_title(f"{name}: error {shown.error:.3f}")
