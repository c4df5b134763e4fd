"""Where a report comes from: the model's kind and parameters, the command, the versions."""

from __future__ import annotations

import platform

import numpy as np
import sklearn

import petree
from petree.estimators.base import TreeClassifier
from petree.storage.values import Record
from petree.words import visible


def tell_origin(model: TreeClassifier, command: str | None) -> Record:
    """The estimator with the parameters that are not its defaults, the command, and the versions."""
    declared = model.get_params(deep=False)
    usual = type(model)().get_params(deep=False)
    own = {name: value for name, value in declared.items() if repr(value) != repr(usual[name]) and name != "database"}
    versions = {
        "petree": petree.__version__,
        "Python": platform.python_version(),
        "numpy": np.__version__,
        "scikit-learn": sklearn.__version__,
    }
    return {
        "estimator": type(model).__name__,
        "parameters": [[name, visible(repr(value))] for name, value in own.items()],
        "command": None if command is None else visible(command),
        "versions": [[name, version] for name, version in versions.items()],
    }
