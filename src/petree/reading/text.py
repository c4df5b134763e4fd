"""A tree as plain text."""

from __future__ import annotations

from collections.abc import Iterable

from numpy.typing import ArrayLike

from petree.reading.view import Model, View, class_shares, view
from petree.reading.walk import HEADING, Step, walk

# Deeper lines say their level in words, so that a chain of thousands of tests stays readable and small.
_DEEPEST_INDENT = 50


def export_text(model: Model, *, probabilities: ArrayLike | None = None) -> str:
    """The whole tree as text, one line per node.

    The numbers stand on the left: rows and share of each class among the training rows. A leaf also says its
    most probable class, with the probability that the model gives it. Of a long set of categories only some are shown;
    `rules` has all of them.

    Parameters
    ----------
    model : Tree or fitted estimator
        What to show.
    probabilities : array (nodes, classes), optional
        Probabilities to show instead of the model's own.

    Returns
    -------
    str

    Examples
    --------
    >>> from petree.tree import Tree
    >>> print(export_text(Tree.from_counts([[12, 0], [3, 5]], classes=["good", "bad"])))
     n   good    bad
    20  0.750  0.250  all rows
    12  1.000  0.000  |- test 0: P(good)=1.00
     8  0.375  0.625  |- not test 0: P(bad)=0.62
    """
    shown = view(model, probabilities)
    header, *numbers = _number_columns(shown)
    blank = " " * len(header)
    lines = [header]
    for step in walk(shown.tree, is_short=True):
        left = blank if step.node == HEADING else numbers[step.node]
        lines.append(f"{left}  {_indent(step.level)}{step.text}{_prediction(shown, step)}")
    return "\n".join(lines)


def _number_columns(shown: View) -> list[str]:
    """The header and then one text per node, all of the same length."""
    columns = [_column("n", map(str, shown.tree.sizes.tolist()))]
    for name, shares in zip(shown.class_names, class_shares(shown.tree).T.tolist(), strict=True):
        columns.append(_column(name, (f"{share:.3f}" for share in shares)))
    return ["  ".join(cells) for cells in zip(*columns, strict=True)]


def _column(title: str, cells: Iterable[str]) -> list[str]:
    texts = [title, *cells]
    width = max(map(len, texts))
    return [text.rjust(width) for text in texts]


def _indent(level: int) -> str:
    if level > _DEEPEST_INDENT:
        return "|  " * _DEEPEST_INDENT + f"|- (level {level}) "
    return "|  " * (level - 1) + "|- " * (level > 0)


def _prediction(shown: View, step: Step) -> str:
    if step.node == HEADING or not shown.tree.is_leaf[step.node]:
        return ""
    return f": {shown.prediction(step.node)}"
