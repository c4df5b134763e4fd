"""The same tree on threads and on executors; what fails on the way."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any

import pytest
from tests.growing.checks import assert_same_tree
from tests.partitions.executor import ByExecutor
from tests.partitions.made import LITTLE, UNEQUAL, code, make_frame, make_weights

from petree import ProbabilityTreeClassifier
from petree.partitions.engines import PartitionError, use
from petree.partitions.engines.base import in_pairs, in_runs, parts_of
from petree.partitions.partition import CodedData, Partition
from petree.progress import watched_by
from petree.tree import Tree

# A tree that takes several waves, and the default with its folds.
SETTINGS: list[dict[str, Any]] = [{"pruning": "bic", "smoothing": "laplace", "tests": "sets"}, {}]


def make_data() -> CodedData:
    frame, classes = make_frame(n_classes=2)
    return code(frame, classes, make_weights("copies"), UNEQUAL)


def fit(data: CodedData, workers: Any = None, n_jobs: int = 1, **parameters: Any) -> Tree:
    with use(workers, memory=LITTLE):
        return ProbabilityTreeClassifier(n_jobs=n_jobs, **parameters).fit(data).tree_


@dataclass(frozen=True)
class Broken:
    """A reader that fails."""

    n_rows: int
    name: str = "rows 7 to 250 of data.parquet"

    def read(self) -> Partition:
        raise OSError("the disk is gone")


@pytest.mark.parametrize("parameters", SETTINGS, ids=str)
def test_threads_and_executors_grow_the_same_tree(parameters: dict[str, Any]) -> None:
    data = make_data()
    expected = fit(data, **parameters)
    assert expected.n_leaves > 2
    assert_same_tree(expected, fit(data, n_jobs=2, **parameters))
    with ThreadPoolExecutor(2) as workers:
        assert_same_tree(expected, fit(data, ByExecutor(workers), **parameters))


def test_processes_grow_the_same_tree_and_name_what_fails() -> None:
    data = make_data()
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as workers:
        assert_same_tree(fit(data, **SETTINGS[0]), fit(data, ByExecutor(workers), **SETTINGS[0]))
        assert_names_the_part(ByExecutor(workers))


@pytest.mark.parametrize("workers", [None, ThreadPoolExecutor], ids=["threads", "executor"])
def test_a_part_that_fails_is_named(workers: Any) -> None:
    assert_names_the_part(None if workers is None else ByExecutor(workers(1)))


def assert_names_the_part(workers: Any) -> None:
    data = make_data()
    broken = replace(data, parts=(*data.parts[:2], Broken(243), data.parts[3]))
    with pytest.raises(PartitionError, match=r"rows 7 to 250 of data\.parquet: OSError: the disk is gone"):
        fit(broken, workers, **SETTINGS[0])


def test_empty_parts_are_left_out_and_runs_are_of_neighbours() -> None:
    parts = parts_of(make_data().parts)
    assert [(part.number, part.first_row) for part in parts] == [(0, 0), (1, 7), (2, 250)]
    assert [[part.number for part in run] for run in in_runs(parts, 2)] == [[0, 1], [2]]
    assert [len(run) for run in in_runs(parts, 9)] == [2, 1]  # the first one has but seven rows
    assert in_pairs(list("abcde"), lambda one, other: f"({one}{other})") == "(((ab)(cd))e)"


@pytest.mark.parametrize("workers", [None, ThreadPoolExecutor], ids=["threads", "executor"])
def test_who_watches_is_told_of_every_part(workers: Any) -> None:
    reported: list[tuple[int, int]] = []
    with watched_by(lambda doing, done, total, item="": reported.append((done, total))):
        fit(make_data(), None if workers is None else ByExecutor(workers(1)), **SETTINGS[0])
    n_begun = sum(done == 0 for done, _ in reported)
    assert n_begun > 2
    assert sum(done == total for done, total in reported) == n_begun
