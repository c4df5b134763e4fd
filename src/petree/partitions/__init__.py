"""Data sets in parts: coded once into files, so that no more than a budget of memory is ever needed."""

from petree.partitions.engines import PartitionError, use
from petree.partitions.partition import CodedData, InMemory, Partition, PartitionReader

__all__ = ["CodedData", "InMemory", "Partition", "PartitionError", "PartitionReader", "use"]
