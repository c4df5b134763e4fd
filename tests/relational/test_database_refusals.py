"""Databases that are refused, each in a sentence that says what is wrong and where."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.relational.test_database import ATOMS, LINK, MOLECULES

from petree.relational.database import ROW, Database


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"links": ["atom.x -> molecule.id"]},
            ValueError,
            "Table 'atom' has no column 'x'; its columns are molecule_id,",
        ),
        ({"links": ["atm.x -> molecule.id"]}, ValueError, "The database has no table 'atm'; it has molecule, atom"),
        ({"links": ["atom -> molecule.id"]}, ValueError, "'atom' names no column; write 'table.column'"),
        ({"links": ["atom.molecule_id"]}, ValueError, "must name two places"),
        ({"links": LINK}, TypeError, "links must be a sequence of links like .*, got the text"),
        (
            {"links": ["atom(molecule_id, element) -> molecule(id)"]},
            ValueError,
            "has 2 and 1 columns; it needs equally",
        ),
        ({"links": [(1, 2)]}, ValueError, "1 is no place in a database"),
        (
            {"links": ["molecule.id -> atom.molecule_id"]},
            ValueError,
            r"The link 'molecule\.id -> .*' points to 'atom.*; did you mean 'atom\.molecule_id -> mol.*'\?",
        ),
        (
            {"links": ["atom.element -> atom.molecule_id"]},
            ValueError,
            "'m1' is repeated in row 2; remove the row, or point to another column",
        ),
        (
            {"links": ["molecule.id -> atom.molecule_id"], "keys": {"atom": "molecule_id"}},
            ValueError,
            r"The key 'atom\.molecule_id' does not tell rows apart: 'm1' is repeated in row 2; remove the row",
        ),
        (
            {"links": ["molecule.id -> molecule.id"]},
            ValueError,
            r"The link 'molecule\.id -> molecule\.id' points from 'molecule\.id' to itself; name what it points to",
        ),
        ({"keys": {"atom": ("element", "molecule_id")}}, ValueError, r"\('c', 'm1'\) is repeated in row 2"),
        ({"keys": {"ring": "id"}}, ValueError, "The database has no table 'ring'"),
        ({"keys": {"atom": ()}}, ValueError, "No column of table 'atom' is named"),
        ({"links": None}, TypeError, "links must be a sequence of links like .*, got None"),
        ({"leave_out": None}, TypeError, "leave_out must be a sequence of columns like .*, got None"),
        ({"keys": 3}, TypeError, "keys must be a dict like .*, got 3"),
        ({"time": ["day"]}, TypeError, r"time must be a dict like .*, got \['day'\]"),
        (
            {"links": [LINK], "leave_out": ["atom.molecule_id"]},
            ValueError,
            r"'atom\.molecule_id' is left out, but the link 'atom\.molecule_id -> molecule\.id' needs it",
        ),
        (
            {"keys": {"molecule": "id"}, "leave_out": ["molecule.id"]},
            ValueError,
            r"'molecule\.id' is left out, but the key of 'molecule' needs it",
        ),
        (
            {"time": {"atom": "element"}, "leave_out": ["atom.element"]},
            ValueError,
            r"'atom\.element' is left out, but the time of 'atom' needs it",
        ),
        ({"time": {"atom": "when"}}, ValueError, "Table 'atom' has no column 'when'"),
        ({"time": {"atom": "element"}}, ValueError, r"The time column 'atom\.element' holds text; it needs numbers"),
    ],
)
def test_bad_declarations_are_refused(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Database({"molecule": MOLECULES, "atom": ATOMS}, **arguments)


def test_text_does_not_point_to_numbers() -> None:
    tables = {"molecule": {"id": [1, 2]}, "atom": {"molecule_id": ["1", "2"]}}
    message = r"Column 'atom\.molecule_id' holds text, but 'molecule\.id', to which it points, holds numbers; convert"
    with pytest.raises(ValueError, match=message):
        Database(tables, [LINK])


def test_no_tables_are_refused() -> None:
    with pytest.raises(ValueError, match="The database has no tables; pass at least one"):
        Database({})
    with pytest.raises(TypeError, match="tables must be a dict of names and data frames, got a DataFrame"):
        Database(pd.DataFrame({"a": [1]}))  # type: ignore[arg-type]


@pytest.mark.parametrize("keys", [{}, {"t": "a"}])
def test_a_column_with_the_name_of_row_numbers_is_refused(keys):
    with pytest.raises(ValueError, match=f"Table 't' has a column '{ROW}', which is the name of petree's own"):
        Database({"t": {"a": [1, 2], ROW: [1, 2]}}, keys=keys)


@pytest.mark.parametrize("keys", [1, None, "m1", 2.5, np.array("m1")])
def test_a_single_key_is_no_list_of_keys(keys: Any) -> None:
    database = Database({"molecule": MOLECULES, "atom": ATOMS}, [LINK])
    with pytest.raises(
        TypeError, match=r"The keys of examples are an array or a list of them.*put a single key into a"
    ):
        database.rows("molecule", keys)


@pytest.mark.parametrize("unit", ["s", "D"])
def test_dates_beyond_the_years_are_refused(unit: str) -> None:
    days = np.array(["2000-01-01", "300000-01-01"], f"datetime64[{unit}]")
    with pytest.raises(ValueError, match=r"Column 'day' holds 300000-01-01.* in row 1, which is not in the years 1 to"):
        Database({"visit": {"day": days}})


def test_numbers_of_one_table_are_no_times_beside_dates_of_another() -> None:
    tables = {"visit": {"patient": [1], "day": [3]}, "patient": {"id": [1], "until": [date(2004, 3, 1)]}}
    message = r"The time column 'visit\.day' holds numbers and 'patient\.until' dates, which do not compare; give both"
    with pytest.raises(ValueError, match=message):
        Database(tables, ["visit.patient -> patient.id"], time={"patient": "until", "visit": "day"})
