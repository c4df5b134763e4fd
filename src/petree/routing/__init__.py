"""Rows to leaves and answers: down a tree (`rows.py`), and down all ways of a tree with options (`options.py`)."""

from petree.routing.options import Mixer
from petree.routing.rows import LEAST_WEIGHT, Router

__all__ = ["LEAST_WEIGHT", "Mixer", "Router"]
