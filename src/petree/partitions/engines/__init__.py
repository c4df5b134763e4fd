"""Who does the work on the parts of a data set: threads, an executor, a Dask cluster."""

from petree.partitions.engines.base import Engine, Part, PartitionError, Task, Working
from petree.partitions.engines.choosing import Chosen, chosen, use

__all__ = ["Chosen", "Engine", "Part", "PartitionError", "Task", "Working", "chosen", "use"]
