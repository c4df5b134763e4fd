"""A tree as plain text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from petree.reading.digits import Digits, check_whole
from petree.reading.folding import folded
from petree.reading.large import describe_size, first_levels
from petree.reading.view import Model, View, class_shares, view
from petree.reading.walk import HEADING, Step, walk
from petree.tree import Tree
from petree.words import visible

# Deeper lines say their level in words, so that a chain of thousands of tests stays readable and small.
_DEEPEST_INDENT = 50
# Of more classes than the first number so many as the second says are shown at a node, unless more are asked for.
MANY_CLASSES = 5
SHOWN_OF_MANY = 3


def export_text(
    model: Model,
    *,
    probabilities: ArrayLike | None = None,
    max_depth: int | Literal["auto"] | None = "auto",
    decimals: int | None = None,
    top_classes: int | None = None,
    percent: bool = False,
    surrogates: bool = False,
) -> str:
    """The tree as text, one line per node.

    The numbers stand on the left: rows and share of each class among the training rows. A leaf also says its
    most probable class, with the probability that the model gives it, and why where most of its own rows are of another
    class. Of a long set of categories only some are shown; `rules` has all of them. For a screen of some width, which a
    view may have, fewer classes are shown where they would take more than half of it, unless `top_classes` is given,
    and longer lines go on below, behind the branches of the tree.

    Parameters
    ----------
    model : Tree or fitted estimator
        What to show.
    probabilities : array (nodes, classes), optional
        Probabilities to show instead of the model's own.
    max_depth : int, "auto" or None, default="auto"
        Number of levels that are shown; None for all levels. "auto" shows all levels of a tree of up to 50 leaves. Of a
        larger tree it shows the first levels that fit in 50 lines, followed by the number of leaves and, if the fit
        chose the size, the log loss of trees of 20 and 50 leaves.
    decimals : int, optional
        Digits behind the point: three of a share and two of a probability unless given. A probability has as many more
        as it takes not to look certain.
    top_classes : int, optional
        How many classes are shown of each node, the most frequent ones first: of up to five all of them, in columns,
        and of more than five three, unless given; with 0 none.
    percent : bool, default=False
        Whether shares and probabilities are percentages.
    surrogates : bool, default=False
        Whether a line below each test tells what is asked where its value is missing, and sends rows to the first
        branch where it holds; the last resort is the larger branch.

    Returns
    -------
    str

    Examples
    --------
    >>> from petree.tree import Tree
    >>> tree = Tree.from_counts([[12, 0], [3, 5]], classes=["good", "bad"])
    >>> print(export_text(tree))
     n   good    bad
    20  0.750  0.250  all rows
    12  1.000  0.000  |- test 0: P(good)=1.00
     8  0.375  0.625  |- not test 0: P(bad)=0.62
    >>> print(export_text(tree, top_classes=1, percent=True))
     n  classes
    20  good: 75.0% and 1 more  all rows
    12  good: 100.0%            |- test 0: P(good)=100%
     8  bad: 62.5% and 1 more   |- not test 0: P(bad)=62%
    """
    shown = view(model, probabilities)
    notice: list[str] = []
    if max_depth == "auto":
        max_depth = first_levels(shown)
        notice = describe_size(shown, max_depth)
    check_whole("max_depth", max_depth, 0)
    check_whole("top_classes", top_classes, 0)
    page = _Page(shown, Digits(decimals, percent), top_classes).fitting()
    header, *numbers = page.number_columns()
    blank = " " * len(header)
    lines = [header.rstrip()]
    is_open = ~shown.tree.is_leaf & (shown.tree.levels < (np.inf if max_depth is None else max_depth))
    for step in walk(shown.tree, is_open, is_short=True):
        left = blank if step.node == HEADING else numbers[step.node]
        ending = "" if step.node == HEADING or is_open[step.node] else page.ending(step)
        lines += folded(f"{left}  ", _indent(step.level), f"{step.text}{ending}", shown.width)
        if surrogates and step.node != HEADING and is_open[step.node]:
            for text in _stand_ins(shown.tree, step.node):
                lines += folded(f"{blank}  ", _indent(step.level + 1), text, shown.width)
    if notice:
        lines += ["", *notice]
    return "\n".join(lines)


def whole_text(model: Model, *, max_depth: int | None = None, **options: Any) -> str:
    """Return the tree as text with all its levels, however large it is, unless `max_depth` is given."""
    return export_text(model, max_depth=max_depth, **options)


@dataclass(frozen=True)
class _Page:
    """What is written beside the tests."""

    shown: View
    digits: Digits
    top_classes: int | None

    def fitting(self) -> _Page:
        """The page whose numbers leave half of the screen to the tests, with fewer classes where it takes that."""
        width = self.shown.width
        if width is None or self.top_classes is not None:
            return self
        fewer = [replace(self, top_classes=most) for most in range(SHOWN_OF_MANY, -1, -1)]
        return next((one for one in (self, *fewer) if 2 * len(one.number_columns()[0]) <= width), fewer[-1])

    def number_columns(self) -> list[str]:
        """The header and then one text per node, all of the same length."""
        n_classes = len(self.shown.class_names)
        shares = class_shares(self.shown.tree)
        columns = [_column("n", map(str, self.shown.tree.sizes.tolist()))]
        if n_classes <= (MANY_CLASSES if self.top_classes is None else self.top_classes):
            for name, each in zip(self.shown.class_names, shares.T.tolist(), strict=True):
                columns.append(_column(name, map(self.digits.share, each)))
        elif self.top_classes != 0:
            most = SHOWN_OF_MANY if self.top_classes is None else self.top_classes
            cells = [self.shown.most_frequent(each, most, self.digits) for each in shares]
            columns.append(_column("classes", cells, is_text=True))
        return ["  ".join(cells) for cells in zip(*columns, strict=True)]

    def ending(self, step: Step) -> str:
        """What a node says where nothing below it is shown."""
        if step.is_repeat and not self.shown.tree.is_leaf[step.node]:
            return ""
        objection = self.shown.objection(step.node)
        reason = f" ({objection})" if objection else ""
        more = "" if self.shown.tree.is_leaf[step.node] else ", more below"
        return f": {self.shown.prediction(step.node, self.digits)}{reason}{more}"


def _stand_ins(tree: Tree, node: int) -> list[str]:
    """What is asked in place of the test of a node, in the order in which it is asked."""
    split = int(tree.split_start[node])
    if tree.surrogates is None or not (texts := tree.surrogates.texts(split)):
        return []
    column = visible(tree.conditions.columns[tree.conditions.column[split]].name)
    return [f"(where {column} is missing: {visible('; else '.join(texts))}; else the larger branch)"]


def _column(title: str, cells: Iterable[str], is_text: bool = False) -> list[str]:
    texts = [title, *cells]
    width = max(map(len, texts))
    return [text.ljust(width) if is_text else text.rjust(width) for text in texts]


def _indent(level: int) -> str:
    if level > _DEEPEST_INDENT:
        return "|  " * _DEEPEST_INDENT + f"|- (level {level}) "
    return "|  " * (level - 1) + "|- " * (level > 0)
