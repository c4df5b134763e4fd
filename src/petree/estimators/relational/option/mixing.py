"""Examples of a database sent down all ways of a tree with options whose tests are queries."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from petree.bayes import Shares
from petree.columns import Column
from petree.conditions import THRESHOLD, UNSEEN, Conditions
from petree.inputs import Table
from petree.relational.columns_of_queries import QueryColumns
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.scope import Scope
from petree.routing import Mixer
from petree.threads import Threads
from petree.tree import Tree


@dataclass(frozen=True, eq=False)
class QueryMixer:
    """The distinct tests of a tree with options as columns of codes, and the same tree with tests of these columns."""

    tests: QueryColumns
    mixer: Mixer

    @classmethod
    def of(cls, tree: Tree, shares: Shares, scope: Scope) -> Self:
        """Each test is asked behind the empty query, whose scope this is."""
        places: dict[str, int] = {}
        extras = tree.conditions.extras
        rows = tree.conditions.value.astype(np.intp).tolist()
        which = np.array([places.setdefault(extras[row][0], len(places)) for row in rows], np.intp)
        tests = QueryColumns(scope, tuple(parse_literals(text) for text in places))
        column = tests.grouped.columns[which]
        value = tests.grouped.cuts[which] + 0.5
        names = tuple(Column(str(place)) for place in range(tests.grouped.n_columns))
        n = len(which)
        conditions = Conditions.from_arrays(names, [THRESHOLD] * n, column, value, [UNSEEN] * n)
        return cls(tests, Mixer.of(replace(tree, conditions=conditions), shares))

    def table(self, examples: Table, threads: Threads) -> Table:
        """The codes of examples, given as a table of one column that has their rows in the target table."""
        codes = self.tests.codes(np.asarray(examples.arrays[0]).astype(np.int32), threads)
        return Table(self.mixer.tree.conditions.columns, tuple(codes.T), len(codes), codes)
