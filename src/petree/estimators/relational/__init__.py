"""Trees over several tables."""

from petree.estimators.relational.classifier import RelationalTreeClassifier
from petree.estimators.relational.features import RelationalFeatures

__all__ = ["RelationalFeatures", "RelationalTreeClassifier"]
