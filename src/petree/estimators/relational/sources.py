"""Examples of several tables as a source."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from petree import progress
from petree.caching import cached_property
from petree.columns import Column
from petree.estimators.learning.cases import Cases
from petree.estimators.learning.recipe import SourceMaker
from petree.relational.bias.grounding import Grounding
from petree.relational.bias.modes import Bias
from petree.relational.database import Database
from petree.relational.node_tables import NodeTables
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.refinement.further import FurtherConditions
from petree.relational.refinement.outlines import Outlines
from petree.relational.refinement.plans import Plans
from petree.relational.refinement.refiner import Refiner
from petree.relational.routing import RelationalRouter
from petree.relational.source import RelationalSource
from petree.sources.base import Nodes, Splits
from petree.sources.coding import Binning
from petree.sources.rows import Rows
from petree.sources.searching import Searcher, searcher_of
from petree.splitting.base import Scores
from petree.threads import Threads
from petree.tree import Tree

if TYPE_CHECKING:
    from petree.relational.in_database.server import Server

Floats = NDArray[np.float64]
Told = tuple[Database, str, NDArray[np.int32], NDArray[np.intp], int, Floats | None, Binning, int, int]
# The one column of a table of examples.
ROW = Column("row")


class FittedSource(RelationalSource):
    """The source of a fit, which tells how far it has come, and lets go of what it found while other trees grow."""

    def best_splits(self, nodes: Nodes) -> Splits:
        progress.report("examples in leaves", len(self.rows) - int(nodes.sizes.sum()), len(self.rows))
        return super().best_splits(nodes)

    def forget(self) -> None:
        self._answers.clear()
        self._holds.clear()
        self._tables = NodeTables()


@dataclass(frozen=True)
class RelationalSourceMaker(SourceMaker[RelationalSource]):
    """Makes sources of several tables.

    Parameters
    ----------
    binning : Binning
        How thresholds are chosen.
    scope : Scope
        Of the empty query.
    bias : Bias
        What may be asked; constants and thresholds come from the cases.
    min_examples : int
        Cases in which a constant must occur to be tried.
    max_answers : int
        Most answers of a query.
    outlines : Outlines, optional
        What all trees that are made from it have in common, and earlier fits.
    """

    binning: Binning
    scope: Scope
    bias: Bias
    min_examples: int = 1
    max_answers: int = 20_000_000
    outlines: Outlines = field(default_factory=Outlines, repr=False, compare=False)

    def leave(self) -> None:
        """Leave what was found out to later fits of the database."""
        self.nearest.outlines.leave(self.nearest.scope.database)

    def route(self, tree: Tree) -> RelationalRouter:
        """What sends examples down a tree that has grown from these sources."""
        return RelationalRouter.of(tree, self.nearest.scope, self.nearest.outlines.asked)

    def check(self, tree: Tree, cases: Cases) -> None:
        """Raise if a database sends the cases to other nodes of their tree than it did while growing."""
        server = self.scope.database.server
        if server is not None and self._read is None:
            from petree.relational.in_database.routing import check_routing

            check_routing(self.route(tree), server, np.asarray(cases.table.arrays[0], np.int32))

    @property
    def nearest(self) -> RelationalSourceMaker:
        """What makes the sources: of tables in memory where those of a database are so small that they are read."""
        return self._read or self  # itself is not kept, since a cycle would keep all that was found out

    @cached_property
    def _read(self) -> RelationalSourceMaker | None:
        database = self.scope.database
        if database.server is None:
            return None
        from petree.relational.in_database.small import in_memory

        every = {name: set(range(len(one.columns))) for name, one in database.relations.items()}
        scope = in_memory(self.scope, every)
        return None if scope is None else replace(self, scope=scope, outlines=Outlines())

    def source(self, cases: Cases, split: Scores, min_samples_leaf: int, threads: Threads) -> RelationalSource:
        if self._read is not None:
            return self._read.source(cases, split, min_samples_leaf, threads)
        examples = np.asarray(cases.table.arrays[0], np.int32)
        database = self.scope.database
        told = (database, self.scope.relations[0], examples, cases.codes, len(cases.classes), cases.weights)
        limits = (self.binning, self.min_examples, self.max_answers)
        answers = Answers.of_examples(self.scope, examples, self.max_answers)
        rows = Rows.without_columns(cases.targets)
        searcher = searcher_of(split, "binary", min_samples_leaf, cases.targets)
        if database.server is not None:
            return in_database_source(database.server, self.bias, (*told, *limits), (answers, rows, searcher, threads))
        grounding = Grounding(*told, *limits)
        bias = grounding.ground(self.bias)
        n_rows = {name: relation.n_rows for name, relation in database.relations.items()}
        refiner = Refiner(database, bias, FurtherConditions(bias, grounding.with_thresholds, n_rows), self.outlines)
        source = FittedSource(refiner, answers, rows, searcher, threads)
        source.left_out = grounding.left_out  # thresholds of functions are still to be chosen while the tree grows
        return source


def in_database_source(
    server: Server, bias: Bias, told: Told, parts: tuple[Answers, Rows, Searcher, Threads]
) -> RelationalSource:
    """A source of tables that stay in their database; `told` is what a `Grounding` is told."""
    from petree.relational.in_database.grounding import InDatabaseGrounding
    from petree.relational.in_database.source import FittedInDatabaseSource

    with server.numbers(told[2]) as training:
        grounding = InDatabaseGrounding(*told, server=server, training=training)
        grounded = grounding.ground(bias)
    source = FittedInDatabaseSource(server, Plans(Refiner(told[0], grounded)), *parts)
    source.left_out = grounding.left_out
    return source
