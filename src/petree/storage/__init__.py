"""Model files: versioned JSON that people can read and that no other program can make run anything."""

from petree.storage.files import load, save
from petree.storage.models import dumps, loads
from petree.storage.trusted import trusted_types

__all__ = ["dumps", "load", "loads", "save", "trusted_types"]
