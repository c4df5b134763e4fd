"""
Sets of categories
==================

With ``tests="sets"`` a test asks whether a category is one of several. Where an effect depends on half of the
categories, tests of one category at a time need a long chain; with two classes the best of all sets is found.
"""

import numpy as np

from petree import ProbabilityTreeClassifier
from petree.plotting import plot_tree

random = np.random.default_rng(0)
towns = np.array(["Ath", "Bree", "Cork", "Delft", "Ely", "Faro", "Graz", "Hull", "Ives", "Jena"])
town = towns[random.integers(0, 10, 1500)]
price = random.normal(100, 20, 1500).round()
is_bought = random.random(1500) < np.where(np.isin(town, towns[::2]), 0.7, 0.25) - (price - 100) / 200
table = {"town": town, "price": price}

single = ProbabilityTreeClassifier().fit(table, is_bought)
sets = ProbabilityTreeClassifier(tests="sets").fit(table, is_bought)
print(f"one category a test: {single.get_n_leaves()} leaves, sets: {sets.get_n_leaves()} leaves")
plot_tree(ProbabilityTreeClassifier(tests="sets", max_leaf_nodes=5).fit(table, is_bought))
