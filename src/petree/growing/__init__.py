"""Growing: one loop for every source of data."""

from petree.growing.grower import Grown, Stopping, grow

__all__ = ["Grown", "Stopping", "grow"]
