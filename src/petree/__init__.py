"""petree: probability estimation trees."""

from petree.estimators.tree import ProbabilityTreeClassifier
from petree.storage import load, save
from petree.tree import Tree

__version__ = "0.1.0"

__all__ = ["ProbabilityTreeClassifier", "Tree", "__version__", "load", "save"]
