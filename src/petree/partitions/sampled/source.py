"""Data in parts as a source whose upper nodes have tests that a sample of the rows has chosen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petree.growing.grower import Stopping
from petree.partitions.code_tree import CodeTree
from petree.partitions.counting import Layout, new_token
from petree.partitions.ground import Ground
from petree.partitions.sampled.counting import CountTree, Tally
from petree.partitions.sampled.drawing import Drawing, DrawRows
from petree.partitions.sampled.rounds import AllRows, Rounds, Sample, least_of_sample
from petree.partitions.sampled.upper_tree import UpperTree, joined
from petree.partitions.source import PartitionedSource, SearcherOf
from petree.partitions.tables import gathered_rows
from petree.sources.base import Nodes, Splits
from petree.sources.coding import BinnedColumn
from petree.sources.quality import EvidenceOfTests
from petree.sources.searching.leading import Lead
from petree.tree import offsets, ranges


@dataclass(frozen=True)
class SampleRules:
    """How tests are chosen on a sample: which rows are drawn, how sure they must be, and when nodes stay leaves."""

    drawing: Drawing
    ratio: float
    stopping: Stopping


class SampledSource(PartitionedSource):
    """Rows in parts, of which a sample has chosen tests before growing begins; the others are found as ever.

    Parameters
    ----------
    ground, columns, layout, searcher_of, tests
        As `PartitionedSource` has them.
    rules : SampleRules
    """

    def __init__(
        self,
        ground: Ground,
        columns: tuple[BinnedColumn, ...],
        layout: Layout,
        searcher_of: SearcherOf,
        tests: str,
        rules: SampleRules,
    ) -> None:
        self._rules = rules
        super().__init__(ground, columns, layout, searcher_of, tests)
        sample = self._sample()
        self._upper = UpperTree(self.root(), sample.rows.root(), len(columns))
        all_rows = AllRows(self._tally, self._most_counted, layout, self.searcher, self.vocabulary)
        rounds = Rounds(self._upper, sample, all_rows, rules.stopping)
        rounds.run()
        self._tree = self._upper.tree
        self._token = new_token() if rounds.begins_anew else self._token

    def _look(self, columns: tuple[BinnedColumn, ...]) -> tuple[Nodes, tuple[BinnedColumn, ...]]:
        """The root and the columns, and the sample with them."""
        drawn = self.ground.engine.reduce(DrawRows(self.layout, self._rules.drawing), self.ground.parts)
        self._pieces = list(drawn.pieces)
        counts = self.layout.amounts.weigh(drawn.amounts[:, : self.layout.n_classes])
        sizes = drawn.amounts[:, -1] if self.layout.amounts.counts_rows else drawn.amounts.sum(axis=1)
        return Nodes(np.zeros(1, np.intp), counts, sizes), drawn.among(columns, self.layout.columns.places)

    def _sample(self) -> Sample:
        """The sample, which nobody else keeps."""
        rows, _ = gathered_rows(self.layout, self._pieces, 1)
        del self._pieces
        scoring = self.searcher.scoring
        least = least_of_sample(scoring.min_samples_leaf, self._rules.drawing.run)
        evidence = EvidenceOfTests.of(scoring.split, self.root().counts[0], scoring.class_weight)
        return Sample(rows, self.searcher.leaving(least), Lead(evidence, self._rules.ratio), self.ground.threads)

    def _tally(self, tree: CodeTree, nodes: NDArray[np.intp], columns: NDArray[np.uint8], begins_anew: bool) -> Tally:
        """All rows counted in the leaves of a tree, and some of its nodes by code in some columns."""
        self._token = new_token() if begins_anew else self._token
        self._tree = tree
        return self.ground.engine.reduce(CountTree(*self._asked(nodes), columns), self.ground.parts)

    # -- growing ------------------------------------------------------------------------------------------

    def best_splits(self, nodes: Nodes) -> Splits:
        """Those of the upper tree, and the best tests of all rows elsewhere."""
        upper = self._upper
        is_known = self._is_known(nodes.handles)
        known = np.flatnonzero(is_known)
        known = known[upper.has_test[nodes.handles[known]]]
        handles = nodes.handles[known]
        splits = Splits(known, upper.gains[handles], upper.tree.tests[handles])
        others = np.flatnonzero(~is_known)
        if not len(others):
            return splits
        found = super().best_splits(nodes.take(others))
        places = np.append(known, others[found.node])
        both = Splits(places, np.append(splits.gain, found.gain), np.append(splits.tests, found.tests))
        return both.take(np.argsort(places))

    def divide(self, nodes: Nodes, splits: Splits) -> tuple[Nodes, NDArray[np.intp]]:
        is_known = self._is_known(nodes.handles)
        known = np.flatnonzero(is_known)
        others = np.flatnonzero(~is_known)
        upper = self._upper
        children = upper.exact(upper.children_of(nodes.handles[known]))
        n_children = np.empty(len(nodes), np.intp)
        n_children[known] = upper.tree.n_children[nodes.handles[known]]
        if not len(others):
            return children, n_children
        found, n_children[others] = super().divide(nodes.take(others), splits.take(others))
        both = joined(children, found)
        starts = np.empty(len(nodes), np.intp)
        in_order = np.append(known, others)
        starts[in_order] = offsets(n_children[in_order])[:-1]
        return both.take(ranges(starts, starts + n_children)), n_children

    def _is_known(self, handles: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Whether the test of a node, or that it has none, was found before growing began."""
        is_known = self._upper.has_test | self._upper.is_final
        return np.append(is_known, False)[np.minimum(handles, len(is_known))]

    def _fits(self, nodes: Nodes) -> NDArray[np.bool_]:
        return super()._fits(nodes) & ~self._is_known(nodes.handles)
