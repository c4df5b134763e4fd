"""
In scikit-learn's pipelines and searches
========================================

The estimators follow scikit-learn's conventions to the letter: they can be cloned, searched and put in pipelines, and
parts of a part have names.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from petree import ProbabilityTreeClassifier
from petree.demo import make_loans
from petree.smoothing import MBranch


def add_ratio(table):
    """Years of income that a loan takes: a ratio is no threshold on either column."""
    return table.assign(ratio=table["amount"] / table["income"])


loans, repaid = make_loans(600)
tree = ProbabilityTreeClassifier(pruning="none", smoothing=MBranch(), min_samples_leaf=2)
pipeline = make_pipeline(FunctionTransformer(add_ratio), tree)
grid = {
    "probabilitytreeclassifier__smoothing__m": [1, 2, 4, 8, 16, 32, 64],
    "probabilitytreeclassifier__min_samples_leaf": [2, 8],
}
search = GridSearchCV(pipeline, grid, scoring="neg_log_loss", cv=3).fit(pd.DataFrame(loans), repaid)
found = pd.DataFrame(search.cv_results_)
print(search.best_params_)

_, axes = plt.subplots(layout="constrained")
for rows, part in found.groupby("param_probabilitytreeclassifier__min_samples_leaf"):
    m = part["param_probabilitytreeclassifier__smoothing__m"]
    axes.plot(m, -part["mean_test_score"], marker="o", label=f"leaves of {rows}")
axes.set(xlabel="m of the m-branch estimate", ylabel="log loss in cross-validation", xscale="log")
axes.legend(title="at least")

# %%
# ``MBranch("auto")`` does such a search by itself, on folds inside ``fit``.

print(tree.set_params(smoothing=MBranch("auto")).fit(add_ratio(pd.DataFrame(loans)), repaid).smoothing_)
