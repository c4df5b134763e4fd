"""
Rare classes: weights and costs
===============================

A class weight steers how the tree grows and what ``predict`` answers. The probabilities stay true to the data, so that
a decision by costs needs no second model: say "no" whenever the expected loss is smaller.
"""

import matplotlib.pyplot as plt
import numpy as np

from petree import ProbabilityTreeClassifier
from petree.demo import make_loans

loans, repaid = make_loans(1500)
new, outcome = make_loans(4000, seed=8)
plain = ProbabilityTreeClassifier(max_leaf_nodes=20).fit(loans, repaid)
weighted = ProbabilityTreeClassifier(max_leaf_nodes=20, class_weight={"no": 5, "yes": 1}).fit(loans, repaid)
for name, model in {"plain": plain, "weighted": weighted}.items():
    answers = model.predict(new)
    print(f"{name:8} mean P(no) {model.predict_proba(new)[:, 0].mean():.3f}, says no to {np.mean(answers == 'no'):.3f}")
print(f"in fact no {np.mean(outcome == 'no'):.3f}")

# %%
# A loan that is not repaid costs five times what a repaid one earns. Lend where P(yes) is above a threshold; the best
# one follows from the costs: 5 / (5 + 1).

p_yes = plain.predict_proba(new)[:, 1]
thresholds = np.linspace(0, 1, 101)
profit = [np.where(outcome == "yes", 1, -5)[p_yes >= threshold].sum() for threshold in thresholds]

_, axes = plt.subplots(layout="constrained")
axes.plot(thresholds, profit)
axes.axvline(5 / 6, color="grey", linestyle="--", linewidth=1, label="5 / (5 + 1)")
axes.axvline(1 / 2, color="grey", linestyle=":", linewidth=1, label="as predict does")
axes.set(xlabel="lend where P(yes) is at least", ylabel="profit on 4000 new loans")
axes.legend()
