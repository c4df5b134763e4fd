"""Data sets in parts: coded once into files, so that no more than a budget of memory is ever needed."""

from petree.partitions.coding.making import as_coded, code_files, is_code_folder, open_codes
from petree.partitions.coding.settings import Coding
from petree.partitions.engines import PartitionError, use
from petree.partitions.partition import CodedData, InMemory, Partition, PartitionReader

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
