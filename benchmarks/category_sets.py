"""Sets of categories beside single ones (`tests="sets"`, `tests="binary"`): bits and leaves of the default tree.

    PETREE_DATA=... python benchmarks/category_sets.py chosen     # every second set that has something to choose
    PETREE_DATA=... python benchmarks/category_sets.py others

Only data sets with a nominal column of `LEAST_CATEGORIES` or more values are looked at: on others both find nearly the
same tests. Rows are those of the quality benchmark.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd
from quality_data import FrameSet, find_folder, list_sets, load, shuffled_folds
from quality_scoring import measure

from petree import ProbabilityTreeClassifier

LEAST_CATEGORIES = 5
TESTS = ("binary", "sets")
HALVES = ("chosen", "others")


def has_many(data: FrameSet) -> bool:
    """Whether some nominal column has enough values."""
    nominal = data.columns.select_dtypes("category")
    return any(len(nominal[name].cat.categories) >= LEAST_CATEGORIES for name in nominal)


def of_half(folder: Path, half: str) -> list[FrameSet]:
    """Every second one of the data sets with many categories."""
    sets = [data for data in (load(folder, name) for name in list_sets(folder)) if has_many(data)]
    return sets[HALVES.index(half) :: 2]


def compare(data: FrameSet, seeds: list[int]) -> pd.DataFrame:
    """Measures of both kinds of tests, a row per fold."""
    rows = []
    for trial in shuffled_folds(data, seeds):
        learn, y = trial.train
        test, truth = trial.test
        for tests in TESTS:
            start = time.perf_counter()
            model = ProbabilityTreeClassifier(tests=tests, n_jobs=1)
            model.fit(learn, y, classes=data.classes)
            seconds = time.perf_counter() - start
            bits = measure(truth, model.predict_proba(test))["bits"]
            rows.append({"tests": tests, "bits": bits, "leaves": model.tree_.n_leaves, "seconds": seconds})
    return pd.DataFrame(rows)


def show(name: str, numbers: pd.DataFrame) -> None:
    cells = [f"{numbers.loc[tests, what]:9.4f}" for what in ("bits", "leaves", "seconds") for tests in TESTS]
    print(f"{name:24s}{''.join(cells)}{numbers.loc['sets', 'bits'] - numbers.loc['binary', 'bits']:+9.4f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("half", choices=HALVES)
    parser.add_argument("--seeds", type=int, default=2, help="repetitions of the cross-validation")
    asked = parser.parse_args()
    print(f"{'':24s}" + "".join(f"{word:>18s}" for word in ("bits", "leaves", "seconds")) + f"{'bits':>9s}")
    print(f"{'':24s}" + "".join(f"{tests:>9s}" for tests in TESTS) * 3 + f"{'sets -':>9s}")
    means = []
    for data in of_half(find_folder(), asked.half):
        means.append(compare(data, list(range(asked.seeds))).groupby("tests").mean())
        show(data.name, means[-1])
    together = pd.concat(means)
    show("mean", together.groupby("tests").mean())
    better = np.sign(together.loc["sets", "bits"].to_numpy() - together.loc["binary", "bits"].to_numpy())
    print(f"sets better {np.sum(better < 0)}, equal {np.sum(better == 0)}, worse {np.sum(better > 0)}")


if __name__ == "__main__":
    main()
