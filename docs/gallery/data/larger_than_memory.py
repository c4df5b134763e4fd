"""
More rows than memory holds
===========================

A folder of Parquet files is coded once, one byte a value, and the tree is grown from the codes part by part. Here it
may take a megabyte; the tree is the one of all rows in memory, and so the picture does not tell which way it came.
"""

import tempfile
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet

from petree import ProbabilityTreeClassifier, code_files
from petree.partitions import use
from petree.plotting import plot_tree

kept = tempfile.TemporaryDirectory()
place = Path(kept.name)
(place / "loans").mkdir()
random = np.random.default_rng(0)
for month in range(6):
    income = random.lognormal(8, 0.4, 5000).round()
    home = random.choice(["own", "rent", "parents"], 5000)
    chance = np.where(income < 2200, 0.55, np.where(home == "rent", 0.8, 0.93))
    rows = {"income": income, "home": home, "repaid": random.random(5000) < chance}
    pyarrow.parquet.write_table(pyarrow.table(rows), place / "loans" / f"{month}.parquet")

codes = code_files(place / "loans", "repaid", place / "codes", memory="256MB")
with use(memory="1MB"):
    model = ProbabilityTreeClassifier(max_leaf_nodes=4).fit(codes)
plot_tree(model)

# %%
# The files and the budget, beside the same tree of all rows in memory.

size = sum(part.stat().st_size for part in (place / "codes" / "parts").iterdir())
print(f"{codes.n_rows} rows in {len(codes.parts)} parts, {size / 1e6:.1f} MB of codes")
with use(memory="1GB"):
    whole = ProbabilityTreeClassifier(max_leaf_nodes=4).fit(codes)
print(whole.export_text() == model.export_text())

# %%
# New files are answered some rows at a time.

answers = np.concatenate(list(model.predict_batches(place / "loans")))
print(answers.shape, answers.mean(axis=0).round(3))
kept.cleanup()
