"""From a source that has just been made to one that treats missing values in another way."""

from __future__ import annotations

import numpy as np

from petree.sources.missing.fractions import FractionalSource
from petree.sources.missing.known import KnownSource
from petree.sources.missing.surrogates import MajoritySource, SurrogateSource
from petree.sources.table import TableSource

BRANCH = "branch"
SOURCES: dict[str, type[KnownSource]] = {
    "fractions": FractionalSource,
    "majority": MajoritySource,
    "surrogates": SurrogateSource,
}
# All ways to treat missing values by name.
WAYS = (BRANCH, *SOURCES)


def bind_missing(source: TableSource, way: str) -> TableSource:
    """The source under one of the ways; where nothing is missing all are alike, and it stays as it is."""
    has_missing = np.array([one.has_missing for one in source.vocabulary.columns], bool)
    return source if way == BRANCH or not has_missing.any() else SOURCES[way](source, has_missing)
