"""
An option tree beside a forest
==============================

An option tree keeps several tests a node and answers by the mean over all trees it contains, each by its posterior
probability. It is to a single tree what a forest is, with a most probable tree to read.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

from petree import OptionTreeClassifier, ProbabilityTreeClassifier
from petree.metrics import log2_likelihood
from petree.plotting import plot_tree

cells = load_breast_cancer(as_frame=True)
named = cells.target.map({0: "malignant", 1: "benign"})
X_train, X_test, y_train, y_test = train_test_split(cells.data, named, test_size=0.4, random_state=0)
models = {
    "one tree": ProbabilityTreeClassifier(),
    "option tree": OptionTreeClassifier(n_searches=15, random_state=0),
    "forest of 100": RandomForestClassifier(100, random_state=0),
}
bits = {}
for name, model in models.items():
    model.fit(X_train, y_train)
    bits[name] = -log2_likelihood(y_test, model.predict_proba(X_test), model.classes_)

_, axes = plt.subplots(layout="constrained")
axes.bar_label(axes.bar(list(bits), list(bits.values())), fmt="%.3f")
axes.set(ylabel="bits per test row")

# %%
# The most probable tree of at most five leaves.

plot_tree(models["option tree"].summary(max_leaves=5))
