"""
Randomisation tests against chi-square
======================================

Both ask whether a test could be due to chance. Chi-square believes a formula, and divides its level by the number of
tests that a node could choose from. RAND permutes the classes and looks what the best test of each permutation gains,
so that it knows what a search finds in noise.
"""

import matplotlib.pyplot as plt

from petree import ProbabilityTreeClassifier
from petree.demo import make_loans
from petree.metrics import log2_likelihood
from petree.pruning import Chi, Rand

new, outcome = make_loans(4000, seed=8)
rows = [150, 300, 600, 1200, 2400]
criteria = {"RAND": Rand(alpha=0.05), "chi-square": Chi(alpha=0.05), "none": "none"}
leaves = {name: [] for name in criteria}
bits = {name: [] for name in criteria}
for n_rows in rows:
    loans, repaid = make_loans(n_rows)
    for name, criterion in criteria.items():
        model = ProbabilityTreeClassifier(pruning=criterion, smoothing="laplace", random_state=0).fit(loans, repaid)
        leaves[name].append(model.get_n_leaves())
        bits[name].append(-log2_likelihood(outcome, model.predict_proba(new), model.classes_))

_, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for name in criteria:
    left.plot(rows, leaves[name], marker="o", label=name)
    right.plot(rows, bits[name], marker="o", label=name)
left.set(xlabel="training rows", ylabel="leaves", xscale="log", yscale="log")
right.set(xlabel="training rows", ylabel="bits per new row", xscale="log")
for axes in (left, right):
    axes.set_xticks(rows, rows)
    axes.minorticks_off()
left.legend()

# %%
# Every cut says why.

print(*model.set_params(pruning=criteria["RAND"]).fit(*make_loans(150)).why()[:3], sep="\n")
