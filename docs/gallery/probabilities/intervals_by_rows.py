"""
How sure is a leaf?
===================

The same share of one class, in leaves of more and more rows: the interval of its probability closes in. A leaf of a
grown tree was searched for, so that its rows are worth less than their number; how much less is measured on inner folds
(``certainty_``). This tree was given by its counts and nobody searched, so a row is worth a row.
"""

import matplotlib.pyplot as plt
import numpy as np

from petree import ProbabilityTreeClassifier

sizes = [4, 8, 16, 32, 64, 128, 256, 512]
place = np.repeat(np.arange(len(sizes)), sizes)
is_good = np.concatenate([np.arange(size) < 3 * size // 4 for size in sizes])
model = ProbabilityTreeClassifier(
    pruning="none", smoothing="m_estimate", tests="multiway", categorical_features=[0], max_depth=1
).fit(place.reshape(-1, 1), is_good)

rows = np.arange(len(sizes)).reshape(-1, 1)
probability = model.predict_proba(rows)[:, 1]
intervals = model.predict_interval(rows, level=0.9)

_, axes = plt.subplots(layout="constrained")
axes.fill_between(sizes, intervals.lower[:, 1], intervals.upper[:, 1], alpha=0.25, label="90% interval")
axes.plot(sizes, probability, marker="o", label="probability")
axes.axhline(0.75, color="grey", linestyle="--", linewidth=1, label="share in every leaf")
axes.set(xscale="log", xlabel="rows in the leaf", ylabel="P(good)", ylim=(0, 1))
axes.legend(loc="lower right")
