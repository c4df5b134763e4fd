"""Write `rpart_surrogates.json`: two tables made here, and the trees with surrogates that rpart grows from them.

It needs R with the package rpart (Debian: r-cran-rpart). rpart 4.1.19 lists a column of categories among the surrogates
only if it sends two rows or more another way than the split, and sends a category of which as many go either way to the
right, where petree takes the larger branch: so the tables have noise, and no such category decides.

python tests/reference/make_rpart_surrogates.py
"""

from __future__ import annotations

import csv
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
FILE = HERE / "rpart_surrogates.json"
ROWS = 400

Table = dict[str, list[Any]]


def numbers(random: np.random.Generator) -> Table:
    """Six columns of numbers that go with each other."""
    signal = random.normal(size=ROWS)
    columns = {f"x{k}": _lose(random, (signal + random.normal(size=ROWS) * (k + 2) / 5).round(1)) for k in range(6)}
    return {**columns, "y": np.where(signal + random.normal(size=ROWS) * 0.7 > 0, "b", "a").tolist()}


def mixed(random: np.random.Generator) -> Table:
    """Three columns of numbers and three of words."""
    signal = random.normal(size=ROWS)
    table: Table = {}
    for k in range(3):
        table[f"x{k}"] = _lose(random, (signal + random.normal(size=ROWS) * (k + 2) / 3).round(1))
        noisy = signal + random.normal(size=ROWS) * (k + 3) / 5
        table[f"word{k}"] = _lose(
            random, np.array(["low", "middle", "high", "top"])[np.digitize(noisy, (-0.8, 0, 0.8))]
        )
    return {**table, "y": np.where(signal + random.normal(size=ROWS) * 0.7 > 0, "b", "a").tolist()}


def _lose(random: np.random.Generator, values: Any) -> list[Any]:
    """The values, one in seven missing."""
    return [None if lost else value for value, lost in zip(values.tolist(), random.random(ROWS) < 1 / 7, strict=True)]


def ask_rpart(table: Table) -> list[dict[str, Any]]:
    """The nodes of rpart's tree by their numbers: class counts, and of inner ones the column and its surrogates."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(table)
            writer.writerows(zip(*table.values(), strict=True))
        script = str(HERE / "rpart_surrogates.R")
        text = subprocess.run(["Rscript", script, str(path)], check=True, capture_output=True, text=True).stdout
    nodes: list[dict[str, Any]] = []
    for line in text.splitlines():
        word, *rest = line.split()
        if word == "node":
            nodes.append({"node": int(rest[0]), "counts": [float(one) for one in rest[1:]]})
        elif word == "split":
            nodes[-1] |= {"column": rest[0], "surrogates": []}
        else:
            nodes[-1]["surrogates"].append([rest[0], float(rest[1])])
    return nodes


def main() -> None:
    tables = {"numbers": numbers(np.random.default_rng(1)), "mixed": mixed(np.random.default_rng(3))}
    found = {name: {"table": table, "nodes": ask_rpart(table)} for name, table in tables.items()}
    lines = [f"{json.dumps(name)}: {json.dumps(one)}" for name, one in found.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
