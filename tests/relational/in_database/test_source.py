"""A source of tables that stay in their database tells how far it has come."""

from __future__ import annotations

import pytest
from tests.relational.random_databases import random_tables

from petree import progress

pytest.importorskip("sqlalchemy")

from tests.relational.in_database.made import both_ways, fitted, write
from tests.relational.in_database.test_same_trees import in_sqlite


@in_sqlite
def test_a_fit_tells_how_many_examples_are_done(address: str) -> None:
    made = random_tables(3, 20)
    write(made, address)
    told: list[tuple[int, int]] = []
    with progress.watched_by(lambda doing, done, total, item="": told.append((done, total))):
        fitted(both_ways(made, address)[1], list(made.tables["thing"]["id"]), max_depth=3)
    assert told[0] == (0, 20)
    assert told == sorted(told)
