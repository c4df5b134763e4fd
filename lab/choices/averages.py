"""Ways to average over trees, side by side: bits, accuracy and Brier score, means over ten sets.

PETREE_DATA=... python -m lab.choices.averages      some minutes
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.progress import track

from lab.choices.anytime import SETS
from lab.experiments.report.tables import Table
from lab.quality.data import find_folder, load, shuffled_folds
from lab.quality.scoring import measure
from petree import OptionTreeClassifier, presets

MOST_ROWS = 1000
MEASURES = ("bits", "accuracy", "brier")

METHODS: dict[str, Callable[[], Any]] = {
    "one whole tree": lambda: presets["kwok-carter"](max_options=1),
    "its prunings (ind-bayes)": presets["ind-bayes"],
    "kwok-carter": presets["kwok-carter"],
    "kwok-carter, by posterior": lambda: presets["kwok-carter"](weights="posterior"),
    "ind-option-1": presets["ind-option-1"],
    "ind-option-1, by information": lambda: presets["ind-option-1"](weights="information"),
    "ind-option-1, evenly": lambda: presets["ind-option-1"](weights="even"),
    "default option trees": OptionTreeClassifier,
}


def score(name: str) -> dict[str, list[float]]:
    """Means over the folds of a set, by method."""
    data = load(find_folder(), name, MOST_ROWS)
    found: dict[str, list[list[float]]] = {method: [] for method in METHODS}
    for trial in shuffled_folds(data, [0]):
        learn, y = trial.train
        test, truth = trial.test
        for method, make in METHODS.items():
            measured = measure(truth, make().fit(learn, y, classes=data.classes).predict_proba(test))
            found[method].append([measured[one] for one in MEASURES])
    return {method: np.mean(folds, axis=0).tolist() for method, folds in found.items()}


def main() -> None:
    warnings.filterwarnings("ignore", "The tree has depth")
    sets = [score(name) for name in track(SETS, transient=True)]
    rows = []
    for method in METHODS:
        means = np.mean([one[method] for one in sets], axis=0)
        rows.append([method, *(f"{value:.3f}" for value in means)])
    note = f"Means over {len(SETS)} sets of at most {MOST_ROWS} rows, five folds."
    print(Table("Averages over trees", ("method", *MEASURES), rows, note).to_markdown())


if __name__ == "__main__":
    main()
