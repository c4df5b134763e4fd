"""A tree as rules, one line a leaf."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import ArrayLike

from petree.conditions import Threshold
from petree.reading.view import View, one_line, view
from petree.reading.walk import Step, walk


class _Bound(NamedTuple):
    value: float
    text: str


class _Clause(NamedTuple):
    """What a path asks of one column, or the text of one test; bounds only where the tests are thresholds."""

    text: str
    lower: _Bound | None = None
    upper: _Bound | None = None
    takes_missing: bool = True


def rules(
    model: Any, *, probabilities: ArrayLike | None = None, bounds: tuple[ArrayLike, ArrayLike] | None = None
) -> list[str]:
    """One rule a leaf, in the order in which the tree is read.

    Bounds on the same column are drawn together where that says exactly the same.

    Parameters
    ----------
    model : Tree or fitted estimator
        What to show.
    probabilities : array (nodes, classes), optional
        Probabilities to show instead of the model's own.
    bounds : two arrays (nodes, classes), optional
        Lower and upper bounds to show beside them.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from petree.tree import Tree
    >>> rules(Tree.from_counts([[12, 0], [3, 5]], classes=["good", "bad"]))
    ['if test 0 then P(good)=1.00 (n=12)', 'if not test 0 then P(bad)=0.62 (n=8)']
    """
    shown = view(model, probabilities, bounds)
    if shown.tree.is_dag:
        raise ValueError("A tree with option nodes has no single path to a leaf; read it with export_text instead.")
    lines = []
    paths: list[dict[Any, _Clause]] = []  # the clauses at each level of the path being read
    for step in walk(shown.tree):
        del paths[step.level :]
        paths.append(_with_step(paths[-1], step) if paths else {})
        if shown.tree.is_leaf[step.node]:
            lines.append(_rule(shown, step.node, paths[-1]))
    return lines


def _rule(shown: View, node: int, path: dict[Any, _Clause]) -> str:
    conclusion = f"{shown.prediction(node)} (n={shown.tree.sizes[node]})"
    texts = [clause.text for clause in path.values()]
    if not texts:
        return f"always {conclusion}"
    if len(texts) > 1:  # "and" binds closer than "or"
        texts = [f"({text})" if text.endswith(" or missing") else text for text in texts]
    return f"if {' and '.join(texts)} then {conclusion}"


def _with_step(path: dict[Any, _Clause], step: Step) -> dict[Any, _Clause]:
    if not isinstance(step.condition, Threshold):
        return {**path, step.text: _Clause(step.text)}
    column = step.condition.column
    return {**path, column: _narrowed(path.get(column, _Clause("")), step.condition, step.branch)}


def _narrowed(clause: _Clause, condition: Threshold, branch: int) -> _Clause:
    """The clause and one more bound; missing values pass only where every test on the way lets them pass."""
    lower, upper, bound = clause.lower, clause.upper, _bound(condition)
    if branch == 0 and (upper is None or bound.value < upper.value):
        upper = bound
    if branch == 1 and (lower is None or bound.value > lower.value):
        lower = bound
    takes_missing = clause.takes_missing and condition.missing == branch
    text = _interval(one_line(condition.column.name), lower, upper) + " or missing" * takes_missing
    return _Clause(text, lower, upper, takes_missing)


def _interval(name: str, lower: _Bound | None, upper: _Bound | None) -> str:
    below = "" if upper is None else f" < {upper.text}"
    if lower is None:
        return f"{name}{below}"
    return f"{lower.text} <= {name}{below}" if below else f"{name} >= {lower.text}"


def _bound(condition: Threshold) -> _Bound:
    return _Bound(condition.threshold, one_line(condition.bound))
