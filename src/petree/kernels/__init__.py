"""Numba kernels, and nothing else.

numba takes a moment to import, so the modules here are loaded by their first use: ``kernels.best.best_of_narrow``.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

MODULES = (
    "bayes",
    "best",
    "bits",
    "count",
    "cuts",
    "desk",
    "divide",
    "draw",
    "encode",
    "evidence",
    "grow",
    "multiway",
    "options",
    "permute",
    "quality",
    "ratio",
    "scan",
    "score",
)


def __getattr__(name: str) -> ModuleType:
    if name not in MODULES:
        raise AttributeError(f"module 'petree.kernels' has no attribute {name!r}")
    return import_module(f"petree.kernels.{name}")
