"""A tree as a Python program that needs nothing but Python."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from petree.columns import DATE, NUMBER
from petree.conditions import UNSEEN
from petree.exports.splits import Split, columns_of, splits_of
from petree.reading.view import View

# Every node is a function that calls its child's, and Python bounds the depth of calls.
MOST_LEVELS = 400

HEAD = '''"""Class probabilities by a decision tree. Made by petree; needs nothing but Python.

    predict_proba({{"column": value, ...}}) gives a dictionary of classes and probabilities.

A value that is missing is None, NaN, or not there at all.
"""


def predict_proba(row):
    """The probability of each class for a row, a mapping of columns to values."""
    return dict(zip({classes}, {answer}))


def value_of(row, column):
    """The value of a column, None where it is missing."""
    value = row.get(column)
    return None if value != value else value


def blend(row, *ways):
    """The mean over several nodes, for a value that fits none of them."""
    answers = [(share, node(row)) for share, node in ways]
    return tuple(sum(share * answer[i] for share, answer in answers) for i in range(len(answers[0][1])))
'''

DIVISION = '''

def divided(masses):
    """Parts of their sum: base rates were moved after blending."""
    return tuple(mass / sum(masses) for mass in masses)
'''

MOMENTS = '''

def moment_of(value):
    """Microseconds since 1970 of a date, a datetime, or a text such as 2024-03-01 12:30."""
    from datetime import date, datetime, timedelta

    value = datetime.fromisoformat(value) if isinstance(value, str) else value
    value = value if isinstance(value, datetime) or not isinstance(value, date) else datetime(*value.timetuple()[:3])
    return (value - datetime(1970, 1, 1)) // timedelta(microseconds=1)
'''


def to_python(shown: View) -> str:
    """The tree as the source of a Python module with a function `predict_proba`, equal to that of the model.

    Examples
    --------
    >>> from petree.exports import export
    >>> from petree import ProbabilityTreeClassifier
    >>> model = ProbabilityTreeClassifier(pruning="none").fit({"size": [1, 2, 3, 4]}, ["a", "a", "b", "b"])
    >>> made = {}
    >>> exec(export(model, "python"), made)
    >>> made["predict_proba"]({"size": 1}) == dict(zip("ab", model.predict_proba({"size": [1]})[0]))
    True
    """
    splits = splits_of(shown, "a Python program", (DATE,))
    if shown.tree.depth > MOST_LEVELS:
        raise ValueError(
            f"A tree of {shown.tree.depth} levels is too deep for a Python program; the most are {MOST_LEVELS}."
        )
    answer = "node_0(row)" if shown.masses is None else "divided(node_0(row))"
    head = HEAD.format(classes=_tuple(shown.tree.classes), answer=answer)
    head += DIVISION if shown.masses is not None else ""
    head += MOMENTS if any(split.column.quantity for split in splits.values()) else ""
    nodes = [_inner(splits[node]) if node in splits else _leaf(shown, node) for node in range(shown.tree.n_nodes)]
    return "\n\n".join([head, _known(splits), *nodes])


def _leaf(shown: View, node: int) -> str:
    answer = _tuple((shown.probabilities if shown.masses is None else shown.masses)[node].tolist())
    return f"def node_{node}(row):\n    return {answer}  # n = {shown.tree.sizes[node]}\n"


def _inner(split: Split) -> str:
    lines = [f"def node_{split.node}(row):", f"    value = value_of(row, {_literal(split.column.name)})"]
    if not split.asks_for_missing:
        lines += ["    if value is None:", f"        return {_when_missing(split)}"]
    for branch, child in enumerate(split.children):
        if (test := _test(split, branch)) is not None:
            lines += [f"    if {test}:", f"        return node_{child}(row)"]
    lines.append(f"    return {_otherwise(split)}")
    return "\n".join(lines) + "\n"


def _test(split: Split, branch: int) -> str | None:
    """What a branch asks of the value; None where all that is left goes there, or what is missing."""
    if branch == split.missing and split.is_multiway:
        return None
    if split.asks_for_categories and (branch == 0 or split.is_multiway):
        return f"value in {_tuple(split.values(branch))}"
    if split.asks_for_categories:
        return f"value in KNOWN[{_literal(split.column.name)}]"
    if branch == 1:
        return None
    if split.asks_for_missing:
        return "value is None"
    return f"{'moment_of(value)' if split.column.quantity else 'value'} < {split.threshold!r}"


def _otherwise(split: Split) -> str:
    return _blend(split) if split.asks_for_categories else f"node_{split.children[-1]}(row)"


def _when_missing(split: Split) -> str:
    return _blend(split) if split.missing == UNSEEN else f"node_{split.children[split.missing]}(row)"


def _blend(split: Split) -> str:
    ways = ", ".join(f"({share!r}, node_{child})" for share, child in zip(split.shares, split.children, strict=True))
    return f"blend(row, {ways})"


def _known(splits: dict[int, Split]) -> str:
    """The categories of each column that is asked for some."""
    known = [
        f"    {_literal(column.name)}: {_tuple(column.categories)},"
        for column in columns_of(splits.values())
        if column.kind != NUMBER
    ]
    return "\n".join(["# The values that were seen while learning.", "KNOWN = {", *known, "}\n"])


def _tuple(values: Iterable[object]) -> str:
    """The source of a tuple; "(a,)" where it has one element."""
    texts = [_literal(value) for value in values]
    return f"({', '.join(texts)}{',' * (len(texts) == 1)})"


def _literal(value: object) -> str:
    """The source of a value, of numpy's scalars as Python's."""
    return ascii(value.item() if isinstance(value, np.generic) else value)
