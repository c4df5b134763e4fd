"""Trees with directions of columns (`monotonic_cst`) beside free ones: bits and leaves of the default tree.

    python -m lab.choices.directions            # the table of docs/constraints.md; some minutes

Three made tables whose directions are known. Each draw has its own rows to learn from, and 10,000 others.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lab.quality.scoring import measure
from petree import ProbabilityTreeClassifier

Numbers = NDArray[np.float64]
Make = Callable[[np.random.Generator, int], tuple[Numbers, Numbers]]

N_ROWS = (300, 1000, 4000)
N_ASKED = 10_000
# The rule for the size of constrained trees was chosen on draws of smaller numbers.
FIRST_DRAW = 200
HEAD = """\
| made table | rows | bits, free | bits, constrained | leaves, free | leaves, constrained |
|---|---|---|---|---|---|"""


def additive(random: np.random.Generator, n_rows: int) -> tuple[Numbers, Numbers]:
    """Four columns that act by themselves, and two that do nothing."""
    X = random.normal(size=(n_rows, 6))
    return X, 0.8 * X[:, 0] + 0.6 * X[:, 1] - 0.6 * X[:, 2] - 0.4 * X[:, 3]


def shifted(random: np.random.Generator, n_rows: int) -> tuple[Numbers, Numbers]:
    """A column whose effect a second one shifts, and a product of two others."""
    X = random.normal(size=(n_rows, 6))
    product = 2 * X[:, 2] * X[:, 3]
    return X, 2.0 * (X[:, 0] > X[:, 1]) + X[:, 0] + 2.5 * np.clip(product, -1, 1) - 1


def loans(random: np.random.Generator, n_rows: int) -> tuple[Numbers, Numbers]:
    """Income, debt, age and the number of earlier loans."""
    income = random.lognormal(10, 0.6, n_rows)
    debt = random.lognormal(8, 1, n_rows)
    age = random.integers(18, 80, n_rows).astype(float)
    earlier = random.integers(0, 5, n_rows).astype(float)
    odds = 1.2 * (np.log(income) - 10) - 0.6 * (np.log(debt) - 8) + 0.02 * (age - 45) - 0.5 * (earlier == 0) + 1
    return np.column_stack((income, debt, age, earlier)), odds


TABLES: dict[str, tuple[Make, list[int]]] = {
    "additive; directions of 4 columns, all right": (additive, [1, 1, -1, -1, 0, 0]),
    "a column whose effect a second one shifts, and a product of two others; direction of the first": (
        shifted,
        [1, 0, 0, 0, 0, 0],
    ),
    "loans; directions of income, debt and age": (loans, [1, -1, 1, 0]),
}


def draw(make: Make, random: np.random.Generator, n_rows: int) -> tuple[Numbers, NDArray[np.int64]]:
    """Rows, and their classes by the odds of the second one."""
    X, odds = make(random, n_rows)
    return X, (random.random(n_rows) < 1 / (1 + np.exp(-odds))).astype(int)


def compare(make: Make, signs: list[int], n_rows: int, seed: int) -> dict[tuple[str, str], float]:
    """Bits of other rows, and leaves, of both trees of one draw."""
    random = np.random.default_rng(seed)
    X, y = draw(make, random, n_rows)
    asked, truth = draw(make, random, N_ASKED)
    row = {}
    for kind, directions in (("free", None), ("constrained", signs)):
        model = ProbabilityTreeClassifier(monotonic_cst=directions, n_jobs=1).fit(X, y)
        row["bits", kind] = measure(truth, model.predict_proba(asked))["bits"]
        row["leaves", kind] = model.get_n_leaves()
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=6)
    draws = range(FIRST_DRAW, FIRST_DRAW + parser.parse_args().draws)
    print(HEAD)
    for name, (make, signs) in TABLES.items():
        for place, n_rows in enumerate(N_ROWS):
            means = pd.DataFrame([compare(make, signs, n_rows, seed) for seed in draws]).mean()
            cells = [f"{means['bits', kind]:.3f}" for kind in ("free", "constrained")]
            cells += [f"{means['leaves', kind]:.0f}" for kind in ("free", "constrained")]
            print(f"| {'' if place else name} | {n_rows:,} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
