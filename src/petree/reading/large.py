"""Large trees: the levels that are shown of them, and the log loss of smaller trees of the same fit."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from petree.reading.walk import walk
from petree.words import counted

if TYPE_CHECKING:
    from petree.reading.view import View

# A tree with more leaves is large.
MAX_LEAVES = 50
# Sizes of which a large tree reports the log loss, in leaves.
SMALLER_SIZES = (20, 50)
MAX_LINES = 50
WHOLE = "export_text(max_depth=None)"


@dataclass(frozen=True, repr=False)
class SizeLosses:
    """The out-of-fold log loss of the sizes among which a fit chose.

    Parameters
    ----------
    n_leaves : tuple of int
        From the largest tree to a single leaf.
    bits : tuple of float
        Log loss of left-out cases at each size, in bits per case.
    """

    n_leaves: tuple[int, ...]
    bits: tuple[float, ...]

    def __repr__(self) -> str:
        fewest = min(self.bits)
        best = self.n_leaves[self.bits.index(fewest)]
        return (
            f"<{len(self.n_leaves)} sizes from {self.n_leaves[0]} leaves to {self.n_leaves[-1]}; "
            f"fewest bits {fewest:.4g} at {counted(best, 'leaf', 'leaves')}>"
        )

    def index_of(self, n_leaves: int) -> int:
        """Return the index of the largest size of at most `n_leaves` leaves."""
        return next(index for index, size in enumerate(self.n_leaves) if size <= n_leaves)


def first_levels(shown: View) -> int | None:
    """Return the number of levels of a large tree that fit on a page, at least one; None for any other tree."""
    tree = shown.tree
    if tree.n_leaves <= MAX_LEAVES:
        return None
    depth = 1
    while depth < tree.depth:
        steps = walk(tree, ~tree.is_leaf & (tree.levels <= depth), is_short=True)
        if sum(1 for _ in islice(steps, MAX_LINES + 1)) > MAX_LINES:
            break
        depth += 1
    return depth


def describe_size(shown: View, max_depth: int | None = None, whole: str = WHOLE) -> list[str]:
    """Return lines on the size of a large tree and on smaller trees of the same fit, and none for any other tree.

    Parameters
    ----------
    shown : View
    max_depth : int, optional
        The number of levels that are shown; None if it is not to be mentioned.
    whole : str
        What prints all levels.

    Examples
    --------
    >>> from petree.reading.view import view
    >>> from petree.tree import Tree
    >>> print(*describe_size(view(Tree.from_counts([[[1, 2]] * 30, [[2, 1]] * 30])), max_depth=1))
    The tree has 60 leaves. Levels shown: 1 of 2; export_text(max_depth=None) prints all of them.
    """
    tree = shown.tree
    if tree.n_leaves <= MAX_LEAVES:
        return []
    size = f"The tree has {tree.n_leaves:,} leaves."
    if max_depth is not None and max_depth < tree.depth:
        size += f" Levels shown: {max_depth} of {tree.depth}; {whole} prints all of them."
    return [size, *_describe_smaller(shown)]


def _describe_smaller(shown: View) -> list[str]:
    """Return lines on the log loss of smaller trees, where it is known."""
    sizes = shown.sizes
    if sizes is None:
        return []
    own = sizes.bits[sizes.index_of(shown.tree.n_leaves)]
    lines = [f"Its out-of-fold log loss is {own:.4f} bits. Smaller trees of the same fit:"]
    for limit in SMALLER_SIZES:
        index = sizes.index_of(limit)
        bits = sizes.bits[index]
        more = f" ({bits / own - 1:+.1%})" if own > 0 else ""
        how = shown.resizing.format(limit) or f"at most {limit} leaves"
        lines.append(f"  {how}: {counted(sizes.n_leaves[index], 'leaf', 'leaves')}, {bits:.4f} bits{more}")
    return lines
