"""How far each export is from `predict_proba`, over many random trees, and how long it takes for many rows.

python -m lab.costs.exports --trees 500 --rows 100000
"""

from __future__ import annotations

import argparse
import sqlite3
import time
from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import onnxruntime
import pandas as pd
import treelite
from tests.exports.cases import Case, random_case
from tests.exports.test_programs import coded
from tests.exports.test_sql import asked

from petree import ProbabilityTreeClassifier

Answer = Callable[[], np.ndarray]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trees", type=int, default=500)
    parser.add_argument("--rows", type=int, default=100_000)
    given = parser.parse_args()
    for name, worst in differences(given.trees).items():
        print(f"{name:<10} worst difference over {given.trees} trees {worst:.1e}")
    for name, seconds in times(given.rows).items():
        print(f"{name:<14} {given.rows} rows in {seconds:.3f} s")


# -- how far ----------------------------------------------------------------------------------------------------------


def differences(n_trees: int) -> dict[str, float]:
    """The largest difference of each export from `predict_proba`."""
    worst: dict[str, float] = {}
    for seed in range(n_trees):
        for name, found in gaps(seed).items():
            worst[name] = max(worst.get(name, 0.0), found)
    return worst


def gaps(seed: int) -> dict[str, float]:
    case = random_case(seed)
    expected = case.model.predict_proba(case.rows)
    answers = {
        "onnx": by_onnx(case)(),
        "duckdb": by_duckdb(case)(),
        "sqlite": by_sqlite(case)(),
        "python": by_python(case)(),
    }
    found = {name: float(abs(answer - expected).max()) for name, answer in answers.items()}
    numbers = random_case(seed, "binary", has_categories=False)
    rows = coded(numbers)
    expected = numbers.model.predict_proba(numbers.rows.loc[rows.index])
    found["sklearn"] = float(abs(numbers.model.to_sklearn().predict_proba(rows) - expected).max(initial=0))
    lite = treelite.gtil.predict(numbers.model.to_treelite(), rows.to_numpy()).reshape(expected.shape)
    found["treelite"] = float(abs(lite - expected).max(initial=0))
    return found


def by_onnx(case: Case) -> Answer:
    session = onnxruntime.InferenceSession(case.model.to_onnx().SerializeToString())
    feeds = {}
    for one in session.get_inputs():
        column = case.rows[one.name].astype(object) if one.type == "tensor(string)" else case.rows[one.name]
        values = column.where(column.notna(), "") if one.type == "tensor(string)" else column
        feeds[one.name] = values.to_numpy(object if one.type == "tensor(string)" else np.float64).reshape(-1, 1)
    return lambda: session.run(["probabilities"], feeds)[0]


def by_duckdb(case: Case) -> Answer:
    connection = duckdb.connect()
    connection.register("frame", asked(case))
    connection.execute("CREATE TABLE data AS SELECT * FROM frame")
    query = case.model.to_sql("duckdb", key="id") + " ORDER BY id"
    return lambda: probabilities(case, connection.execute(query).df())


def by_sqlite(case: Case) -> Answer:
    connection = sqlite3.connect(":memory:")
    asked(case).to_sql("data", connection, index=False)
    query = case.model.to_sql(key="id") + " ORDER BY id"
    return lambda: probabilities(case, pd.read_sql(query, connection))


def probabilities(case: Case, found: pd.DataFrame) -> np.ndarray:
    return found[[f"P({label})" for label in case.model.classes_]].to_numpy(float)


def by_python(case: Case) -> Answer:
    made: dict[str, Any] = {}
    exec(case.model.to_python(), made)
    rows = case.rows.to_dict("records")
    return lambda: np.array([list(made["predict_proba"](row).values()) for row in rows])


# -- how long ---------------------------------------------------------------------------------------------------------


def times(n_rows: int) -> dict[str, float]:
    """Seconds of `predict_proba` and of each export, for a tree of about a hundred leaves."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame({f"x{place}": rng.normal(size=n_rows) for place in range(10)})
    table["home"] = rng.choice(["own", "rent", "free"], n_rows).astype(object)
    labels = np.where(table["x0"] * table["x1"] + (table["home"] == "own") + rng.normal(size=n_rows) > 0, "yes", "no")
    model = ProbabilityTreeClassifier(max_leaf_nodes=100).fit(table, labels)
    case = Case(model, table)
    ways = {"predict_proba": lambda: model.predict_proba(table), "onnx": by_onnx(case), "duckdb": by_duckdb(case)}
    ways |= {"sqlite": by_sqlite(case), "python": by_python(case)}
    return {f"{name}": _best_time(answer) for name, answer in ways.items()}


def _best_time(answer: Answer) -> float:
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        answer()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


if __name__ == "__main__":
    main()
