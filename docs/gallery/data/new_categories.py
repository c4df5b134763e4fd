"""
Categories that training never saw
==================================

Unknown is not missing. A category never seen, or a value missing where none was missing in training, goes down no
branch by guess: the answer is the mean over the branches, by the rows that training sent down each.
"""

import matplotlib.pyplot as plt

from petree import ProbabilityTreeClassifier

homes = ["own"] * 60 + ["rent"] * 30 + ["parents"] * 10
repaid = ["yes"] * 54 + ["no"] * 6 + ["yes"] * 12 + ["no"] * 18 + ["yes"] * 5 + ["no"] * 5
model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace", tests="multiway").fit({"home": homes}, repaid)
print(model.export_text())

asked = ["own", "rent", "parents", "houseboat", None]
answers = model.predict_proba({"home": asked})[:, 1]
_, axes = plt.subplots(layout="constrained")
colours = ["C0"] * 3 + ["C1"] * 2
bars = axes.bar(["own", "rent", "parents", "houseboat\n(new)", "missing\n(new)"], answers, color=colours)
axes.bar_label(bars, fmt="%.2f")
axes.set(ylabel="P(repaid)", ylim=(0, 1))
