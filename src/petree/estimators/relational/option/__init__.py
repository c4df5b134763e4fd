"""Option trees over several tables."""

from petree.estimators.relational.option.classifier import RelationalOptionTreeClassifier

__all__ = ["RelationalOptionTreeClassifier"]
