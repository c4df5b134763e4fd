"""Rows to leaves and answers: down a tree (`rows.py`), down a tree with options (`options.py`), along all ways of
either (`ways.py`)."""

from petree.routing.options import Ends, Mixer
from petree.routing.rows import LEAST_WEIGHT, DividingRouter, Router
from petree.routing.ways import Ways

__all__ = ["LEAST_WEIGHT", "DividingRouter", "Ends", "Mixer", "Router", "Ways"]
