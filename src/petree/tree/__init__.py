"""The tree: plain arrays, frozen after growing, the same for every learner.

A node has no split (leaf), one (ordinary node) or several (option node); a split has a condition and two or
more children. Children come after their parents and siblings stand side by side. Edits return a new tree.
"""

from petree.tree.editing import rewire, with_splits
from petree.tree.joining import joined_at_root
from petree.tree.making import assemble
from petree.tree.spans import offsets, ranges, turns
from petree.tree.surrogates import Surrogates
from petree.tree.tree import Node, Tree
from petree.tree.wiring import wiring_of

__all__ = [
    "Node",
    "Surrogates",
    "Tree",
    "assemble",
    "joined_at_root",
    "offsets",
    "ranges",
    "rewire",
    "turns",
    "wiring_of",
    "with_splits",
]
