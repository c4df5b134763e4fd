"""``petree demo``: two small trees, what they say, how good they are and what they cost."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from sklearn.datasets import load_iris

from petree.estimators.tree import ProbabilityTreeClassifier
from petree.metrics import accuracy, brier, log2_likelihood

Columns: TypeAlias = dict[str, NDArray[Any]]
LabelledTable: TypeAlias = tuple[Columns, NDArray[Any]]

# The last is the one that is printed.
TREES: dict[str, dict[str, Any]] = {
    "raw frequencies": {"pruning": "none", "smoothing": "none"},
    "laplace": {"pruning": "none", "smoothing": "laplace"},
    "default": {},
}
MEASURES = {"accuracy": accuracy, "log2 likelihood a row": log2_likelihood, "Brier": brier}


def make_loans(n_rows: int = 600, seed: int = 7) -> LabelledTable:
    """A made table of loans with numbers, text and missing values, and whether each was repaid."""
    random = np.random.default_rng(seed)
    income = np.round(random.lognormal(7.8, 0.45, n_rows), -1)
    amount = np.round(random.lognormal(8.6, 0.7, n_rows), -2)
    age = random.integers(19, 75, n_rows).astype(np.float64)
    housing = random.choice(["rents", "owns", "with parents"], n_rows, p=[0.5, 0.35, 0.15]).astype(object)
    purpose = random.choice(["car", "business", "furniture", "holiday"], n_rows).astype(object)
    history = random.choice(["clean", "late once", "late often"], n_rows, p=[0.6, 0.25, 0.15]).astype(object)
    log_odds = 2.2 - 0.35 * amount / income + 0.02 * (age - 40)
    log_odds += 0.8 * (housing == "owns") - 0.9 * (purpose == "business")
    log_odds -= 1.1 * (history == "late once") + 2.4 * (history == "late often")
    repaid = np.where(random.random(n_rows) < 1 / (1 + np.exp(-log_odds)), "yes", "no")
    # People with little income leave it out more often, so that its absence says something.
    income[random.random(n_rows) < np.where(income < 2000, 0.25, 0.05)] = np.nan
    history[random.random(n_rows) < 0.08] = None
    columns: Columns = {"income": income, "amount": amount, "age": age}
    return columns | {"housing": housing, "purpose": purpose, "history": history}, repaid


def load_flowers() -> LabelledTable:
    """Iris, with its names."""
    iris = load_iris()
    names = [name.removesuffix(" (cm)") for name in iris.feature_names]
    return dict(zip(names, iris.data.T, strict=True)), iris.target_names[iris.target]


def divide(columns: Columns, labels: NDArray[Any], seed: int = 0) -> tuple[Any, ...]:
    """70% of the rows to learn from and 30% to measure on: two tables, then two arrays of classes."""
    order = np.random.default_rng(seed).permutation(len(labels))
    learn, measure = np.split(order, [int(0.7 * len(labels))])
    parts = [{name: values[rows] for name, values in columns.items()} for rows in (learn, measure)]
    return *parts, labels[learn], labels[measure]


def run() -> None:
    """Print the demonstration."""
    console = Console()
    _show(console, "Iris: three kinds of flowers", load_flowers)
    _show(console, "Loans (made): text columns and missing values", make_loans)


def _show(console: Console, title: str, make: Callable[[], LabelledTable]) -> None:
    started = time.perf_counter()
    learn, held_out, learn_labels, labels = divide(*make())
    seconds = {"reading": time.perf_counter() - started}
    console.rule(title)
    comparison = Table("tree", *MEASURES, "leaves", title=f"{len(labels)} held-out rows")
    for name, parameters in TREES.items():
        started = time.perf_counter()
        model = ProbabilityTreeClassifier(**parameters).fit(learn, learn_labels)
        fitted = time.perf_counter()
        probabilities = model.predict_proba(held_out)
        seconds[f"fit ({name})"] = fitted - started
        seconds[f"predict ({name})"] = time.perf_counter() - fitted
        measured = [measure(labels, probabilities, model.classes_) for measure in MEASURES.values()]
        comparison.add_row(name, *(f"{value:.3f}" for value in measured), str(model.get_n_leaves()))
    _print_tree(console, model)
    console.print(comparison)
    console.print("Seconds: " + ", ".join(f"{part} {spent:.3f}" for part, spent in seconds.items()), soft_wrap=True)


def _print_tree(console: Console, model: ProbabilityTreeClassifier) -> None:
    console.print(model.export_text(), markup=False, highlight=False, soft_wrap=True)
    console.print("Some of its rules:", *model.rules()[:3], sep="\n  ", markup=False, soft_wrap=True)
