"""A session survives errors and interrupts, and leaves no tables behind."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.relational.random_databases import MadeTables, random_tables

pytest.importorskip("sqlalchemy")

import sqlalchemy as sa
from tests.relational.in_database.made import both_ways, fitted, write
from tests.relational.in_database.test_same_trees import everywhere, in_sqlite


@everywhere
def test_an_error_leaves_the_session_usable(address: str) -> None:
    made = random_tables(1, 20)
    write(made, address)
    memory, inside = both_ways(made, address)
    assert inside.server is not None
    keys = memory.keys("thing")
    expected = fitted(memory, keys, max_depth=2).export_text()
    for _ in range(2):
        with pytest.raises(ValueError, match="refused"):
            inside.server.session.rows("SELECT nothing FROM nowhere")
        assert fitted(inside, keys, max_depth=2).export_text() == expected
    inside.server.session.close()
    assert fitted(inside, keys, max_depth=2).export_text() == expected


@everywhere
def test_an_interrupt_anywhere_leaves_the_session_usable(address: str) -> None:
    made = random_tables(1, 20)
    write(made, address)
    memory, inside = both_ways(made, address)
    assert inside.server is not None
    keys = memory.keys("thing")
    expected = fitted(memory, keys, max_depth=2).export_text()
    statements_left: list[int] = [-1]

    @sa.event.listens_for(inside.server.session._engine, "do_execute")
    @sa.event.listens_for(inside.server.session._engine, "do_execute_no_params")
    def interrupt(*_: Any) -> None:
        statements_left[0] -= 1
        if statements_left[0] == 0:
            raise KeyboardInterrupt

    for number in range(1, 40, 3):
        statements_left[0] = number
        try:
            fitted(inside, keys, max_depth=2)
        except KeyboardInterrupt:
            statements_left[0] = -1
        else:
            break
        assert fitted(inside, keys, max_depth=2).export_text() == expected
    assert number > 9


@in_sqlite
def test_fits_leave_no_tables_of_their_examples(address: str) -> None:
    made = random_tables(3, 20)
    write(made, address)
    _, inside = both_ways(made, address)
    assert inside.server is not None
    keys = list(inside.keys("thing"))
    counts = []
    for number in range(4):
        fitted(inside, random.Random(number).sample(keys, 15), max_depth=2)
        counts += inside.server.session.rows("SELECT COUNT(*) FROM sqlite_temp_master")
    assert len(set(counts)) == 1


@pytest.mark.parametrize("address", ["postgres", "duckdb"], indirect=True)
def test_moments_with_a_time_zone_are_those_of_utc(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if address.startswith("duckdb"):
        pytest.importorskip("pytz")
    engine = sa.create_engine(address)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE thing (id INTEGER PRIMARY KEY, class VARCHAR)")
        connection.exec_driver_sql("CREATE TABLE visit (thing INTEGER, at TIMESTAMPTZ)")
        for k in range(16):
            connection.exec_driver_sql(f"INSERT INTO thing VALUES ({k}, '{'ab'[k < 6]}')")
            connection.exec_driver_sql(f"INSERT INTO visit VALUES ({k}, '2004-02-28 {k:02d}:30:00+00')")
    engine.dispose()
    made = MadeTables({}, ["visit.thing -> thing.id"], {"thing": "id"})
    monkeypatch.setenv("PGTZ", "Asia/Tokyo")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    memory, inside = both_ways(made, address)
    keys = memory.keys("thing")
    expected = fitted(memory, keys)
    model = fitted(inside, keys)
    assert "2004-02-28 06:00:00" in str(expected.sentence(0))
    assert model.export_text() == expected.export_text()
    assert (expected.predict(keys, database=inside) == expected.predict(keys)).all()
