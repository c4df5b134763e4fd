"""Trees over several tables."""

from petree.estimators.relational.classifier import RelationalTreeClassifier

__all__ = ["RelationalTreeClassifier"]
