"""The systems and the protocol of Ferri, Flach and Hernandez-Orallo (2003).

All trees are multiway trees of the preset "smiles". The paper does not say everything:

* The AUC of several classes is called that of Hand and Till. The printed cells agree with another: each pair of classes
  is ranked by p_i / (p_i + p_j). `measuring` has both beside what is printed.
* "Quite similar to C4.5" leaves open where numbers may be cut. Without the restrictions of C4.5's release 8 the cells
  agree better; `RELEASE_8` has trees with them.
* Accuracy is that of the leaves' majorities: Table 8 prints one figure for three smoothings.
* "Split smoothing", the estimate by which tests are scored, was the one that gives better results. Here MAUC and MSEE
  score by Laplace's; `FREQUENCIES` has the two by frequencies, as the classical scores are, and Table 7 shows both.
* How many children were penalised stands in a report that could not be found; `petree.splitting` divides by the split
  information.
* The definition of CardPerClass is misprinted; `petree.pruning.CardPerClass` lists its readings. Two of them require a
  number of cases per class, 2K or K / 2, so that they are the same trees on two scales of K. K / 2 is used here: it is
  the printed formula for two classes, and at K = 1 it loses no accuracy and no AUC, as in Table 8.
* "Expected Error Pruning" is taken for minimum-error pruning.
"""

from __future__ import annotations

from typing import Any

from lab.experiments.methods import Method
from lab.experiments.summary import Summary
from lab.papers.printed import Cells, read
from petree.pruning import CardPerClass
from petree.smoothing import MEstimate
from petree.splitting import MAUC, MSEE, GainRatio
from petree.systems import presets

RUNS = 20
FOLDS = 5
AUC = "pairwise_auc"
ACCURACY = "leaf_accuracy"
SMILES = presets["smiles"].parameters
SMOOTHINGS: dict[str, Any] = {
    "none": "none",
    "laplace": "laplace",
    "m_estimate": MEstimate(m=4.0),
    "m_branch": SMILES["smoothing"],
}
# The smoothings that the tables put in order.
ORDER = ("none", "laplace", "m_branch")
# C4.5's criterion is the first; the classical ones come before the paper's own.
CLASSICAL: dict[str, Any] = {"C4.5": SMILES["split"], "GAIN": "gain", "MGINI": "gini", "DKM": "dkm"}
SPLITS: dict[str, Any] = {**CLASSICAL, "MAUC": MAUC(laplace=True), "MSEE": presets["smiles-msee"].parameters["split"]}
RELEASE_8: dict[str, Any] = {"C4.5 release 8": GainRatio()}
FREQUENCIES: dict[str, Any] = {"MAUC by frequencies": MAUC(), "MSEE by frequencies": MSEE()}
# Minimum number of cases per class of a node that is split: K of CardPerClass from 1 to 64, or from 1/4 to 16.
CASES_PER_CLASS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
# K per number of cases per class in the two readings, and the reading that decides.
READINGS = {"Card / c < 2K": 0.5, "Card < Kc / 2": 2.0}
READING = "Card < Kc / 2"

CLASSICAL_PRUNINGS = {"minimum error": "minimum_error", "pessimistic": "pessimistic"}
CARDS = {f"K={k:g}": CardPerClass(k, reading="Kc/2") for k in (READINGS[READING] * cases for cases in CASES_PER_CLASS)}
PRUNINGS: dict[str, Any] = {"": "none", **CLASSICAL_PRUNINGS, **CARDS}
PRUNED_SMOOTHINGS = ("none", "laplace", "m_branch")


def method_name(split: str = "C4.5", smoothing: str = "m_branch", pruning: str = "") -> str:
    return " + ".join(part for part in (split, smoothing, pruning) if part)


def methods() -> list[Method]:
    """All systems: the smoothings and classical prunings on C4.5's trees, the splits, and CardPerClass on MSEE's."""
    chosen = [("C4.5", smoothing, "") for smoothing in SMOOTHINGS]
    chosen += [(split, smoothing, "") for split in RELEASE_8 for smoothing in ORDER]
    chosen += [(split, "m_branch", "") for split in (*SPLITS, *FREQUENCIES) if split != "C4.5"]
    chosen += [("MSEE", "m_branch", card) for card in CARDS]
    chosen += [("C4.5", smoothing, pruning) for pruning in CLASSICAL_PRUNINGS for smoothing in PRUNED_SMOOTHINGS]
    return [_method(*parts) for parts in chosen]


def _method(split: str, smoothing: str, pruning: str) -> Method:
    score = (SPLITS | RELEASE_8 | FREQUENCIES)[split]
    estimator = presets["smiles"](split=score, smoothing=SMOOTHINGS[smoothing], pruning=PRUNINGS[pruning])
    return Method(method_name(split, smoothing, pruning), estimator)


def groups(summary: Summary) -> dict[str, Summary]:
    """The results on sets of two classes, of more, and on all, where there are any."""
    n_classes = {row["data_set"]: row["n_classes"] for row in read("ferri_sets")}
    names = {
        "two-class": [name for name in summary.data_sets if n_classes[name] == 2],
        "multi-class": [name for name in summary.data_sets if n_classes[name] > 2],
        "all": list(summary.data_sets),
    }
    return {group: summary.of_sets(members) for group, members in names.items() if members}


def percents(summary: Summary, measure: str = AUC) -> Cells:
    """Means of a measure in percent, data sets x methods."""
    return Cells(summary.data_sets, summary.methods, 100 * summary.means(measure), higher_is_better=True)


def leaves(summary: Summary) -> dict[str, float]:
    """Geometric mean of the number of leaves, which the paper calls rules, of each method."""
    return Cells(summary.data_sets, summary.methods, summary.means("leaves"), False).geometric_means()
