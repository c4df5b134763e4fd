"""The leaves of a tree of related tables as SQL."""

from __future__ import annotations

import numpy as np

from petree.estimators.relational import RelationalTreeClassifier
from petree.estimators.relational.exports import RelationalView
from petree.reading.view import view
from petree.relational.reading.sql_trees import leaf_sql
from petree.storage.values import Record


def tell_queries(model: RelationalTreeClassifier) -> Record:
    """A query for each leaf that finds the keys of its examples."""
    shown = view(model)
    assert isinstance(shown, RelationalView)
    leaves = np.flatnonzero(shown.tree.is_leaf).tolist()
    return {str(leaf): leaf_sql(shown.router, leaf) for leaf in leaves}
