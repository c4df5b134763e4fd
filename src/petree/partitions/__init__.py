"""Data sets in parts: coded once into files, so that no more than a budget of memory is ever needed."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from petree.partitions.coding.making import as_coded, code_files, is_code_folder, open_codes
    from petree.partitions.coding.settings import Coding
    from petree.partitions.engines.base import PartitionError
    from petree.partitions.engines.choosing import use
    from petree.partitions.partition import CodedData, InMemory, Partition, PartitionReader

# Where each name lives; it is imported by its first use, since workers that count need few of them.
_HOMES = {
    "CodedData": "partition",
    "Coding": "coding.settings",
    "InMemory": "partition",
    "Partition": "partition",
    "PartitionError": "engines.base",
    "PartitionReader": "partition",
    "as_coded": "coding.making",
    "code_files": "coding.making",
    "is_code_folder": "coding.making",
    "open_codes": "coding.making",
    "use": "engines.choosing",
}

__all__ = [
    "CodedData",
    "Coding",
    "InMemory",
    "Partition",
    "PartitionError",
    "PartitionReader",
    "as_coded",
    "code_files",
    "is_code_folder",
    "open_codes",
    "use",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'petree.partitions' has no attribute {name!r}")
    return getattr(import_module(f"petree.partitions.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
