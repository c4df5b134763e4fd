"""Trees that a person changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from petree.conditions import QUERY
from petree.estimators.fitted import SingleTreeClassifier
from petree.estimators.replacing import by_one_model
from petree.estimators.tuning.finish import Finished
from petree.inputs import declare_classes
from petree.pruning.engine.log import noted
from petree.tree import Tree

PUT_IN = "The tree was put in by hand."


class ChangeableTree(SingleTreeClassifier):
    """A classifier of one table whose tree may be replaced by another one."""

    max_leaf_nodes: int | None
    first_test: str | None

    def _noted(self, tree: Tree) -> Tree:
        """The tree with a note of its first test, where a person asked for it."""
        if self.first_test is None:
            return tree
        return noted(tree, f"The first test was set by hand: {self.first_test}.")

    @by_one_model
    def with_tree(self, tree: Tree) -> Self:
        """A new estimator of the same settings with another tree, such as an edited one; `why` says so.

        Its smoothing, with the values that were chosen at fit, is computed anew; nothing is pruned. What its leaves are
        worth in intervals is not known, so that these go by the counts.

        Parameters
        ----------
        tree : Tree
            With the columns and classes of this model; ``model.tree_.graft(4, 9)`` makes one.
        """
        check_is_fitted(self)
        if checked(tree).conditions.columns != self.columns_ or tree.classes != self.tree_.classes:
            raise ValueError(
                "The tree has other columns or classes than this model; make an estimator of it by from_tree instead."
            )
        return self._changed(Finished(noted(tree, PUT_IN), self.smoothing_, vars(self).get("tuning_")))

    def _of_size(self, tree: Tree) -> Tree:
        if self.first_test is not None and tree.n_leaves == 1:
            raise ValueError(f"A single leaf has not the first test {self.first_test!r}; ask for more leaves.")
        return self._noted(tree)


def checked(tree: Tree) -> Tree:
    """A tree that rows of one table can be sent down, with its classes sorted."""
    if not isinstance(tree, Tree):
        raise TypeError(f"The tree must be a petree Tree, such as model.tree_. Got {type(tree).__name__} instead.")
    if tree.is_dag or (tree.conditions.kind == QUERY).any() or not tree.conditions.columns:
        raise ValueError(
            "Rows cannot be sent down this tree: its tests are not about columns of one table. "
            "petree.pruning.prune and petree.smoothing.estimate take it as it is."
        )
    if tree.n_classes < 2:
        raise ValueError(f"The tree has only one class, {tree.classes[0]!r}; at least two are needed.")
    order = _order(tree.classes)
    return replace(
        tree,
        counts=np.ascontiguousarray(tree.counts[:, order]),
        classes=tuple(tree.classes[place] for place in order.tolist()),
        class_weight=None if tree.class_weight is None else tree.class_weight[order],
        pruning_log=tree.pruning_log if np.array_equal(order, np.arange(len(order))) else None,
    )


def _order(classes: tuple[Any, ...]) -> NDArray[np.intp]:
    """Places of the classes as they are sorted."""
    places = {label: place for place, label in enumerate(classes)}
    every = declare_classes(np.array(classes), np.empty(0), np.empty(0, np.intp))[0]
    return np.array([places[label] for label in every.tolist()], np.intp)
