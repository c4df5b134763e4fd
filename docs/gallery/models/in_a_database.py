"""
Where the data are: SQL and others
==================================

A tree is written as a query that gives the leaf and the probabilities of every row, with the same numbers as
``predict_proba``. There are ONNX, plain Python, Treelite and others, too.
"""

import sqlite3

import matplotlib.pyplot as plt
import pandas as pd

from petree import ProbabilityTreeClassifier
from petree.demo import make_loans

loans, repaid = make_loans()
model = ProbabilityTreeClassifier(max_leaf_nodes=4).fit(loans, repaid)
query = model.to_sql(dialect="sqlite", table="loans", key="number")
print(query)

# %%
# SQLite answers as petree does.

database = sqlite3.connect(":memory:")
pd.DataFrame(loans).assign(number=range(600)).to_sql("loans", database, index=False)
found = pd.read_sql(query, database).sort_values("number")
ours = model.predict_proba(loans)[:, 1]
print("largest difference:", abs(found["P(yes)"] - ours).max())

_, axes = plt.subplots(layout="constrained")
axes.scatter(ours, found["P(yes)"])
axes.set(xlabel="predict_proba", ylabel="SQLite", title="P(yes) of 600 loans")
