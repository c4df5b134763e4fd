"""A tree as rules, one line per leaf."""

from __future__ import annotations

from numpy.typing import ArrayLike

from petree.reading.paths import Path, paths, premise
from petree.reading.view import Model, View, view


def rules(
    model: Model, *, probabilities: ArrayLike | None = None, bounds: tuple[ArrayLike, ArrayLike] | None = None
) -> list[str]:
    """One rule per leaf, in the order in which the tree is read.

    Bounds, and sets of categories, of the same column are drawn together where that says exactly the same. A leaf whose
    most frequent class is not its most probable one says why.

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
    return [_rule(shown, node, path) for node, path in paths(shown.tree) if shown.tree.is_leaf[node]]


def rules_text(model: Model) -> str:
    """The rules, one on a line."""
    return "\n".join(rules(model))


def _rule(shown: View, node: int, path: Path) -> str:
    objection = shown.objection(node)
    reason = f"; {objection}" if objection else ""
    conclusion = f"{shown.prediction(node)} (n={shown.tree.sizes[node]}{reason})"
    return f"{premise(path)} then {conclusion}" if path else f"always {conclusion}"
