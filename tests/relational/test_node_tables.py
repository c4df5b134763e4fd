"""What children take over of the table of tests above them is what they would answer if they were asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.relational.estimator.test_later_fits import SETTINGS, fitted, told
from tests.relational.random_databases import random_tables

from petree.relational import node_tables
from petree.relational.node_tables import NodeTables, joined
from petree.relational.refinement.tabulation import Layout, LocalTable
from petree.relational.source import RelationalSource

LAYOUT = Layout.of([])


def codes(*lines: list[int]) -> LocalTable:
    return LocalTable(np.array(lines, np.uint8), LAYOUT)


@pytest.mark.parametrize("settings", SETTINGS)
def test_what_is_taken_over_is_what_would_be_answered(
    settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = []
    tabulate = RelationalSource._tabulate

    def compare(source: RelationalSource, plan: Any, handles: list[int]) -> Any:
        found = tabulate(source, plan, handles)
        compared.append(any(source._tables.left(handle) is not None for handle in handles))
        np.testing.assert_array_equal(found[0], source._ask(plan, handles)[0])
        return found

    monkeypatch.setattr(RelationalSource, "_tabulate", compare)
    for seed in range(3):
        fitted(random_tables(seed, n=40).database(), **settings)
    assert any(compared)


def test_trees_do_not_depend_on_the_room_for_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    with_room = [told(fitted(random_tables(5, n=30).database(), **one)) for one in SETTINGS]
    monkeypatch.setattr(node_tables, "OPEN_BYTES", 200)
    monkeypatch.setattr(node_tables, "KEPT_BYTES", 200)
    assert [told(fitted(random_tables(5, n=30).database(), **one)) for one in SETTINGS] == with_room


def test_only_parts_of_whole_tables_are_taken_over() -> None:
    tables = NodeTables()
    tables.add(0, codes([1, 2], [3, 4], [5, 6]), is_whole=True)
    tables.add(1, codes([7, 8]), is_whole=False)
    tables.divide({3: (0, np.array([True, False, True])), 5: (1, np.array([True]))})
    assert tables.left(3).tolist() == [[1, 2], [5, 6]]
    assert tables.left(4) is None
    assert tables.left(5) is None
    tables.divide({7: (3, np.array([True, False]))})  # the node was not asked
    assert tables.left(3) is None
    assert tables.left(7) is None


def test_tables_are_added_as_long_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_tables, "OPEN_BYTES", 4)
    monkeypatch.setattr(node_tables, "KEPT_BYTES", 6)
    tables = NodeTables()
    for handle in range(4):
        tables.add(handle, codes([handle, 0]), is_whole=True)
    assert [tables.find(handle) is not None for handle in range(4)] == [True, True, True, False]
    all_left = np.array([True])
    tables.divide({handle + 4: (handle, all_left) for handle in range(4)})
    assert [tables.left(handle + 4) is not None for handle in range(4)] == [True, True, False, False]


def test_tables_of_nodes_are_put_together_in_their_order() -> None:
    one, two = np.array([[1], [2]], np.uint8), np.array([[3]], np.uint8)
    others = np.array([[4], [5], [6]], np.uint8)
    assert joined([None, one, None, two], others, [1, 2, 2, 1]).ravel().tolist() == [4, 1, 2, 5, 6, 3]
    assert joined([None, None], others, [1, 2]) is others
