"""
Several tables
==============

Customers and their orders: how many orders somebody has differs, so the second table has no place in the first. A test
asks about the rows behind an example, and what it found can be asked about again.
"""

import numpy as np

from petree import RelationalTreeClassifier
from petree.plotting import plot_tree
from petree.relational import Database

random = np.random.default_rng(0)
owner = np.repeat(np.arange(300), random.integers(0, 6, 300))
kind = random.choice(["book", "shoes", "phone"], len(owner))
price = random.lognormal(4, 0.6, len(owner)).round(2)
has_dear_phone = np.isin(np.arange(300), owner[(kind == "phone") & (price > 60)])
churned = np.where(random.random(300) < np.where(has_dear_phone, 0.15, 0.6), "yes", "no")

customer = {"id": np.arange(300), "age": random.integers(18, 80, 300), "churned": churned}
order = {"customer": owner, "kind": kind, "price": price}
database = Database({"customer": customer, "order": order}, links=["order.customer -> customer.id"])
model = RelationalTreeClassifier(database, "customer.churned", max_depth=3).fit(np.arange(300))
print(model.export_text())

# %%
# "That order (B)" is any of the orders that the test above has found.

axes = plot_tree(model)
axes.figure.set_size_inches(13, 3)

# %%
# Each node is a query that a database can run.

print(model.to_sql(1))
