"""Why the tree is as small as it is."""

from __future__ import annotations

from petree import reading
from petree.estimators.base import TreeClassifier
from petree.report.texts import DIGITS
from petree.storage.values import Record


def tell_pruning(model: TreeClassifier) -> Record | None:
    """The criterion and what it found at each subtree that it cut; None if the tree was not pruned."""
    told = reading.reasons(model)
    if told is None:
        return None
    cut = [[reason.where, reason.subject, *reason.numbers(), reason.verdict] for reason in told.reasons]
    return {"criterion": told.criterion, "names": list(told.names), "cut": cut}


def tell_sizes(model: TreeClassifier) -> Record | None:
    """How well each size of the tree predicts left-out cases; None if no size was chosen."""
    sizes = vars(model).get("sizes_")
    if sizes is None:
        return None
    return {
        "n_leaves": list(sizes.n_leaves),
        "bits": [round(bits, DIGITS) for bits in sizes.bits],
        "chosen": model.tree_.n_leaves,
    }
