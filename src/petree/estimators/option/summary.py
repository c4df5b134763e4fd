"""A single tree to read of a tree with options, and what programs are made of."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from petree.bayes import Prior, posterior_weights
from petree.bayes.summary import most_probable
from petree.estimators.stored import Stored
from petree.estimators.tree import ProbabilityTreeClassifier
from petree.exports.options import OptionView
from petree.smoothing import Bayes
from petree.tree import Tree

if TYPE_CHECKING:
    from petree.estimators.option.classifier import OptionTreeClassifier

# Parameters that the single tree has of the tree with options.
SHARED = ("tests", "binning", "min_samples_leaf", "categorical_features", "class_weight", "n_jobs")


def most_probable_tree(
    tree: Tree, prior: Prior, max_leaves: int | None, costs: NDArray[np.float64] | float = 0.0
) -> Tree:
    """The most probable single tree of at most so many leaves, with what the choice of its cuts costs at its nodes.

    `costs` are what each split costs besides.
    """
    if max_leaves is not None and (not isinstance(max_leaves, Integral) or max_leaves < 1):
        raise ValueError(f"A tree has at least 1 leaf: max_leaves must be an integer or None. Got {max_leaves!r}.")
    leaves, splits = posterior_weights(tree, prior)
    found = most_probable(tree, leaves, splits - costs, max_leaves)
    cuts = np.zeros(found.n_nodes)
    cuts[found.split_nodes] = found.split_annotations["cut_penalty"]
    return found.with_annotations(cut_penalty=cuts)


def summary_of(model: OptionTreeClassifier, max_leaves: int | None) -> ProbabilityTreeClassifier:
    """The most probable single tree of at most so many leaves, as a fitted classifier."""
    tree = most_probable_tree(model.tree_, model.prior_, max_leaves)
    own = model.get_params(deep=False)
    parameters = {"pruning": "none", "smoothing": Bayes(model.prior_), **{name: own[name] for name in SHARED}}
    has_names = "feature_names_in_" in vars(model)
    stored = Stored(parameters, tree, model.columns_, model.classes_, has_names, base_rates=model.base_rates_)
    return ProbabilityTreeClassifier._from_stored(stored)


def view_of(model: OptionTreeClassifier, level: float | None) -> OptionView:
    """The summary to read, and behind it the whole tree with its options."""
    shown = model.summary()._view(level)
    own = model.prior_.estimate(model.tree_)
    masses = model._shift().masses(own)
    return OptionView(
        shown.tree,
        shown.probabilities,
        shown.bounds,
        is_summary=True,
        whole=model.tree_,
        stay=model.shares_.stay,
        go=model.shares_.go,
        whole_masses=own if masses is None else masses,
    )
