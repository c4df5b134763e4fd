"""
Noise is a single leaf
======================

Twenty columns of random numbers, and classes drawn without a look at them. A tree that grows until its leaves are pure
finds structure in every table. The default finds that there is none.
"""

import matplotlib.pyplot as plt
import numpy as np

from petree import ProbabilityTreeClassifier
from petree.metrics import log2_likelihood

random = np.random.default_rng(0)
rows = [100, 200, 400, 800, 1600]
leaves = {"none": [], "error_based": [], "default": []}
for n_rows in rows:
    X = random.random((n_rows, 20))
    y = random.random(n_rows) < 0.3
    for pruning, sizes in leaves.items():
        sizes.append(ProbabilityTreeClassifier(pruning=pruning, random_state=0).fit(X, y).get_n_leaves())
print(leaves)

_, axes = plt.subplots()
for pruning, sizes in leaves.items():
    axes.plot(rows, sizes, marker="o", label=f'pruning="{pruning}"')
axes.set(xlabel="rows of noise", ylabel="leaves", xscale="log", yscale="log")
axes.legend()

# %%
# What those leaves cost on new rows, in bits.

X_new = random.random((5000, 20))
y_new = random.random(5000) < 0.3
for pruning in leaves:
    model = ProbabilityTreeClassifier(pruning=pruning, random_state=0).fit(X, y)
    print(f"{pruning:12} {-log2_likelihood(y_new, model.predict_proba(X_new), model.classes_):.3f}")
