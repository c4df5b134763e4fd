"""``petree demo``: two small trees, what they say, how good they are and what they cost."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

Columns = dict[str, NDArray[Any]]


def make_loans(n_rows: int = 600, seed: int = 7) -> tuple[Columns, NDArray[np.str_]]:
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


def load_flowers() -> tuple[Columns, NDArray[Any]]:
    """Iris, with its names."""
    from sklearn.datasets import load_iris

    iris = load_iris()
    names = [name.removesuffix(" (cm)") for name in iris.feature_names]
    return dict(zip(names, iris.data.T, strict=True)), iris.target_names[iris.target]


def divide(columns: Columns, labels: NDArray[Any], seed: int = 0) -> tuple[Any, ...]:
    """70% of the rows to learn from and 30% to measure on: two tables, then two arrays of classes."""
    order = np.random.default_rng(seed).permutation(len(labels))
    learn, measure = np.split(order, [int(0.7 * len(labels))])
    parts = [{name: values[rows] for name, values in columns.items()} for rows in (learn, measure)]
    return *parts, labels[learn], labels[measure]


def _is_class(classes: NDArray[Any], labels: NDArray[Any]) -> NDArray[np.bool_]:
    is_class: NDArray[np.bool_] = labels[:, None] == classes
    return is_class


def accuracy(classes: NDArray[Any], probabilities: NDArray[np.float64], labels: NDArray[Any]) -> float:
    """Share of rows whose most probable class is the true one."""
    return float(np.mean(classes[probabilities.argmax(axis=1)] == labels))


def log2_likelihood(classes: NDArray[Any], probabilities: NDArray[np.float64], labels: NDArray[Any]) -> float:
    """Sum of log2 of the probabilities given to the true classes, in bits; -inf if one of them is 0."""
    with np.errstate(divide="ignore"):
        return float(np.log2(probabilities[_is_class(classes, labels)]).sum())


def brier(classes: NDArray[Any], probabilities: NDArray[np.float64], labels: NDArray[Any]) -> float:
    """Mean over the rows of the squared distance between probabilities and truth."""
    return float(((probabilities - _is_class(classes, labels)) ** 2).sum(axis=1).mean())


def run() -> None:
    """Print the demonstration."""
    console = Console()
    _show(console, "Iris: three kinds of flowers", load_flowers, min_samples_leaf=3)
    _show(console, "Loans (made): text columns and missing values", make_loans, min_samples_leaf=30)
    console.print("The first fit of all includes compiling; later ones, also of later runs, do not.")


def _show(console: Console, title: str, make: Any, min_samples_leaf: int) -> None:
    from petree import ProbabilityTreeClassifier
    from petree.reading import export_text, rules

    started = time.perf_counter()
    learn, measure, learn_labels, labels = divide(*make())
    seconds = {"reading": time.perf_counter() - started}
    console.rule(title)
    comparison = Table("smoothing", "accuracy", "log2 likelihood a row", "Brier", title=f"{len(labels)} held-out rows")
    for smoothing in ("none", "laplace"):
        started = time.perf_counter()
        model = ProbabilityTreeClassifier(smoothing=smoothing, min_samples_leaf=min_samples_leaf)
        model.fit(learn, learn_labels)
        fitted = time.perf_counter()
        probabilities = model.predict_proba(measure)
        seconds[f"fit ({smoothing})"] = fitted - started
        seconds[f"predict ({smoothing})"] = time.perf_counter() - fitted
        comparison.add_row(smoothing, *_measures(model.classes_, probabilities, labels))
    console.print(export_text(model), markup=False, highlight=False, soft_wrap=True)
    console.print("Some of its rules:", *list(_lines(rules(model)))[:3], sep="\n  ", markup=False, soft_wrap=True)
    console.print(comparison)
    console.print("Seconds: " + ", ".join(f"{part} {spent:.3f}" for part, spent in seconds.items()), soft_wrap=True)


def _measures(classes: NDArray[Any], probabilities: NDArray[np.float64], labels: NDArray[Any]) -> list[str]:
    bits = log2_likelihood(classes, probabilities, labels) / len(labels)
    return [
        f"{accuracy(classes, probabilities, labels):.3f}",
        f"{bits:.3f}",
        f"{brier(classes, probabilities, labels):.3f}",
    ]


def _lines(view: Any) -> list[str]:
    return view.splitlines() if isinstance(view, str) else list(view)
