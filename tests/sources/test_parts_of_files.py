"""A source of another kind, whole: rows in several files, of which it keeps nothing but counts.

It has no more than the methods that growing asks for, and nothing above it knows of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from tests.growing.checks import assert_same_tree
from tests.pruning.grown import make_cases, make_recipe
from tests.sources.made import make_table

from petree.binning import Exact
from petree.columns import NUMBER, Column
from petree.conditions import EQUALS, IS_MISSING, THRESHOLD, Conditions
from petree.estimators.learning.cases import Cases
from petree.estimators.learning.learner import learn
from petree.estimators.learning.recipe import SourceMaker
from petree.inputs import Table, table_of
from petree.pruning import Chi, Rand
from petree.sources.base import Nodes, Source, Splits
from petree.sources.coding import BinnedColumn, Vocabulary
from petree.sources.found import TEST, Best
from petree.sources.rows import ColumnCodes, Rows
from petree.sources.searching import searcher_of
from petree.sources.weights import NO_FRACTIONS, Weights
from petree.splitting.base import Scores
from petree.threads import Threads

N_ROWS = 180


class PartsSource(Source):
    """Files of the same columns, one of which is in memory at a time; a handle is a node's place in `above`.

    For scores whose best test is the best of those of all columns, which that of a ratio is not.
    """

    def __init__(self, maker: PartsMaker, cases: Cases, split: Scores, min_samples_leaf: int, threads: Threads) -> None:
        self.maker, self.cases, self.threads = maker, cases, threads
        self.vocabulary = Vocabulary(tuple(self._binned()), "binary")
        self.searcher = searcher_of(split, "binary", min_samples_leaf, cases.targets)
        self.above: list[tuple[tuple[Any, bool], ...]] = [()]  # the tests above each node, and whether they hold

    def root(self) -> Nodes:
        return self._nodes(0)

    def n_tests(self, nodes: Nodes) -> NDArray[np.int64]:
        return np.full(len(nodes), self.vocabulary.n_tests(len(self.cases.classes)))

    def best_splits(self, nodes: Nodes) -> Splits:
        best = Best.none(len(nodes))
        for column, counts in enumerate(self._count(nodes.handles)):
            rows, slices = _as_rows(counts, self.vocabulary.columns[column])
            found = self.searcher.best_by_column(rows, replace(nodes, handles=slices), self.threads)[0]
            found.test["column"][found.test["column"] >= 0] = column
            best.merge(np.arange(len(nodes)), found)
        node = np.flatnonzero(best.test["column"] >= 0)
        return Splits(node, self.searcher.scoring.score_of(best.value[node], nodes.counts[node]), best.test[node])

    def divide(self, nodes: Nodes, splits: Splits) -> tuple[Nodes, NDArray[np.intp]]:
        first = len(self.above)
        for handle, test in zip(nodes.handles.tolist(), splits.tests, strict=True):
            self.above += [(*self.above[handle], (test, holds)) for holds in (True, False)]
        return self._nodes(first), np.full(len(splits), 2)

    def conditions(self, waves: Sequence[NDArray[Any]]) -> Conditions:
        tests = np.concatenate([np.empty(0, TEST), *waves])
        return self.vocabulary.conditions(tests["column"], tests["kind"], tests["cut"], tests["missing"])

    # -- reading and counting -----------------------------------------------------------------------------

    def _read(self) -> Iterator[tuple[list[NDArray[Any]], NDArray[np.intp]]]:
        """Values of the cases in each file, and the places of these among all cases."""
        place = np.full(self.cases.whole.n_rows, -1)
        place[self.cases.table.arrays[0]] = np.arange(len(self.cases.codes))
        start = 0
        for path in self.maker.paths:
            arrays = table_of(pd.read_csv(path), known=self.maker.columns).arrays
            places = place[start : start + len(arrays[0])]
            start += len(arrays[0])
            yield [array[places >= 0] for array in arrays], places[places >= 0]

    def _binned(self) -> Iterator[BinnedColumn]:
        """How columns are coded: a cut half way between any two values that follow each other."""
        parts = [[np.unique(array) for array in arrays] for arrays, _ in self._read()]
        for place, column in enumerate(self.maker.columns):
            values, is_number = np.concatenate([part[place] for part in parts]), column.kind == NUMBER
            is_missing = np.isnan(values) if is_number else values < 0
            cuts = Exact().thresholds(values[~is_missing], np.empty(0), None, 0) if is_number else np.empty(0)
            n_bins = len(cuts) + 1 if is_number else len(column.categories)
            centres = np.unique(values[~is_missing]) if is_number and not is_missing.all() else np.empty(0)
            yield BinnedColumn(column, cuts, n_bins, bool(is_missing.any()), bool(is_missing.all()), centres)

    def _nodes(self, first: int) -> Nodes:
        """The nodes from this handle on."""
        handles = np.arange(first, len(self.above))
        counts = self._count(handles)[0].sum(axis=1)
        return Nodes(handles, counts.astype(np.float64), counts.sum(axis=1))

    def _count(self, handles: NDArray[np.intp]) -> list[NDArray[np.int64]]:
        """For each column the cases of (node, code, class), summed over the files."""
        columns = self.vocabulary.columns
        counts = [np.zeros((len(handles), one.n_bins + 1, len(self.cases.classes)), np.int64) for one in columns]
        for arrays, places in self._read():
            codes = [_codes(array, column) for array, column in zip(arrays, columns, strict=True)]
            for node, handle in enumerate(handles.tolist()):
                reach = np.ones(len(places), bool)
                for test, holds in self.above[handle]:
                    reach &= _holds(test, codes[test["column"]], columns[test["column"]].n_bins) == holds
                for table, code in zip(counts, codes, strict=True):
                    np.add.at(table[node], (code[reach], self.cases.codes[places[reach]]), 1)
        return counts


def _codes(values: NDArray[Any], column: BinnedColumn) -> NDArray[np.intp]:
    is_missing = np.isnan(values) if column.column.kind == NUMBER else values < 0
    known = np.searchsorted(column.thresholds, values, "right") if column.column.kind == NUMBER else values
    return np.where(is_missing, column.n_bins, known).astype(np.intp)


def _holds(test: Any, codes: NDArray[np.intp], missing: int) -> NDArray[np.bool_]:
    if test["kind"] == IS_MISSING:
        return codes == missing
    known = {THRESHOLD: codes <= test["cut"], EQUALS: codes == test["cut"]}[int(test["kind"])]
    return np.where(codes == missing, test["missing"] == 0, known)


def _as_rows(counts: NDArray[np.int64], column: BinnedColumn) -> tuple[Rows, NDArray[np.int64]]:
    """The counts of one column as rows of so many copies, and the slice of each node."""
    node, code, classes = np.nonzero(counts)
    kind, first = np.array([column.kind("binary")], np.int64), np.zeros(1, np.int32)
    narrow, wide = np.hsplit(code[:, None], [0 if column.is_wide else 1])
    rows = Rows(
        ColumnCodes(
            np.array([column.n_bins], np.int64), kind, first, first.astype(np.intp), np.zeros(1, np.int64),
            column.positions if kind[0] == THRESHOLD else np.empty(0),
        ),
        narrow.astype(np.uint8), wide.astype(np.uint32), classes.astype(np.uint16), counts.shape[2],
        Weights(counts[node, code, classes].astype(np.uint32), NO_FRACTIONS), np.arange(len(node), dtype=np.uint32),
    )  # fmt: skip
    stops = np.cumsum(np.bincount(node, minlength=len(counts)))
    return rows, np.column_stack((np.append(0, stops[:-1]), stops))


@dataclass(frozen=True)
class PartsMaker(SourceMaker[PartsSource]):
    """Makes it of cases without weights, whose table has the numbers of their rows, counted through the files."""

    paths: Sequence[Path]
    columns: Sequence[Column]

    def source(self, cases: Cases, split: Scores, min_samples_leaf: int, threads: Threads) -> PartsSource:
        return PartsSource(self, cases, split, min_samples_leaf, threads)


def make_both(folder: Path, factors: Any = None) -> tuple[Cases, Cases, PartsMaker]:
    """Cases of a table in memory, the same in three files, and what makes the source of these."""
    frame, noise = make_table(3, N_ROWS, 3)
    signal = (frame["number"] > 0).to_numpy(int) + (frame["letter"] == "x").to_numpy(int)
    codes = np.where(np.arange(N_ROWS) % 5 < 3, signal, noise)
    paths = [folder / f"part-{number}.csv" for number in range(3)]
    for path, rows in zip(paths, np.split(np.arange(N_ROWS), [20, 100]), strict=True):
        frame.iloc[rows].to_csv(path, index=False)
    cases = make_cases(frame, codes, factors=None if factors is None else np.array(factors))
    numbers = Table((Column("row"),), (np.arange(N_ROWS),), N_ROWS)
    return cases, replace(cases, whole=numbers), PartsMaker(paths, cases.table.columns)


@pytest.mark.parametrize("pruning", ["none", "bic", "chi", Chi(when="pre"), "error_based"], ids=str)
@pytest.mark.parametrize("factors", [None, (1.0, 2.5, 0.5)], ids=["equal classes", "weighted classes"])
def test_files_grow_the_tree_of_the_whole_table(pruning: Any, factors: Any, tmp_path: Path) -> None:
    whole, parts, maker = make_both(tmp_path, factors)
    recipe = make_recipe(pruning)
    some = np.random.default_rng(0).permutation(N_ROWS)[:120]
    for one, other in ((whole, parts), (whole.take(some), parts.take(some))):
        expected = learn(recipe, one, Threads(1))[0]
        tree = learn(replace(recipe, maker=maker), other, Threads(1))[0]
        assert expected.n_leaves > 2
        assert_same_tree(expected, tree)
        assert [str(one) for one in expected.conditions] == [str(one) for one in tree.conditions]


def test_what_a_source_cannot_do_is_refused_in_a_sentence(tmp_path: Path) -> None:
    _, parts, maker = make_both(tmp_path)
    with pytest.raises(
        ValueError, match="PartsSource cannot permute the classes of its cases; choose a pruning criterion"
    ):
        learn(replace(make_recipe(Rand(permutations=20)), maker=maker), parts, Threads(1))
    source = maker.source(parts, make_recipe().split, 1, Threads(1))
    with pytest.raises(ValueError, match="PartsSource cannot list all tests of a node"):
        source.candidates(source.root())
    with pytest.raises(ValueError, match="PartsSource cannot tell the rows of a node"):
        source.rows_of(source.root().handles)
    with pytest.raises(ValueError, match="PartsSource cannot permute the classes"):
        source.permuted(0, np.uint64(0))


def test_a_source_must_say_all_that_growing_asks() -> None:
    class Root(Source):
        def root(self) -> Nodes:
            return Nodes(np.zeros(1), np.zeros((1, 2)), np.zeros(1, np.int64))

    with pytest.raises(TypeError, match="abstract"):
        Root()  # type: ignore[abstract]
