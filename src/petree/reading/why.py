"""Why a tree is as small as it is: what stood at the nodes that were pruned, and what the criterion found there."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from petree.reading.frame import build
from petree.reading.paths import paths, premise
from petree.reading.view import Model, view
from petree.words import visible

UNDIVIDED = (
    "No test was found that divides the rows, so that the tree is a single leaf and nothing was cut: all columns are "
    "constant, or parameters such as min_samples_leaf allow no test."
)
# Two numbers that differ at all differ in so many digits.
MOST_DIGITS = 17


class Reason(NamedTuple):
    """One examined node: where it is, what stood there, what was found, and what became of it."""

    where: str
    test: str
    n_leaves: int
    size: int
    statistic: float
    threshold: float
    verdict: str

    @property
    def subject(self) -> str:
        """What stood there, such as ``size < 3.5 (2 leaves, n=14)``."""
        return f"{self.test} ({self.n_leaves} leaves, n={self.size})" if self.test else f"a node (n={self.size})"

    def numbers(self) -> tuple[str, str]:
        """Statistic and threshold with two digits, or as many more as it takes to tell them apart; none by hand.

        Only what is equal to the last bit looks equal.
        """
        if np.isnan(self.statistic) and np.isnan(self.threshold):
            return ("", "")
        pairs = [(_text(self.statistic, digits), _text(self.threshold, digits)) for digits in range(2, MOST_DIGITS + 1)]
        return next((pair for pair in pairs if float(pair[0]) != float(pair[1])), pairs[0])


class ToldReasons(NamedTuple):
    """The criterion, what its statistic and threshold are called, and its reasons in reading order."""

    criterion: str
    names: tuple[str, str]
    reasons: list[Reason]
    notes: tuple[str, ...] = ()


def why(model: Model, everything: bool = False) -> list[str]:
    """Why nodes went, one line for each subtree that was cut, in the order in which the tree is read.

    A criterion at work while the tree grows may also close a node before its best test is sought. Then the numbers are
    those of the best test that there could be.

    Parameters
    ----------
    model : Tree or fitted estimator
        What to explain.
    everything : bool, default=False
        Whether to tell of every node that was examined, also of those that stayed and those below a cut. Model files
        do not know these.

    Returns
    -------
    list of str
        One sentence if the tree was not pruned.

    Examples
    --------
    >>> from petree.pruning import prune
    >>> from petree.tree import Tree
    >>> tree = Tree.from_counts([[[12, 0], [3, 5]], [[1, 9], [6, 4]]], n_tests=6)
    >>> print(*why(prune("chi", tree)))  # doctest: +NORMALIZE_WHITESPACE
    if not test 0: test 2 (2 leaves, n=20) was cut. How far the branches differ (chi-square): 5.49; needed to be more
    than chance: 6.96.
    """
    told = reasons(model, everything)
    if told is None:
        return ["This tree was not pruned."]
    lines = [*told.notes, *(_line(reason, told.names) for reason in told.reasons)]
    if not lines and view(model).tree.n_nodes == 1:
        return [UNDIVIDED]
    return lines or [f"{told.criterion} cut nothing that had been grown."]


def why_frame(model: Model, everything: bool = False) -> Any:
    """The same as a table, one row per node; without rows if the tree was not pruned.

    Columns: `where` (the conditions that lead to the node), `test` (what stood there, if anything did), `n_leaves`
    (below it), `size`, `statistic`, `threshold`, `verdict`.

    Returns
    -------
    pandas, polars or pyarrow table
        Of the first of these libraries that is installed.
    """
    told = reasons(model, everything)
    found = [] if told is None else told.reasons
    columns = zip(*found, strict=True) if found else ((),) * len(Reason._fields)
    return build({name: list(values) for name, values in zip(Reason._fields, columns, strict=True)})


def reasons(model: Model, everything: bool = False) -> ToldReasons | None:
    """What `why` tells, piece by piece; None if the tree was not pruned."""
    tree = view(model).tree
    log = tree.pruning_log
    if log is None:
        return None
    found = log.examined() if everything else log.frontier()
    told_of = log.grown if everything else tree
    rows = dict(zip(found.nodes.tolist(), range(len(found.nodes)), strict=True))
    told = [
        Reason(
            premise(path) or "all rows",
            visible(found.tests[rows[node]]),
            int(found.n_leaves[rows[node]]),
            int(told_of.sizes[node]),
            float(found.statistic[rows[node]]),
            float(found.threshold[rows[node]]),
            visible(found.outcomes[rows[node]]),
        )
        for node, path in paths(told_of)
        if node in rows
    ]
    # a model file, which may be anyone's, has these as text
    statistic, threshold = map(visible, found.names)
    return ToldReasons(visible(found.criterion), (statistic, threshold), told, tuple(map(visible, found.notes)))


def _line(reason: Reason, names: tuple[str, str]) -> str:
    told = f"{reason.where}: {reason.subject} was {reason.verdict}"
    statistic, threshold = reason.numbers()
    if not statistic:  # a person decided, not a number
        return told
    same = " (the same)" if reason.statistic == reason.threshold else ""
    return f"{told}. {names[0][:1].upper()}{names[0][1:]}: {statistic}; {names[1]}: {threshold}{same}."


def _text(value: float, digits: int) -> str:
    """A number for people: whole ones without a point, small ones with so many digits that count."""
    if np.isfinite(value) and value == round(value):
        return f"{value:.0f}"
    return f"{value:.{digits}g}" if abs(value) < 0.1 else f"{value:.{digits}f}"
