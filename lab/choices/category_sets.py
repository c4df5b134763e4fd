"""Sets of categories beside single ones (`tests="sets"`, `tests="binary"`): bits and leaves of the default tree.

    PETREE_DATA=... python -m lab.choices.category_sets chosen     # every second set with something to choose
    PETREE_DATA=... python -m lab.choices.category_sets others
    PETREE_DATA=... python -m lab.choices.category_sets all        # the table of docs/guide/categories.md

Only data sets with a nominal column of `LEAST_CATEGORIES` or more values are looked at: on others both find nearly the
same tests. Rows are those of the quality benchmark.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lab.quality.data import FrameSet, find_folder, list_sets, load, shuffled_folds
from lab.quality.scoring import measure
from petree import ProbabilityTreeClassifier

LEAST_CATEGORIES = 5
TESTS = ("binary", "sets")
HALVES = {"chosen": slice(0, None, 2), "others": slice(1, None, 2), "all": slice(None)}
# A difference of so many standard errors over the folds is called one.
CLEAR = 2
HEAD = """\
| set | rows | bits, `x = v` | bits, sets | difference | leaves, `x = v` | leaves, sets |
|---|---|---|---|---|---|---|"""


def has_many(data: FrameSet) -> bool:
    """Whether some nominal column has enough values."""
    nominal = data.columns.select_dtypes("category")
    return any(len(nominal[name].cat.categories) >= LEAST_CATEGORIES for name in nominal)


def of_half(folder: Path, half: str) -> list[FrameSet]:
    """Every second one of the data sets with many categories, or all of them."""
    sets = [data for data in (load(folder, name) for name in list_sets(folder)) if has_many(data)]
    return sets[HALVES[half]]


def compare(data: FrameSet, seeds: list[int]) -> pd.DataFrame:
    """Bits and leaves of both kinds of tests, a row per fold."""
    rows = []
    for trial in shuffled_folds(data, seeds):
        learn, y = trial.train
        test, truth = trial.test
        row = {}
        for tests in TESTS:
            model = ProbabilityTreeClassifier(tests=tests, n_jobs=1)
            model.fit(learn, y, classes=data.classes)
            row["bits", tests] = measure(truth, model.predict_proba(test))["bits"]
            row["leaves", tests] = model.tree_.n_leaves
        rows.append(row)
    return pd.DataFrame(rows)


def verdict(measured: pd.DataFrame) -> int:
    """-1 where sets have clearly fewer bits, 1 where they have more, 0 where folds do not tell."""
    differences = measured["bits", "sets"] - measured["bits", "binary"]
    error = differences.std() / np.sqrt(len(differences))
    return int(np.sign(differences.mean())) if abs(differences.mean()) > CLEAR * error else 0


def repetitions(measured: list[pd.DataFrame], n_repetitions: int) -> NDArray[np.float64]:
    """What sets add to the bits in each repetition of the cross-validation, in the mean over the data sets."""
    differences = [(one["bits", "sets"] - one["bits", "binary"]).to_numpy() for one in measured]
    return np.reshape(differences, (len(measured), n_repetitions, -1)).mean(axis=(0, 2))


def show(name: str, n_rows: int, measured: pd.DataFrame) -> None:
    """A row of the table; a difference that the folds make clear is bold."""
    means = measured.mean()
    difference = f"{means['bits', 'sets'] - means['bits', 'binary']:+.3f}"
    shown = f"**{difference}**" if verdict(measured) else difference
    bits = " | ".join(f"{means['bits', tests]:.3f}" for tests in TESTS)
    leaves = " | ".join(f"{means['leaves', tests]:.0f}" for tests in TESTS)
    print(f"| {name} | {n_rows:,} | {bits} | {shown} | {leaves} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("half", choices=HALVES)
    parser.add_argument("--seeds", type=int, default=2, help="repetitions of the cross-validation")
    asked = parser.parse_args()
    print(HEAD)
    found = []
    for data in of_half(find_folder(), asked.half):
        measured = compare(data, list(range(asked.seeds)))
        show(data.name, len(data.columns), measured)
        found.append(measured)
    verdicts = [verdict(measured) for measured in found]
    together = pd.DataFrame([measured.mean() for measured in found])
    fewer = together["leaves", "sets"] < together["leaves", "binary"]
    lower = together["bits", "sets"] < together["bits", "binary"]
    print(f"\nclearly better {verdicts.count(-1)}, clearly worse {verdicts.count(1)}, of {len(verdicts)} sets;")
    added = repetitions(found, asked.seeds)
    error = added.std(ddof=1) / np.sqrt(len(added)) if len(added) > 1 else np.nan
    print(f"bits that sets add: {added.mean():+.4f} +- {error:.4f} over the repetitions, in {len(added)} of which they")
    print(f"have fewer {(added < 0).sum()} times;")
    print(f"fewer bits in {lower.sum()}, fewer leaves in {fewer.sum()}; means:\n{together.mean().to_string()}")


if __name__ == "__main__":
    main()
