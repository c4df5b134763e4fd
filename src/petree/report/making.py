"""The sections of a report, gathered from a model and from rows that it is tried on."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
from sklearn.exceptions import NotFittedError

from petree.estimators.base import TreeClassifier
from petree.estimators.option.averaged import AveragedTrees
from petree.estimators.relational import RelationalTreeClassifier
from petree.inputs.types import LabelsLike, TableLike
from petree.reading.colours import CLASS_COLOURS
from petree.report.averages import tell_options
from petree.report.columns import tell_columns
from petree.report.origin import tell_origin
from petree.report.pruning import tell_pruning, tell_sizes
from petree.report.quality import tell_quality
from petree.report.rows import ANSWER_DIGITS, tell_examples, tell_queries, tell_rows
from petree.report.template import Report, page
from petree.report.texts import tell_bounds, tell_texts
from petree.storage import dumps
from petree.storage.answers import voices_of, write_voices
from petree.storage.values import Record, as_record
from petree.words import counted

# Numbers of nodes and classes that browsers still draw without stutter, and people still save.
MOST_CELLS = 400_000


def make_report(
    model: TreeClassifier, X: TableLike | None = None, y: LabelsLike | None = None, command: str | None = None
) -> Report:
    """A page to explore a fitted model: one HTML file that needs no network.

    It shows the tree, explains the answer for any row, lists the rules and tells what was pruned; with rows and their
    classes also how good the probabilities are. For a tree with options the page draws the `summary`, and shows the
    measures of both, and for rows the answers and intervals of both.

    Parameters
    ----------
    model : fitted petree estimator
    X : array, data frame or dict of columns, optional
        Rows to try the model on, best ones that it has not learned from. The first 500 of them are in the page.
    y : class labels, one per row, optional
        Their true classes.
    command : str, optional
        What to show as the command that made the page.

    Returns
    -------
    Report
        With `save(path)`; ``str(report)`` is the page, and notebooks show it.

    Examples
    --------
    >>> from petree import ProbabilityTreeClassifier, make_report
    >>> X = {"size": [1, 2, 3, 4], "colour": ["red", "red", "blue", "red"]}
    >>> model = ProbabilityTreeClassifier(pruning="none").fit(X, ["no", "no", "yes", "yes"])
    >>> str(make_report(model, X, ["no", "no", "yes", "yes"]))[:15]
    '<!DOCTYPE html>'
    """
    if not isinstance(model, TreeClassifier):
        raise TypeError(f"A report is made of a fitted petree estimator, not of a {type(model).__name__}.")
    if not model.__sklearn_is_fitted__():
        raise NotFittedError(f"This {type(model).__name__} is not fitted yet; call fit before making a report.")
    if X is None and y is not None:
        raise ValueError("y has the classes of rows, but there are no rows; pass X, too.")
    return page(_content(model, X, y, command))


def _content(model: TreeClassifier, X: TableLike | None, y: LabelsLike | None, command: str | None) -> Record:
    """All that the page shows, as plain values."""
    shown = model.summary() if isinstance(model, AveragedTrees) else model
    _check_size(shown)
    _check_surrogates(shown)
    return {
        "model": _model_file(shown),
        "texts": tell_texts(shown),
        "bounds": tell_bounds(shown),
        "columns": tell_columns(model, X),
        "pruning": tell_pruning(shown),
        "sizes": tell_sizes(shown),
        "options": tell_options(model) if isinstance(model, AveragedTrees) else None,
        "queries": tell_queries(shown) if isinstance(shown, RelationalTreeClassifier) else None,
        **_tell_cases(model, shown, X, y),
        "colours": list(CLASS_COLOURS),
        "quality": None if X is None or y is None else tell_quality(model, X, y, shown),
        "origin": tell_origin(model, command),
    }


def _tell_cases(model: TreeClassifier, shown: TreeClassifier, X: TableLike | None, y: LabelsLike | None) -> Record:
    """Rows of one table to pick and to change, or examples of related ones to pick."""
    if X is None:
        return {"rows": None, "examples": None}
    if isinstance(shown, RelationalTreeClassifier):
        return {"rows": None, "examples": tell_examples(model, shown, X, y)}
    return {"rows": tell_rows(model, X, y), "examples": None}


def _model_file(model: TreeClassifier) -> Record:
    """What a program needs of the model file to answer, with as many digits as no eye and no measure tells apart."""
    told: Record = json.loads(dumps(model))
    tree = as_record(told["tree"], "a model file has a tree")
    shorter = [replace(voice, probabilities=np.round(voice.probabilities, ANSWER_DIGITS)) for voice in voices_of(model)]
    factors = model._shift().factors
    kept = {name: tree[name] for name in ("nodes", "children", "class_weight") if name in tree}
    return {
        "columns": told["columns"],
        "classes": told["classes"],
        "tree": kept,
        "factors": None if factors is None else factors.tolist(),
        "answers": json.loads(write_voices(shorter)),
    }


def _check_surrogates(model: TreeClassifier) -> None:
    surrogates = model.tree_.surrogates
    if surrogates is not None and len(surrogates):
        raise ValueError(
            "Surrogates decide where rows with missing values go in this tree, which a page cannot explain; fit with "
            "missing='branch', 'fractions' or 'majority'."
        )


def _check_size(model: TreeClassifier) -> None:
    tree = model.tree_
    if tree.n_nodes * tree.n_classes > MOST_CELLS:
        raise ValueError(
            f"A page cannot show {counted(tree.n_nodes, 'node')} of {tree.n_classes} classes; prune the tree, or take "
            "one of fewer leaves (max_leaf_nodes, or resized of a tree that chose its size)."
        )
