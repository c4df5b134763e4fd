"""Which servers a test asks, and scripts of SQL."""

from __future__ import annotations

from typing import Any

import pytest

sa = pytest.importorskip("sqlalchemy")

SERVERS = ["sqlite", "postgres", "duckdb"]
SCHEMA = """
CREATE TABLE clinic (name VARCHAR(20) PRIMARY KEY, beds INTEGER, rating DOUBLE PRECISION);
CREATE TABLE opening (clinic VARCHAR(20) REFERENCES clinic (name), day INTEGER, PRIMARY KEY (clinic, day));
CREATE TABLE visit (
    id INTEGER PRIMARY KEY, clinic VARCHAR(20), day INTEGER, price DECIMAL(10, 2), is_first BOOLEAN, since DATE,
    moment TIMESTAMP, again INTEGER,
    FOREIGN KEY (clinic, day) REFERENCES opening (clinic, day), FOREIGN KEY (again) REFERENCES visit (id)
);
INSERT INTO clinic VALUES ('north', 10, 1.5), ('south', NULL, NULL);
INSERT INTO opening VALUES ('north', 1), ('north', 2), ('south', 1);
INSERT INTO visit VALUES (5, 'south', 1, 2.25, TRUE, '1970-01-03', '1970-01-01 12:00:00.000000', NULL);
INSERT INTO visit VALUES (6, 'north', 2, NULL, FALSE, NULL, NULL, 5);
INSERT INTO visit VALUES (7, 'north', NULL, 1.00, NULL, '1969-12-31', '1970-01-02 00:00:00.000000', 6)
"""


def execute(engine: Any, script: str) -> None:
    with engine.begin() as connection:
        for statement in script.split(";\n"):
            connection.execute(sa.text(statement))


everywhere = pytest.mark.parametrize("address", SERVERS, indirect=True)
in_sqlite = pytest.mark.parametrize("address", ["sqlite"], indirect=True)
