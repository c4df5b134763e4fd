"""
Which columns matter?
=====================

``feature_importances_`` says how many bits the tests of a column save on the training rows. Permutation importances ask
new rows. Tests were chosen on the training rows, so that there even a column of noise may seem to matter a little; on
new rows it does not.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.inspection import permutation_importance

from petree import ProbabilityTreeClassifier
from petree.demo import make_loans

random = np.random.default_rng(0)
tables = [pd.DataFrame(make_loans(1000, seed=seed)[0]).assign(noise=random.random(1000)) for seed in (1, 2)]
classes = [make_loans(1000, seed=seed)[1] for seed in (1, 2)]
model = ProbabilityTreeClassifier(max_leaf_nodes=15).fit(tables[0], classes[0])
permuted = permutation_importance(model, tables[1], classes[1], scoring="roc_auc", n_repeats=5, random_state=0)

_, (left, right) = plt.subplots(1, 2, figsize=(10, 3.5), layout="constrained", sharey=True)
left.barh(model.feature_names_in_, model.feature_importances_)
left.set(xlabel="share of the bits saved in training")
right.barh(model.feature_names_in_, permuted.importances_mean, xerr=permuted.importances_std)
right.set(xlabel="AUC lost on new rows when permuted")
