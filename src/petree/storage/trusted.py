"""What models are made of, by the names of the types, for programs that ask whom to trust."""

from __future__ import annotations

from petree import binning, pruning, smoothing, splitting
from petree.bayes import Prior
from petree.bayes.averaging import Shares
from petree.columns import Column
from petree.conditions import Conditions
from petree.estimators.intervals.certainty import Certainty
from petree.estimators.option import OptionTreeClassifier
from petree.estimators.tree import ProbabilityTreeClassifier
from petree.estimators.tuning.finish import Tuning
from petree.estimators.tuning.grid import Grid
from petree.estimators.tuning.sizes import Sizes
from petree.pruning.engine.log import PruningLog, Reasons
from petree.pruning.engine.stumps import Verdicts
from petree.pruning.engine.weakest_links import PruningPath
from petree.reading.large import SizeLosses
from petree.tree import Tree

ESTIMATORS = (ProbabilityTreeClassifier, OptionTreeClassifier)
RECORDS = (Tree, Conditions, Column, PruningLog, Reasons, Verdicts, PruningPath)
CHOSEN = (Tuning, Grid, Sizes, SizeLosses, Certainty, Prior, Shares)


def trusted_types() -> list[str]:
    """The types of which models of one table are made, as skops calls them.

    ``skops.io.load(file, trusted=petree.trusted_types())`` reads what ``skops.io.dump(model, file)`` wrote. Parts of
    your own, such as a split score, are not among them. Models of related tables go to model files (`petree.save`).

    Returns
    -------
    list of str
        Sorted.
    """
    families = (splitting.MEMBERS, pruning.MEMBERS, smoothing.MEMBERS, binning.MEMBERS)
    parts = [part for members in families for part in members.values()]
    return sorted({f"{one.__module__}.{one.__qualname__}" for one in (*ESTIMATORS, *RECORDS, *CHOSEN, *parts)})
