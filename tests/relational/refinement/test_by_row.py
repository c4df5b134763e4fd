"""Answers of rows that are kept, grown, evicted or thrown away at once are those that are joined for each node."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from tests.relational.random_databases import random_tables
from tests.relational.refinement.test_plans import answers_of, check_plans, grown

from petree.relational.kept import KeptArrays
from petree.relational.queries.terms import Atom
from petree.relational.refinement import by_row, lines, outlines
from petree.relational.refinement.by_row import RowTests
from petree.relational.refinement.lines import Lines
from petree.relational.refinement.plans import Plan
from petree.relational.source import RelationalSource


def grown_source(seed: int = 0) -> RelationalSource:
    database = random_tables(seed, n=20).database()
    return grown(database, "thing.class", aggregates=("count", "mean"), max_links=2)


@pytest.fixture
def lengthened(monkeypatch: pytest.MonkeyPatch) -> dict[int, set[int]]:
    """How many lines there was room for, of all that were made."""
    found: dict[int, set[int]] = {}
    every: list[Lines] = []
    lengthen = Lines.lengthen

    def counted(self: Lines, n_more: int) -> None:
        every.append(self)  # so that no others have its id
        found.setdefault(id(self), set()).add(len(self.codes))
        lengthen(self, n_more)
        found[id(self)].add(len(self.codes))

    monkeypatch.setattr(Lines, "lengthen", counted)
    return found


def test_lines_that_are_lengthened_twice(monkeypatch: pytest.MonkeyPatch, lengthened: dict[int, set[int]]) -> None:
    monkeypatch.setattr(lines, "RESERVED", 0)
    monkeypatch.setattr(lines, "LONGER", 1)
    monkeypatch.setattr(by_row, "BYTES_AT_ONCE", 500)
    check_plans(grown_source())
    assert max(map(len, lengthened.values())) > 2


@pytest.mark.parametrize("at_once", [1, 300, 3000])
@pytest.mark.parametrize("most_bytes", [0, 150, 400, 1500])
def test_lines_that_are_evicted_or_too_large(
    monkeypatch: pytest.MonkeyPatch, lengthened: dict[int, set[int]], most_bytes: int, at_once: int
) -> None:
    monkeypatch.setattr(by_row, "BYTES_AT_ONCE", at_once)
    source = grown_source()
    n_made = len(lengthened)
    monkeypatch.setattr(outlines, "ROW_BYTES", most_bytes)
    source = grown_source()
    check_plans(source)
    assert source.refiner.outlines.rows.n_bytes <= most_bytes
    assert len(lengthened) > 2 * n_made


def test_no_more_is_kept_than_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even while lines are added: what has no room is answered beside them."""
    monkeypatch.setattr(outlines, "ROW_BYTES", 400)
    sizes: list[int] = []
    add = RowTests._add

    def watched(self: RowTests, groups: Any, found: Lines, most: int, kept: KeptArrays) -> bool:
        has_all = add(self, groups, found, most, kept)
        sizes.append(found.n_bytes)
        return has_all

    monkeypatch.setattr(RowTests, "_add", watched)
    check_plans(grown_source())
    assert 200 < max(sizes) <= 400


def test_lines_that_are_copied_count_twice() -> None:
    made = Lines(10, 3, 2)
    every = np.arange(10, dtype=np.int32)
    made.lengthen(len(made.number(every[:4], every)[1]))
    assert made.n_bytes_with(2) == made.n_bytes + 2 * (3 + 2 * 4)
    made.codes = made.codes[:5]
    assert made.n_bytes_with(2) == made.n_bytes + (2 + 5) * (3 + 2 * 4)


def test_what_is_taken_back_is_numbered_again() -> None:
    made = Lines(10, 3, 0)
    every = np.arange(10, dtype=np.int32)
    rows = np.array([7, 2, 7], np.int32)
    for _ in range(2):
        found, added = made.number(rows, every)
        assert (found.tolist(), added.tolist()) == ([1, 2, 1], [7, 2])
        made.take_back(added)


def plans_of(source: RelationalSource) -> Iterator[tuple[Plan, list[Any]]]:
    """The plans of a tree, each with the answers of its nodes."""
    by_plan: dict[Plan, list[Any]] = {}
    for state in source.states:
        by_plan.setdefault(source.plan(state), []).append(answers_of(source, state))
    yield from by_plan.items()


def forget(plan: Plan) -> None:
    """As if nothing had been looked up."""
    rows = plan.outlines.rows
    rows._found.clear()
    rows.n_bytes = 0


def test_lines_that_an_error_left_unwritten_are_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    source = grown_source()
    expected = [plan.tabulate(nodes)[0] for plan, nodes in plans_of(source)]
    answer = RowTests._answer
    for (plan, nodes), codes in zip(plans_of(source), expected, strict=True):
        forget(plan)
        monkeypatch.setattr(RowTests, "_answer", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            plan.tabulate(nodes)
        monkeypatch.setattr(RowTests, "_answer", answer)
        assert np.array_equal(plan.tabulate(nodes)[0], codes)


def _interrupted(self: RowTests, groups: Any, found: Lines, first: int, most: int) -> None:
    found.codes[:] = 7
    raise KeyboardInterrupt


@pytest.mark.parametrize("most_bytes", [300, 10**6])
def test_two_threads_at_the_same_tests(monkeypatch: pytest.MonkeyPatch, most_bytes: int) -> None:
    monkeypatch.setattr(lines, "RESERVED", 0)
    monkeypatch.setattr(by_row, "BYTES_AT_ONCE", 400)
    monkeypatch.setattr(outlines, "ROW_BYTES", most_bytes)
    source = grown_source()
    plans = list(plans_of(source))
    expected = [plan.tabulate(nodes)[0] for plan, nodes in plans]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(2) as threads:
            for (plan, nodes), codes in zip(plans, expected, strict=True):
                forget(plan)
                for found in threads.map(plan.tabulate, [nodes] * 4):
                    assert np.array_equal(found[0], codes)
    finally:
        sys.setswitchinterval(interval)


def test_packs_are_numbered_when_they_are_made() -> None:
    """Two threads that ask first at the same time must not plan them anew."""
    for plan, _ in plans_of(grown_source()):
        for entry, members in plan._by_entry.items():
            if entry is not None:
                made = vars(RowTests.of(plan.scope, entry, [family for _, family in members]))
                joins = [one for one in made["pack"].every if isinstance(one.literal, Atom)]
                assert made["joins"] == {join: number for number, join in enumerate(joins)}
                assert len(made["most_pairs"]) == len(joins)


def test_nothing_outlives_the_outlines_of_a_fit() -> None:
    """No cycle keeps answers of rows until the collector of cycles runs."""
    gc.collect()
    gc.disable()
    try:
        source = grown_source()
        known = [weakref.ref(part.tests) for plan, _ in plans_of(source) for part in plan.parts]
        del source
        assert known
        assert [one() for one in known] == [None] * len(known)
    finally:
        gc.enable()
