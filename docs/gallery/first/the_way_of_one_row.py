"""
Why this answer?
================

Each test on the way of a row to its leaf moves the probability. The whiskers are 90% intervals.
"""

from petree import ProbabilityTreeClassifier
from petree.demo import make_loans
from petree.plotting import PathDisplay

loans, repaid = make_loans()
model = ProbabilityTreeClassifier(max_leaf_nodes=6).fit(loans, repaid)
row = {
    "income": [1300.0],
    "amount": [7000.0],
    "age": [33.0],
    "housing": ["rents"],
    "purpose": ["car"],
    "history": [None],
}
PathDisplay.from_estimator(model, row, label="yes")
