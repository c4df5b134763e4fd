"""Trees of data in parts whose tests are chosen on a sample of the rows, and whose counts are those of all."""

from petree.partitions.sampled.drawing import Drawing
from petree.partitions.sampled.source import SampledSource, SampleRules

__all__ = ["Drawing", "SampleRules", "SampledSource"]
