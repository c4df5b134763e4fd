"""Distribution functions of Beta distributions at fixed points, each computed when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from petree.bayes import Prior
from petree.tree import Tree

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

# Between 0 and 1, dense near both, where probabilities of small leaves pile up; one more than a power of two, so that
# the spaces between them can be halved to the end.
N_HALVINGS = 9
POINTS = np.sin(np.linspace(0, np.pi / 2, 2**N_HALVINGS + 1)) ** 2
# What stands for 0 where it was computed.
LEAST = 1e-300
# Numbers that a model keeps, of all classes, to answer later rows faster: 128 MB at most.
MOST_KEPT = 2**24


@dataclass(frozen=True, eq=False)
class Distributions:
    """Beta distributions of nodes, of which the distinct ones are computed, and only at points that are asked for.

    Parameters
    ----------
    a, b : array (distinct,)
    which : array (nodes,)
        The distribution of each node.
    values : array (distinct times points,)
        Those of one distribution after the other; 0 where it is not computed yet.
    """

    a: Numbers
    b: Numbers
    which: NDArray[np.int32]
    values: Numbers

    @classmethod
    def of(cls, a: Numbers, b: Numbers) -> Distributions:
        pairs, which = np.unique(a + 1j * b, return_inverse=True)
        return cls(pairs.real, pairs.imag, which.astype(np.int32), np.zeros(len(pairs) * len(POINTS)))

    def anew(self) -> Distributions:
        """The same, of which nothing is computed yet."""
        return replace(self, values=np.zeros(len(self.values)))

    def begins(self, nodes: Places) -> Places:
        """Where the values of the distributions of nodes begin."""
        return self.which[nodes].astype(np.int64) * len(POINTS)

    def at(self, places: Places) -> Numbers:
        """The values at some places, each where its distribution begins and by how many points it lies behind that."""
        found = self.values[places]
        new = found == 0
        if new.any():
            self._compute(np.unique(places[new]))
            found[new] = self.values[places[new]]
        return found

    def _compute(self, places: Places) -> None:
        which, points = np.divmod(places, len(POINTS))
        self.values[places] = np.maximum(betainc(self.a[which], self.b[which], POINTS[points]), LEAST)


class NodeDistributions:
    """What is believed of the class probabilities of each node as a leaf, found once for each class.

    Parameters
    ----------
    tree : Tree
    prior : Prior
    """

    def __init__(self, tree: Tree, prior: Prior) -> None:
        self._tree = tree
        self._prior = prior
        self._found: dict[int, Distributions] = {}

    def of_class(self, index: int) -> Distributions:
        """The distributions of the probability of one class; what is computed of them is kept where there are few."""
        if index not in self._found:
            cases = self._prior.strength(self._tree)
            own = self._prior.estimate(self._tree)[:, index]
            self._found[index] = Distributions.of(*(np.maximum(cases * share, 1e-12) for share in (own, 1 - own)))
        found = self._found[index]
        return found if len(found.values) * self._tree.n_classes <= MOST_KEPT else found.anew()
