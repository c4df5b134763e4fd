"""
Missing values
==============

No imputation: at every split the missing values go along the branch where they fit better, and "is missing" is a test
of its own. Here people with little income leave it out more often, and the tree finds that out.
"""

import numpy as np

from petree import ProbabilityTreeClassifier
from petree.plotting import plot_tree

random = np.random.default_rng(0)
income = random.lognormal(7.8, 0.5, 2000).round(-1)
age = random.integers(19, 75, 2000).astype(float)
repaid = np.where(random.random(2000) < np.where(income < 2000, 0.4, 0.85), "yes", "no")
income[random.random(2000) < np.where(income < 2000, 0.5, 0.05)] = np.nan
age[random.random(2000) < 0.2] = np.nan

model = ProbabilityTreeClassifier(max_leaf_nodes=4).fit({"income": income, "age": age}, repaid)
plot_tree(model)

# %%
# A row without income is answered by what was learned of such rows, not by an income that nobody knows.

print(model.predict_proba({"income": [None, 1500.0, 4000.0], "age": [40.0, 40.0, None]}).round(3))
