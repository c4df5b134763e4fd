"""
Only what was known at the time
===============================

Whether a patient is admitted is to be foretold on the day of the example. Visits of later days would tell the answer.
With ``time`` an example sees no row of a later time than its own.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import cross_val_score

from petree import RelationalTreeClassifier
from petree.relational import Database

random = np.random.default_rng(0)
until = random.integers(100, 200, 400)
admitted = random.random(400) < 0.4
owner = np.repeat(np.arange(400), 4)
day = random.integers(0, 300, len(owner))
is_late = day > until[owner]
# After an admission there are visits to the ward; before it fever is a little more frequent.
kind = np.where(is_late & admitted[owner], "ward", random.choice(["fever", "check"], len(owner)))
kind[~is_late & admitted[owner] & (random.random(len(owner)) < 0.4)] = "fever"

patient = {"id": np.arange(400), "until": until, "admitted": np.where(admitted, "yes", "no")}
visit = {"patient": owner, "day": day, "kind": kind}
links = ["visit.patient -> patient.id"]
scores = {}
for name, time in {"all visits": None, "visits up to the day": {"patient": "until", "visit": "day"}}.items():
    database = Database({"patient": patient, "visit": visit}, links=links, time=time)
    model = RelationalTreeClassifier(database, "patient.admitted")
    scores[name] = cross_val_score(model, np.arange(400), patient["admitted"], cv=3, scoring="roc_auc").mean()
print(scores)

_, axes = plt.subplots(layout="constrained")
axes.bar_label(axes.bar(list(scores), list(scores.values())), fmt="%.2f")
axes.set(ylabel="AUC in cross-validation", ylim=(0.4, 1.05), title="What looks into the future looks too good")
