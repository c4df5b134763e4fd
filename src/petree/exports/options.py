"""What there is to export of a tree with options."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from petree.reading.view import View
from petree.tree import Tree


@dataclass(frozen=True)
class OptionView(View):
    """The summary of a tree with options, for people to read, and the whole of it for programs.

    Parameters
    ----------
    whole : Tree
        With all its options.
    stay : array (nodes,)
        Part of the trees that reach a node of the whole and have it as a leaf.
    go : array (splits,)
        Part of the trees that reach a node of the whole and continue with a split.
    whole_masses : array (nodes, classes)
        What answers are made of: the mean over nodes, over the sum of its classes.
    """

    whole: Tree = field(kw_only=True)
    stay: NDArray[np.float64] = field(kw_only=True)
    go: NDArray[np.float64] = field(kw_only=True)
    whole_masses: NDArray[np.float64] = field(kw_only=True)
