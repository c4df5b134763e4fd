"""Bayesian option trees."""

from petree.estimators.option.classifier import OptionTreeClassifier

__all__ = ["OptionTreeClassifier"]
