"""What a method does on a trial, in numbers."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from lab.experiments.methods import Method
from lab.experiments.trials import Trial
from petree.metrics import (
    accuracy,
    brier,
    calibration_error,
    expected_accuracy,
    hand_till_auc,
    log2_likelihood,
    pairwise_auc,
    weighted_auc,
)
from petree.pruning.engine.counts import predictions
from petree.tree import Tree

Columns = Mapping[str, NDArray[Any]]
# The least probability that counts for the log likelihood, so that one case held impossible does not decide alone.
LEAST_PROBABILITY = 1e-6
# The columns of results, and whether more is better; None where it is neither.
MEASURES: dict[str, bool | None] = {
    "auc": True,
    "log_likelihood": True,
    "brier": False,
    "accuracy": True,
    "hand_till_auc": True,
    "calibration_error": False,
    "expected_accuracy": None,
    "impossible": False,
    "inner_nodes": False,
    "leaves": False,
    "seconds": False,
    "pairwise_auc": True,
    "leaf_accuracy": True,
}


def as_numbers(learn: Columns, test: Columns) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Columns as one matrix of numbers, for learners that know nothing else.

    There is a column of 0 and 1 for each category, and the median of `learn` for missing numbers.

    A missing category is a category of its own, and one that `learn` does not have is none of the others.
    """
    from sklearn.impute import SimpleImputer
    from sklearn.preprocessing import OneHotEncoder

    kinds = {
        False: SimpleImputer(strategy="median", keep_empty_features=True),
        True: OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    }
    blocks = []
    for is_nominal, transformer in kinds.items():
        names = [name for name, values in learn.items() if (values.dtype == object) == is_nominal]
        if names:
            own, other = (np.column_stack([columns[name] for name in names]) for columns in (learn, test))
            blocks.append((transformer.fit_transform(own), transformer.transform(other)))
    learned, asked = zip(*blocks, strict=True)
    return np.hstack(learned), np.hstack(asked)


@runtime_checkable
class HasTree(Protocol):
    """A learner that is one tree: of petree, or of scikit-learn."""

    tree_: Any


@runtime_checkable
class SendsToLeaves(Protocol):
    """A learner that tells the leaf of each row."""

    tree_: Any

    def apply(self, X: Any) -> NDArray[np.int64]: ...


class Answer(NamedTuple):
    """The learner, the seconds it learned, and its probabilities of all classes of the data set."""

    model: BaseEstimator
    seconds: float
    probabilities: NDArray[np.float64]


def measure(method: Method, trial: Trial, seed: int) -> dict[str, float]:
    """The measures of a method that learns from some rows of a trial and answers for the others."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns without values in one fold, classes of few rows
        found = answer(method, trial, seed)
        measures = measures_of(trial.test[1], found.probabilities, trial.data.classes)
        of_leaves = leaf_accuracy(found.model, *trial.test)
    return measures | sizes_of(found.model) | {"seconds": found.seconds, "leaf_accuracy": of_leaves}


def answer(method: Method, trial: Trial, seed: int) -> Answer:
    """Learn from some rows, and answer for the others."""
    model = trial.data.learner(method.make(seed))
    X, y = trial.train
    asked, _ = trial.test
    classes = trial.data.classes
    more = {"classes": classes} if method.takes_columns else {}
    if not method.takes_columns:
        X, asked = as_numbers(X, asked)
    started = time.perf_counter()
    model.fit(X, y, **more)
    seconds = time.perf_counter() - started
    return Answer(model, seconds, spread(model.predict_proba(asked), model.classes_, classes))


def measures_of(y: NDArray[Any], probabilities: NDArray[np.float64], classes: NDArray[Any]) -> dict[str, float]:
    """The measures that look at answers only."""
    truth = np.searchsorted(classes, y)
    return {
        "auc": weighted_auc(y, probabilities, classes),
        "log_likelihood": log2_likelihood(y, probabilities, classes, clip=LEAST_PROBABILITY),
        "brier": brier(y, probabilities, classes),
        "accuracy": accuracy(y, probabilities, classes),
        "hand_till_auc": hand_till_auc(y, probabilities, classes),
        "calibration_error": calibration_error(y, probabilities, classes),
        "expected_accuracy": expected_accuracy(probabilities),
        "impossible": float((probabilities[np.arange(len(y)), truth] == 0).mean()),
        "pairwise_auc": pairwise_auc(y, probabilities, classes),
    }


def leaf_accuracy(model: BaseEstimator, X: Any, y: NDArray[Any]) -> float:
    """Share of rows that have the most frequent class of their leaf, whatever its probabilities; NaN without leaves.

    A row that takes several ways has the leaf to which most of it goes.
    """
    if not (isinstance(model, SendsToLeaves) and isinstance(model.tree_, Tree)) or model.tree_.is_dag:
        return float("nan")
    of_leaf = np.array(model.tree_.classes, object)[predictions(model.tree_)]
    return float((of_leaf[model.apply(X)] == y).mean())


def sizes_of(model: BaseEstimator) -> dict[str, float]:
    """Inner nodes and leaves of a learner that is one tree; NaN of any other."""
    if not isinstance(model, HasTree):
        return {"inner_nodes": np.nan, "leaves": np.nan}
    tree = model.tree_
    n_nodes = tree.n_nodes if isinstance(tree, Tree) else tree.node_count
    return {"inner_nodes": float(n_nodes - tree.n_leaves), "leaves": float(tree.n_leaves)}


def spread(probabilities: NDArray[Any], known: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.float64]:
    """A column for every class of the data set; a class that was not learned has probability 0."""
    wide = np.zeros((len(probabilities), len(classes)))
    wide[:, np.searchsorted(classes, known)] = probabilities
    return wide
