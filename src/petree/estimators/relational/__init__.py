"""Trees over several tables."""

from petree.estimators.relational.classifier import RelationalTreeClassifier
from petree.estimators.relational.features import RelationalFeatures
from petree.estimators.relational.option import RelationalOptionTreeClassifier

__all__ = ["RelationalFeatures", "RelationalOptionTreeClassifier", "RelationalTreeClassifier"]
