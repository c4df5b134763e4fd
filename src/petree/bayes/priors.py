"""What is believed of a tree before its classes are seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, log
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from petree.conditions import QUERY, Conditions
from petree.parts import WithNestedPart, WithParameters, check_choice, check_number
from petree.tree import Tree

STRUCTURES = ("I", "II", "III", "IV")
# Chosen for option trees on every second set of docs/quality.md, of one search, of many, and of many that draw their
# tests: what is found by search is not believed outright, but the mean over many searches makes up for much of it.
NAMED: Mapping[str, Mapping[str, Any]] = {
    "cautious": {"structure": "II", "omega": 0.7, "shrink": 0.6, "power": 0.25},
    "averaged": {"structure": "II", "omega": 0.8, "alpha": 0.5, "shrink": 0.5, "power": 0.35},
    "drawn": {"structure": "II", "omega": 0.8, "alpha": 0.5, "shrink": 0.5, "power": 0.45},
}
NAMES = (*STRUCTURES, *NAMED)
MEANS = ("base_rate", "uniform")
# However deep a leaf, its prior is worth some cases, since gamma has no value at 0.
LEAST_STRENGTH = 1e-100

Numbers = NDArray[np.float64]


def log_evidence(counts: Numbers, pseudo_counts: Numbers) -> Numbers:
    """``ln B(n + a) - ln B(a)``: how probable the classes of a leaf's cases are, if its prior is Dirichlet(a).

    The last axis is that of the classes; a class without pseudo-counts is left out.

    Examples
    --------
    >>> float(np.exp(log_evidence(np.array([1.0, 1.0]), np.array([1.0, 1.0]))).round(6))
    0.166667
    """
    is_possible = pseudo_counts > 0
    a = np.where(is_possible, pseudo_counts, 1.0)
    strength = pseudo_counts.sum(axis=-1)
    of_classes = np.where(is_possible, gammaln(counts + a) - gammaln(a), 0.0).sum(axis=-1)
    return of_classes - (gammaln(counts.sum(axis=-1) + strength) - gammaln(strength))


class Prior(WithParameters):
    """A prior over trees and over the class probabilities of their leaves (Buntine 1992, section 2.2).

    The probabilities of each leaf are ``Dirichlet(a)``, ``a_i = alpha * mean_i``. A tree's own prior is the product of
    a weight for each leaf and one for each inner node:

    ==== ============= ======================= ======================================================
    I    1             1                       all trees alike
    II   omega         omega                   every node makes a tree less probable
    III  1             1 / number of tests     all shapes alike, and all tests of a node
    IV   1 / 2         1 / (2 number of tests) a bit for node or leaf, and the name of the test
    ==== ============= ======================= ======================================================

    The weight of an inner node is multiplied by the penalty of its column and by that of its cut-point, the exponential
    of the tree's annotation "cut_penalty", where it has one. The number of tests is the annotation "n_prior_tests",
    where a numeric column counts once since its cut-point is paid by the penalty, or else `Tree.n_tests`.

    Parameters
    ----------
    structure : {"I", "II", "III", "IV"}, default="I"
        The weights, in the order of how much they favour small trees.
    omega : float, default=0.5
        The weight of a node under II.
    alpha : float or "auto", default=1.0
        Strength of the leaves' prior in cases: 1 where the leaves are expected to differ strongly from the mean, the
        number of classes where they are expected to differ mildly.
    mean : {"base_rate", "uniform"}, default="base_rate"
        Classes as often as in the training data, where one that does not occur has no probability; or all alike.
    shrink : float, default=1.0
        Factor of `alpha` for each level below the root, so that deeper leaves may be purer.
    penalties : dict of column name to number, optional
        Factors of the weight of a node that tests the column; below 1 for columns of which little is expected.
    power : float, default=1.0
        Power of the evidence, what the classes of the training cases say for a tree or a leaf. Tests are chosen by the
        very cases that speak for them, and trees that share most of their tests speak for each other; below 1 this is
        made up for, and more trees have a say. What a leaf answers does not depend on it.

    Examples
    --------
    >>> tree = Tree.from_counts([[8, 2], [2, 8]])
    >>> Prior().leaves(tree).round(6).tolist(), Prior("II").splits(tree).round(6).tolist()
    ([-15.599096, -6.415192, -6.415192], [-0.693147])
    """

    candidates: ClassVar = {"alpha": (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)}

    def __init__(
        self,
        structure: str = "I",
        omega: float = 0.5,
        alpha: float | str = 1.0,
        mean: str = "base_rate",
        shrink: float = 1.0,
        penalties: Mapping[str, float] | None = None,
        power: float = 1.0,
    ) -> None:
        self.structure = structure
        self.omega = omega
        self.alpha = alpha
        self.mean = mean
        self.shrink = shrink
        self.penalties = penalties
        self.power = power

    def check(self) -> None:
        """Raise for a bad parameter."""
        check_choice(self, "mean", MEANS)
        self._strengths(0)
        self.checked_power()
        self.leaf_weight()
        self._checked_penalties()

    # -- whole trees ------------------------------------------------------------------------------------------

    def leaves(self, tree: Tree) -> Numbers:
        """Logarithm of the weight and the evidence of each node as a leaf (CPleaf)."""
        return self.leaf_weight() + self.evidence(tree.counts, self._pseudo_counts_of(tree))

    def splits(self, tree: Tree) -> Numbers:
        """Logarithm of the weight of each split (CPnode)."""
        nodes = tree.split_nodes
        n_tests = tree.annotations.get("n_prior_tests", tree.n_tests)[nodes]
        cuts = np.nan_to_num(tree.annotations.get("cut_penalty", np.zeros(tree.n_nodes))[nodes])
        return self.test_weights(n_tests) + self._penalties_of(tree.conditions) + cuts

    def estimate(self, tree: Tree) -> Numbers:
        """Expected class probabilities of each node as a leaf, ``(n + a) / (N + alpha)``."""
        counts = tree.counts + self._pseudo_counts_of(tree)
        return counts / counts.sum(axis=1, keepdims=True)

    def strength(self, tree: Tree) -> Numbers:
        """Cases behind these, ``N + alpha``."""
        return tree.counts.sum(axis=1) + self._strengths(tree.levels)

    def _pseudo_counts_of(self, tree: Tree) -> Numbers:
        return self.pseudo_counts(tree.counts[0], tree.levels)

    # -- parts of it ------------------------------------------------------------------------------------------

    def pseudo_counts(self, root: Numbers, levels: ArrayLike = 0) -> Numbers:
        """The a of leaves at some levels, one row per leaf, of a tree whose root has these class counts."""
        check_choice(self, "mean", MEANS)
        is_uniform = self.mean == "uniform" or not root.sum()
        mean = np.full(len(root), 1 / len(root)) if is_uniform else root / root.sum()
        return self._strengths(levels)[..., None] * mean

    def _strengths(self, levels: ArrayLike) -> Numbers:
        alpha = check_number(self, "alpha", 0, above=True)
        shrink = check_number(self, "shrink", 0, above=True, most=1)
        return np.maximum(alpha * shrink ** np.asarray(levels), LEAST_STRENGTH)

    def evidence(self, counts: Numbers, pseudo_counts: Numbers) -> Numbers:
        """What the classes of leaves count for: `log_evidence` times the power."""
        return self.checked_power() * log_evidence(counts, pseudo_counts)

    def checked_power(self) -> float:
        return check_number(self, "power", 0, above=True, most=1)

    def leaf_weight(self) -> float:
        """Logarithm of the weight of a leaf."""
        check_choice(self, "structure", STRUCTURES)
        if self.structure == "II":
            return log(check_number(self, "omega", 0, above=True, most=1))
        return log(0.5) if self.structure == "IV" else 0.0

    def test_weights(self, n_tests: NDArray[Any]) -> Numbers:
        """Logarithm of the weight of inner nodes of so many tests, without penalties."""
        weight = self.leaf_weight()
        names_tests = self.structure in ("III", "IV")
        return weight - np.log(np.fmax(n_tests, 1)) if names_tests else np.full(len(n_tests), weight)

    def column_weights(self, names: Sequence[str]) -> Numbers:
        """Logarithm of the penalty of each column of a table."""
        penalties = self._checked_penalties()
        for name in penalties:
            if name not in names:
                raise ValueError(
                    f"The prior penalises the column {name!r}, but the tree has {', '.join(names) or 'none'}."
                )
        return np.log([float(penalties.get(name, 1)) for name in names])

    def _penalties_of(self, conditions: Conditions) -> Numbers:
        """Logarithm of the penalty of each condition; a query is about no column and has none."""
        logs = np.append(self.column_weights([column.name for column in conditions.columns]), 0.0)
        return np.where(conditions.kind == QUERY, 0.0, logs[conditions.column])

    def _checked_penalties(self) -> Mapping[str, float]:
        penalties = {} if self.penalties is None else self.penalties
        if not isinstance(penalties, Mapping) or not all(map(_is_factor, penalties.values())):
            raise ValueError(
                "The 'penalties' parameter of Prior must be a dict of column names to finite numbers above 0. "
                f"Got {self.penalties!r} instead."
            )
        return penalties


def _is_factor(value: object) -> bool:
    return isinstance(value, Real) and 0 < float(value) < inf


def resolve_prior(prior: str | Prior) -> Prior:
    """A prior from its name, which is that of its structure or of its use, or itself."""
    if isinstance(prior, str) and prior in NAMES:
        return Prior(**NAMED.get(prior, {"structure": prior}))
    if not isinstance(prior, Prior):
        error = ValueError if isinstance(prior, str) else TypeError
        raise error(f"The 'prior' parameter must be one of {', '.join(NAMES)}, or a Prior. Got {prior!r} instead.")
    return prior


class WithPrior(WithNestedPart):
    """Something with a parameter `prior`: the name of one or a `Prior`, whose parameters are its own too."""

    nested = "prior"
    prior: str | Prior

    def nested_part(self) -> Prior:
        return resolve_prior(self.prior)
