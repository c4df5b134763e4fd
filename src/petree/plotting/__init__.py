"""Pictures of trees and of their answers, by matplotlib.

`plot_tree` draws a tree; the displays follow scikit-learn's convention: ``from_estimator`` makes one and draws it,
``plot`` draws it again.
"""

from petree.plotting.path import PathDisplay
from petree.plotting.reliability import ReliabilityDisplay
from petree.plotting.sizes import SizeDisplay
from petree.plotting.tree import plot_tree

__all__ = ["PathDisplay", "ReliabilityDisplay", "SizeDisplay", "plot_tree"]
