"""Write `rpart_trees.csv`: the trees that R's rpart grows from 11 data sets, with surrogates and sets of categories.

It needs R with the package rpart (Debian: r-cran-rpart), and the data sets (PETREE_DATA). The table was made with rpart
4.1.19. "full" has leaves of a row, "small" ones of seven, and "pruned" is the full one at cp = 0.01.

python tests/reference/make_rpart_trees.py
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))  # so that the script runs from anywhere

from tests.reference.trees import LEAF, TreeFacts, category_codes, class_codes, load, node_parts, write_facts

from lab.experiments.data import DataSet

FILE = Path(__file__).with_name("rpart_trees.csv")
SCRIPT = Path(__file__).with_name("rpart_trees.R")
# Least rows of a leaf, and the complexity at which the tree is pruned.
OPTIONS = {"full": ("1", "0"), "small": ("7", "0"), "pruned": ("1", "0.01")}
SETS = (
    "pima_diabetes", "liver_bupa", "ionosphere", "tic_tac_toe", "car", "german_credit",
    "australian_credit", "heart_cleveland", "annealing", "hepatitis", "horse_colic",
)  # fmt: skip


def write_table(data: DataSet, path: Path) -> None:
    """The table with columns, categories and classes by number, which R sorts as petree does."""
    columns = []
    for values in data.columns.values():
        if values.dtype == object:
            columns.append(["" if code is None else f"v{code:03}" for code in category_codes(values)])
        else:
            columns.append(["" if np.isnan(value) else repr(float(value)) for value in values])
    columns.append([f"c{code:03}" for code in class_codes(data)])
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"a{number}" for number in range(len(data.columns))), "y"])
        writer.writerows(zip(*columns, strict=True))


def facts_of(data: DataSet, name: str) -> TreeFacts:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        write_table(data, path)
        command = ["Rscript", str(SCRIPT), str(path), *OPTIONS[name]]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = [line.split() for line in text.splitlines()]
    nodes = [line[1:] for line in lines if line[0] == "node"]
    columns = [LEAF if column == "<leaf>" else int(column[1:]) for column, *_ in nodes]
    counts = [[round(float(count)) for count in counts] for _, *counts in nodes]
    given = np.array([float(line[1]) for line in lines if line[0] == "row"])
    return TreeFacts.of(data.name, name, columns, node_parts(columns, counts), given)


def main() -> None:
    write_facts(FILE, (facts_of(load(one), name) for one in SETS for name in OPTIONS))


if __name__ == "__main__":
    main()
