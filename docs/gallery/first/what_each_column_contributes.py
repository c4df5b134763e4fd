"""
What each column contributes
============================

``explain`` tells of each row its path, the nearest row with another verdict, and the Shapley values of its columns: how
much each moves the probability away from the answer that knows nothing.
"""

import matplotlib.pyplot as plt

from petree import ProbabilityTreeClassifier
from petree.demo import make_loans

loans, repaid = make_loans()
model = ProbabilityTreeClassifier(max_leaf_nodes=6).fit(loans, repaid)
person = {"income": 1300.0, "amount": 7000.0, "age": 33.0, "housing": "rents", "purpose": "car", "history": None}
explanations = model.explain({name: [value] for name, value in person.items()})
print(explanations)

# %%
# As a picture, for the probability of "yes".

contributions = explanations.contributions[0, :, 1]
_, axes = plt.subplots(layout="constrained")
axes.barh(list(person), contributions, color=["C0" if value >= 0 else "C1" for value in contributions])
axes.axvline(0, color="black", linewidth=0.8)
axes.set(xlabel="contribution to P(yes)")
