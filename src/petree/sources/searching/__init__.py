"""Ways to search the rows of a table for the best tests of nodes, all with the methods of `Searcher`.

By the value of a score that the compiled loops know (`ByValue`), by the ratio of two (`ByRatio`), by Buntine's quality
(`ByEvidence`), or by a score in Python (`ByScore`).
"""

from petree.sources.searching.making import searcher_of
from petree.sources.searching.searcher import Searcher

__all__ = ["Searcher", "searcher_of"]
