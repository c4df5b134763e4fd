"""What there is to read: the one place that turns a tree or a fitted estimator into things to show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from petree.caching import cached_property
from petree.conditions import UNSEEN
from petree.parts import unknown_name
from petree.reading.digits import Digits
from petree.reading.large import SizeLosses
from petree.tree import Tree
from petree.words import counted, named

Bounds: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]
PLAIN = Digits()
# Sums of weights that differ by less, of one, are equal.
ROUNDING = 1e-9


@dataclass(frozen=True)
class View:
    """What there is to read: a tree, and what to show at its nodes.

    Parameters
    ----------
    tree : Tree
        With its tests in the words that people read.
    probabilities : array (nodes, classes)
    bounds : two arrays (nodes, classes), optional
        Lower and upper bounds of the probabilities.
    is_by_row : bool
        Whether a row is answered by more than its leaf, as under confusion and doubt.
    is_summary : bool
        Whether the tree stands for one with options, which answers otherwise.
    masses : array (nodes, classes), optional
        What blends of nodes are made of, where base rates were moved: their sums, each over the sum of its classes.
    has_directions : bool
        Whether probabilities were moved to rise or fall with columns.
    divides_rows : bool
        Whether rows with missing values were divided among all branches while the tree grew.
    told_class : int, optional
        The place of the class whose probability is told at every node, instead of the most probable one's.
    width : int, optional
        Characters in a line of the screen that text is for.
    sizes : SizeLosses, optional
        The out-of-fold log loss of the sizes among which the fit chose.
    resizing : str
        The call that returns the tree of another size, with ``{}`` for the maximum number of leaves; empty if there is
        none.
    """

    is_related: ClassVar[bool] = False

    tree: Tree
    probabilities: NDArray[np.float64]
    bounds: Bounds | None = None
    is_by_row: bool = False
    is_summary: bool = False
    masses: NDArray[np.float64] | None = None
    has_directions: bool = False
    divides_rows: bool = False
    told_class: int | None = None
    width: int | None = None
    sizes: SizeLosses | None = None
    resizing: str = ""

    @cached_property
    def class_names(self) -> tuple[str, ...]:
        """The classes as texts that can be shown."""
        return tuple(named(str(label)) for label in self.tree.classes)

    def prediction(self, node: int, digits: Digits = PLAIN) -> str:
        """The most probable class of a node, such as ``P(good)=0.91``, or ``P(good)=0.91 [0.67, 0.98]`` with bounds.

        It is the class that was asked for instead, if one was.
        """
        best = int(self.probabilities[node].argmax()) if self.told_class is None else self.told_class
        written = digits.probability if self.told_class is None else digits.small_probability
        text = f"P({self.class_names[best]})={written(float(self.probabilities[node, best]))}"
        if self.bounds is None:
            return text
        lower, upper = (written(float(bound[node, best])) for bound in self.bounds)
        return f"{text} [{lower}, {upper}]"

    def about(self, label: object | None) -> View:
        """The same, telling the probability of one class at every node; None for the most probable one."""
        if label is None:
            return self
        names = [str(one) for one in self.tree.classes]
        if str(label) not in names:
            raise ValueError(unknown_name("class", str(label), names))
        return replace(self, told_class=names.index(str(label)))

    def objection(self, node: int) -> str:
        """Why a class is the most probable one of a node although another has more cases there; nothing elsewhere."""
        if self.told_class is not None:
            return ""
        counts = self.tree.counts[node]
        common = int(counts.argmax())
        if counts[common] <= counts[self.probabilities[node].argmax()] * (1 + ROUNDING):
            return ""
        cases = counted(int(self.tree.sizes[node]), "case")
        more = f"{self.class_names[common]} is more frequent in its {cases}"
        if self.masses is not None:
            return f"{more}, but not at the base rates that were set"
        if self.has_directions:
            return f"{more}, but the rest of the tree, or the direction of a column, outweighs them"
        return f"{more}, too few to outweigh the rest of the tree"

    def most_frequent(self, values: NDArray[np.float64], most: int, digits: Digits = PLAIN) -> str:
        """The largest of some shares, such as ``red: 0.500, blue: 0.300 and 4 more``; those that are 0 are not told."""
        order = np.argsort(-values, kind="stable")[:most].tolist()
        shown = ", ".join(f"{self.class_names[c]}: {digits.share(float(values[c]))}" for c in order if values[c] > 0)
        n_more = int(np.count_nonzero(values)) - most
        return f"{shown} and {n_more} more" if n_more > 0 else shown

    def _view(self, level: float | None = None) -> View:
        if level is not None:
            raise ValueError(f"Bounds of level {level} are for a fitted estimator to give, which this is not.")
        return self


@runtime_checkable
class Readable(Protocol):
    """A fitted estimator that can be read: it says which tree, and what to show at its nodes."""

    def _view(self, level: float | None = None) -> View:
        """What to show, with credible intervals of this level where one is given."""


Model: TypeAlias = Tree | Readable


def view(
    model: Model,
    probabilities: ArrayLike | None = None,
    bounds: tuple[ArrayLike, ArrayLike] | None = None,
    level: float | None = None,
) -> View:
    """Resolve a model for reading.

    Parameters
    ----------
    model : Tree, fitted estimator or View
        A bare tree shows its class shares; an estimator shows its node probabilities.
    probabilities : array (nodes, classes), optional
        Other probabilities to show.
    bounds : two arrays (nodes, classes), optional
        Lower and upper bounds of the probabilities.
    level : float, optional
        Level of the credible intervals of an estimator, where these shall be the bounds.

    Returns
    -------
    View
    """
    shown = _own_view(model, level)
    if probabilities is not None:
        shown = replace(shown, probabilities=_per_node(probabilities, shown.tree, "probabilities"))
    if bounds is not None:
        lower, upper = (_per_node(bound, shown.tree, "bounds") for bound in bounds)
        shown = replace(shown, bounds=(lower, upper))
    return shown


def told(tree: Tree) -> Tree:
    """The tree as people read it: where surrogates decide, its tests do not name a branch of missing values."""
    if tree.surrogates is None:
        return tree
    missing = np.where(np.diff(tree.surrogates.start) > 0, UNSEEN, tree.conditions.missing)
    return replace(tree, conditions=replace(tree.conditions, missing=missing.astype(np.int32)))


def _own_view(model: Model, level: float | None) -> View:
    if isinstance(model, Tree):
        return View(told(model), class_shares(model))._view(level)
    if isinstance(model, Readable):
        return model._view(level)
    if isinstance(model, BaseEstimator):
        raise NotFittedError(f"This {type(model).__name__} has no petree tree yet; call fit before reading it.")
    raise TypeError(f"Only a petree Tree or a fitted petree estimator can be read, got {type(model).__name__}.")


def _per_node(values: ArrayLike, tree: Tree, what: str) -> NDArray[np.float64]:
    array = np.asarray(values, np.float64)
    if array.shape != tree.counts.shape:
        raise ValueError(f"The tree needs {what} of shape {tree.counts.shape}, got {array.shape}.")
    return array


def class_shares(tree: Tree) -> NDArray[np.float64]:
    """Raw share of each class at each node; an empty node shows its parent's, an empty root equal shares."""
    totals = tree.counts.sum(axis=1, keepdims=True)
    shares: NDArray[np.float64] = np.full(tree.counts.shape, 1 / tree.n_classes)
    np.divide(tree.counts, totals, out=shares, where=totals > 0)
    a_parent = np.zeros(tree.n_nodes, np.intp)
    a_parent[tree.children] = np.repeat(tree.split_nodes, np.diff(tree.child_start))
    for node in np.flatnonzero(totals[1:] == 0) + 1:  # parents come first
        shares[node] = shares[a_parent[node]]
    return shares
