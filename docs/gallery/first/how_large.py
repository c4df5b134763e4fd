"""
How large should a tree be?
===========================

The default asks cases that were left out of growing: for each size, how many bits does it cost to tell their classes?
Doubling the leaves must save 1.5% of them, or 4.5% of the gain. Any other size is there without fitting again.
"""

from petree import ProbabilityTreeClassifier
from petree.demo import make_loans
from petree.plotting import SizeDisplay

loans, repaid = make_loans()
model = ProbabilityTreeClassifier().fit(loans, repaid)
SizeDisplay.from_estimator(model)

# %%
# Here the curve is flat from five leaves on: the fewest bits, at 78 leaves, are hardly fewer.

bits = dict(zip(model.sizes_.n_leaves, model.sizes_.bits, strict=True))
for n_leaves in (1, 3, 5, 20, 78):
    print(f"{n_leaves:3} leaves: {bits[n_leaves]:.3f} bits")

# %%
print(*model.rules(), sep="\n")
