"""Time of contributions (Shapley values) of petree beside shap's compiled TreeExplainer, on the same tree in one run.

Examples
--------
python -m lab.costs.explain                         1e5 rows, 30 columns, 100 leaves; about half a minute
python -m lab.costs.explain --rows 20000 --leaves 30 --classes 5
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

import numpy as np
import shap
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table as Lines
from sklearn.tree import DecisionTreeClassifier

from petree.inputs import table_of
from petree.routing import Ways
from petree.threads import Threads
from petree.tree import Tree

Numbers = NDArray[np.float64]
# Among the columns, those that the classes depend on.
N_INFORMATIVE = 10


def make_data(options: argparse.Namespace) -> tuple[Numbers, NDArray[np.int64]]:
    """Numbers whose squares make the class, so that a tree needs many columns."""
    random = np.random.default_rng(0)
    X = random.normal(size=(options.rows, options.columns)).astype(np.float32).astype(np.float64)
    drift = (X[:, :N_INFORMATIVE] ** 2).sum(axis=1)
    cuts = np.quantile(drift, np.linspace(0, 1, options.classes + 1)[1:-1])
    return X, np.digitize(drift, cuts)


def contenders(options: argparse.Namespace) -> dict[str, Callable[[], Numbers]]:
    """Each as a function that gives the contributions of all rows."""
    X, y = make_data(options)
    theirs = DecisionTreeClassifier(max_leaf_nodes=options.leaves, random_state=0).fit(X, y)
    tree = Tree.from_sklearn(theirs)
    says = tree.counts / tree.counts.sum(axis=1, keepdims=True)
    table = table_of(X)
    ways = Ways.of(tree)
    explainer = shap.TreeExplainer(theirs)
    return {
        "shap, which has one thread": lambda: explainer.shap_values(X, check_additivity=False),
        "petree, one thread": lambda: ways.contributions(table, says, Threads(1)),
        "petree, two threads": lambda: ways.contributions(table, says, Threads(2)),
    }


def measure(options: argparse.Namespace) -> dict[str, list[float]]:
    """Seconds of each, in turns; the numbers must be the same."""
    asked = contenders(options)
    times: dict[str, list[float]] = {name: [] for name in asked}
    for _ in range(options.rounds):
        answers = []
        for name, answer in asked.items():
            began = time.perf_counter()
            answers.append(answer())
            times[name].append(time.perf_counter() - began)
        for other in answers[1:]:
            np.testing.assert_allclose(other, answers[0], atol=1e-9)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("rows", 100_000), ("columns", 30), ("leaves", 100), ("classes", 2), ("rounds", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    times = measure(options)
    first = median(next(iter(times.values())))
    title = f"{options.rows} rows, {options.columns} columns, {options.leaves} leaves, {options.classes} classes"
    lines = Lines("", "seconds", "to shap", title=title)
    for name, seconds in times.items():
        lines.add_row(name, f"{median(seconds):.2f}", f"{median(seconds) / first:.2f}")
    Console().print(lines)


if __name__ == "__main__":
    main()
