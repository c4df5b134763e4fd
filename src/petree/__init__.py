"""petree: probability estimation trees."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from petree.estimators.option import OptionTreeClassifier
    from petree.estimators.relational import (
        RelationalFeatures,
        RelationalOptionTreeClassifier,
        RelationalTreeClassifier,
    )
    from petree.estimators.tree import ProbabilityTreeClassifier
    from petree.files import read
    from petree.partitions import code_files, open_codes
    from petree.plotting import PathDisplay, ReliabilityDisplay, SizeDisplay, plot_tree
    from petree.report import make_report
    from petree.storage import load, save, trusted_types
    from petree.systems import presets
    from petree.tree import Tree

__version__ = "0.1.0"

# Where each public name lives; it is imported by its first use, so that the command line starts at once.
_HOMES = {
    "OptionTreeClassifier": "petree.estimators.option",
    "PathDisplay": "petree.plotting",
    "ProbabilityTreeClassifier": "petree.estimators.tree",
    "ReliabilityDisplay": "petree.plotting",
    "RelationalFeatures": "petree.estimators.relational",
    "RelationalOptionTreeClassifier": "petree.estimators.relational",
    "RelationalTreeClassifier": "petree.estimators.relational",
    "SizeDisplay": "petree.plotting",
    "Tree": "petree.tree",
    "code_files": "petree.partitions",
    "load": "petree.storage",
    "make_report": "petree.report",
    "open_codes": "petree.partitions",
    "plot_tree": "petree.plotting",
    "presets": "petree.systems",
    "read": "petree.files",
    "save": "petree.storage",
    "trusted_types": "petree.storage",
}

# Modules that people reach as attributes: ``petree.splitting.score("gain", counts)``.
_MODULES = (
    "bayes",
    "binning",
    "metrics",
    "plotting",
    "pruning",
    "reading",
    "relational",
    "report",
    "smoothing",
    "splitting",
)

__all__ = [
    "OptionTreeClassifier",
    "PathDisplay",
    "ProbabilityTreeClassifier",
    "RelationalFeatures",
    "RelationalOptionTreeClassifier",
    "RelationalTreeClassifier",
    "ReliabilityDisplay",
    "SizeDisplay",
    "Tree",
    "__version__",
    "code_files",
    "load",
    "make_report",
    "open_codes",
    "plot_tree",
    "presets",
    "read",
    "save",
    "trusted_types",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"petree.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'petree' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
