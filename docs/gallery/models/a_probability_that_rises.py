"""
A probability that must rise
============================

What is known beforehand can be demanded: here that P(repaid) does not fall with income. In small tables the data say
otherwise here and there, by chance.
"""

import matplotlib.pyplot as plt
import numpy as np

from petree import ProbabilityTreeClassifier

random = np.random.default_rng(5)
income = random.uniform(1000, 5000, 200)
repaid = np.where(random.random(200) < 1 / (1 + np.exp(-(income - 2500) / 800)), "yes", "no")
asked = {"income": np.linspace(1000, 5000, 400)}

_, axes = plt.subplots(layout="constrained")
for name, constraint in {"free": None, "monotonic": {"income": 1}}.items():
    model = ProbabilityTreeClassifier(pruning="none", min_samples_leaf=8, monotonic_cst=constraint)
    axes.plot(asked["income"], model.fit({"income": income}, repaid).predict_proba(asked)[:, 1], label=name)
axes.plot(asked["income"], 1 / (1 + np.exp(-(asked["income"] - 2500) / 800)), "k--", linewidth=1, label="truth")
axes.set(xlabel="income", ylabel="P(repaid)", ylim=(0, 1))
axes.legend()
