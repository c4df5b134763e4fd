"""Thresholds of dates as they are written divide dates as the numbers of days do."""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.relational.decoded import rows
from tests.relational.made_trees import dated_database

from petree import RelationalTreeClassifier
from petree.binning import resolve_binning
from petree.columns.moments import MICROSECONDS_PER_DAY, round_between
from petree.relational import Database
from petree.relational.alignment import align
from petree.relational.dates import date_text, days_of, first_moment, last_moment
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.scope import Scope
from petree.relational.reading.sentences import sentence_of

EPOCH = datetime(1970, 1, 1)
HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "=<": operator.le,
    "=": operator.eq,
    "\\=": operator.ne,
}
# Until about 2150 two moments differ in their number of days.
MOMENTS = st.datetimes(datetime(1800, 1, 1), datetime(2140, 1, 1))
NEAR_MOMENTS = st.integers(0, 10**7).map(lambda one: datetime(2004, 2, 28, 23, 59, 59) + timedelta(microseconds=one))


def days(moment: datetime) -> float:
    return ((moment - EPOCH) // timedelta(microseconds=1)) / 86_400_000_000


# -- text --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operator", "number", "text"),
    [
        ("<", 12478, "2004-03-01"),
        (">=", 12478.0, "2004-03-01"),
        ("=", 12478, "2004-03-01"),
        ("<", 12345.5, "2003-10-20 12:00:00"),
        ("<", 12345 + 1 / 86400, "2003-10-20 00:00:01"),
        (">=", 12345 + 0.25 / 86400, "2003-10-20 00:00:00.25"),
        ("<", -1, "1969-12-31"),
        ("<", -0.5, "1969-12-31 12:00:00"),
        # A third of a microsecond behind midnight: the first moment that is not before it, the last that is not after.
        ("<", 1 / 3 / 86_400e6, "1970-01-01 00:00:00.000001"),
        (">=", 1 / 3 / 86_400e6, "1970-01-01 00:00:00.000001"),
        (">", 1 / 3 / 86_400e6, "1970-01-01"),
        ("=<", 1 / 3 / 86_400e6, "1970-01-01"),
    ],
)
def test_text_of_a_threshold(operator: str, number: float, text: str) -> None:
    assert date_text(operator, number) == text


@given(st.one_of(MOMENTS, NEAR_MOMENTS), st.integers(-3, 3), st.floats(-3e-11, 3e-11), st.sampled_from(list(HOLDS)))
def test_what_is_written_compares_as_the_number_does(moment: datetime, step: int, shift: float, name: str) -> None:
    number = days(moment) + shift
    written = datetime.fromisoformat(date_text(name, number))
    other = moment + timedelta(microseconds=step)
    if name in ("=", "\\=") and days(written) != number:  # a number that is no moment is equal to none
        assert days(other) != number
    else:
        assert HOLDS[name](days(other), number) == HOLDS[name](other, written)


@given(st.floats(-60_000, 60_000))
def test_moments_beside_a_number_of_days(number: float) -> None:
    first, last = first_moment(number), last_moment(number)
    assert (first - 1) / 86_400_000_000 < number <= first / 86_400_000_000
    assert last / 86_400_000_000 <= number < (last + 1) / 86_400_000_000


# -- thresholds that are easy to read ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moments", "text"),
    [
        (["2003-10-20", "2003-10-21"], "2003-10-21"),
        (["2003-10-20", "2003-10-23"], "2003-10-22"),
        (["2003-10-20", "2003-10-24"], "2003-10-22"),
        (["2003-10-20T23:00", "2003-10-21T11:00"], "2003-10-21"),
        (["2003-10-20T13:10", "2003-10-20T13:40"], "2003-10-20 13:25:00"),
        (["2003-10-20T13:40", "2003-10-20T14:50"], "2003-10-20 14:00:00"),
        (["2003-10-20T13:40:01", "2003-10-20T13:40:02"], "2003-10-20 13:40:02"),
        (["2003-10-20T13:40:01.000001", "2003-10-20T13:40:01.000002"], "2003-10-20 13:40:01.000002"),
        (["2003-10-20T13:40:01.2", "2003-10-20T13:40:01.9"], "2003-10-20 13:40:01.55"),
    ],
)
def test_thresholds_are_as_coarse_as_the_dates_allow(moments: list[str], text: str) -> None:
    values = days_of(np.array(moments, "datetime64[us]"))
    cuts = resolve_binning("exact").thresholds(values, np.array([0, 1]), None, 2)
    assert [date_text("<", cut) for cut in round_between(cuts, values, True, MICROSECONDS_PER_DAY).tolist()] == [text]


@pytest.mark.parametrize("is_exact", [True, False])
@given(moments=st.lists(st.one_of(MOMENTS, NEAR_MOMENTS), min_size=2, max_size=30))
def test_no_row_changes_sides(is_exact: bool, moments: list[datetime]) -> None:
    values = np.array([days(one) for one in moments])
    cuts = resolve_binning("exact").thresholds(values, np.zeros(len(values), np.intp), None, 1)
    rounded = round_between(cuts, values, is_exact, MICROSECONDS_PER_DAY)
    for cut, other in zip(cuts.tolist(), rounded.tolist(), strict=True):
        written = datetime.fromisoformat(date_text("<", other))
        np.testing.assert_array_equal(values < cut, values < other)
        assert [one < written for one in moments] == (values < cut).tolist()


@given(st.lists(st.floats(0, 20_000), min_size=2, max_size=20, unique=True))
def test_thresholds_keep_away_from_means(means: list[float]) -> None:
    values = np.sort(means)
    cuts = (values[1:] + values[:-1]) / 2
    rounded, gaps = round_between(cuts, values, False, MICROSECONDS_PER_DAY), np.diff(values)
    assert (np.abs(rounded - cuts) <= gaps / 4 * (1 + 1e-9)).all()


# -- columns that know -------------------------------------------------------------------------------------------

DATES = [date(2004, 3, 1), None, date(2003, 10, 20)]
WITH_TIMES = [datetime(2004, 3, 1, 12), None, datetime(2003, 10, 20)]


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_every_library_has_dates(frame: Callable[..., Any]) -> None:
    columns = {"day": DATES, "at": WITH_TIMES, "number": [1.5, None, 2.0], "name": ["x", None, "y"]}
    relation = Database({"visit": frame(columns)}).relation("visit")
    assert [column.is_date for column in relation.columns[:4]] == [True, True, False, False]
    assert [relation.columns[0].value(row) for row in range(3)] == DATES
    assert [relation.columns[1].value(row) for row in range(3)] == WITH_TIMES
    assert [column.name for column in relation.without("name").columns if column.is_date] == ["day", "at"]


def test_nothing_tells_whether_nothing_is_a_date() -> None:
    tables = {"visit": {"at": [None, None], "day": np.array(["NaT", "NaT"], "datetime64[D]")}}
    database = Database(tables, time={"visit": "at"})
    assert [column.is_date for column in database.relation("visit").columns[:2]] == [None, True]


def test_keys_that_are_dates() -> None:
    database = dated_database(0)
    opening = database.relation("opening").columns[0]
    asked = [opening.value(2), opening.value(0)]
    assert database.rows("opening", asked).tolist() == [2, 0]
    assert database.rows("opening", np.asarray(database.keys("opening"))[[2, 0]]).tolist() == [2, 0]
    with pytest.raises(ValueError, match=r"'patient.id' holds numbers, but the keys are dates; convert them"):
        database.rows("patient", asked)
    tables = {"opening": {"day": DATES[:1]}, "visit": {"opening": [12478]}}
    with pytest.raises(ValueError, match=r"'visit.opening' holds numbers, but 'opening.day', .* holds dates; convert"):
        Database(tables, ["visit.opening -> opening.day"])
    with pytest.raises(ValueError, match="2004-03-01 is repeated in row 1"):
        Database({"opening": {"day": DATES[:1] * 2}}, keys={"opening": "day"})


def test_dates_of_a_server(tmp_path: Any) -> None:
    pytest.importorskip("sqlalchemy")
    database, url = dated_database(0), f"sqlite:///{tmp_path}/dates.db"
    database.to_sql(url)
    again = Database.from_url(url)
    for name, relation in database.relations.items():
        assert rows(again, name) == rows(database, name)
        assert [one.is_date for one in again.relation(name).columns] == [one.is_date for one in relation.columns]


def test_chunks_of_a_server_without_a_date(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sqlalchemy")
    database, url = Database({"visit": {"day": [None, None, *DATES]}}), f"sqlite:///{tmp_path}/dates.db"
    database.to_sql(url)
    monkeypatch.setattr("petree.relational.tables.sql.reading.CHUNK_ROWS", 2)
    assert rows(Database.from_url(url), "visit") == rows(database, "visit")


# -- trees -------------------------------------------------------------------------------------------------------

SENTENCES = [
    ("patient(A, X, _), X < 12478", "the patient has born < 2004-03-01"),
    ("visit(A, _, 12478, _, C)", "some visit (C) of the patient has asked = 2004-03-01"),
    ("visit(A, _, _, X, C), X >= 12345.5", "some visit (C) of the patient has moment >= 2003-10-20 12:00:00"),
    ("max(X, visit(A, _, X, _, _)) >= 12478", "the greatest asked of visits of the patient >= 2004-03-01"),
    ("mean(X, visit(A, _, X, _, _)) < 12345.75", "the mean asked of visits of the patient < 2003-10-20 18:00:00"),
    ("mode(X, visit(A, _, X, _, _)) = 12478", "the most frequent asked of visits of the patient = 2004-03-01"),
    ("count(visit(A, _, 12478, _, _)) < 3", "the number of visits of the patient with asked = 2004-03-01 is < 3"),
    (
        "proportion(X = 12478, visit(A, _, X, _, _)) < 0.5",
        "the share of asked = 2004-03-01 among visits of the patient is < 0.5",
    ),
    ("sum(X, visit(A, _, X, _, _)) < 5", "the sum of asked (days since 1970) over visits of the patient < 5"),
]


@pytest.mark.parametrize(("test", "said"), SENTENCES)
def test_sentences_speak_of_dates(test: str, said: str) -> None:
    scope = Scope.of_target(dated_database(0).hiding("patient", "class"), "patient")
    assert sentence_of(scope, parse_literals(test)).success == said


def visits(moments: list[Any]) -> Database:
    """Two visits of each patient, one of them at a moment of its own."""
    n = len(moments)
    tables = {
        "patient": {"id": range(n), "class": ["ill", "well"] * (n // 2)},
        "visit": {"patient": [*range(n), *range(n)], "day": [*moments, *[moments[0]] * n]},
    }
    return Database({name: pd.DataFrame(table) for name, table in tables.items()}, ["visit.patient -> patient.id"])


def learned(database: Database, **parameters: Any) -> RelationalTreeClassifier:
    model = RelationalTreeClassifier(
        database, "patient.class", pruning="none", smoothing="laplace", binning="exact", min_examples=1, **parameters
    )
    return model.fit(database.keys("patient"))


OLD_AND_NEW = [date(2004, 2, 27) + timedelta(5 * (k % 2) + k // 2) for k in range(8)]


@pytest.mark.parametrize("aware", [False, True])
def test_a_tree_of_dates_divides_as_one_of_numbers(aware: bool) -> None:
    moments = [datetime(one.year, one.month, one.day, 3 * k) for k, one in enumerate(OLD_AND_NEW)]
    numbers = learned(visits([days(one) for one in moments]))
    dates = learned(visits([one.replace(tzinfo=UTC) if aware else one for one in moments]))
    keys = numbers.keys_
    np.testing.assert_array_equal(dates.apply(keys), numbers.apply(keys))
    assert dates.sentence(0) == "some visit (B) of the patient has day >= 2004-03-03"
    assert numbers.sentence(0) == "some visit (B) of the patient has day >= 12480"


def test_rows_behind_a_node_have_dates() -> None:
    model = learned(visits(OLD_AND_NEW))
    found = {row["day"] for one in model.rows_at(0) for row in one["rows"].values() if "day" in row}
    found |= {row["day"] for one in model.rows_at(1) for row in one["rows"].values() if "day" in row}
    assert found
    assert found <= set(OLD_AND_NEW)
    assert all(type(one) is date for one in found)


def test_dates_in_the_place_of_numbers_are_refused() -> None:
    numbers = [float((one - EPOCH.date()).days) for one in OLD_AND_NEW]
    model, keys = learned(visits(OLD_AND_NEW)), np.arange(8)
    with pytest.raises(ValueError, match=r"^Column 'visit.day' is of type number, but was of type date when .*; conv"):
        model.predict_proba(keys, database=visits(numbers))
    with pytest.raises(ValueError, match=r"^Column 'visit.day' is of type date, but was of type number when .*; conv"):
        learned(visits(numbers)).predict_proba(keys, database=visits(OLD_AND_NEW))
    moments = visits([datetime(one.year, one.month, one.day) for one in OLD_AND_NEW])
    np.testing.assert_array_equal(model.predict_proba(keys, database=moments), model.predict_proba(keys))
    nothing = visits([None] * 8)
    assert len(set(model.predict_proba(keys, database=nothing)[:, 0])) == 1


def test_dates_of_keys_in_the_place_of_numbers_are_refused() -> None:
    database = dated_database(0)
    tables = {
        name: {column.name: [column.value(row) for row in range(relation.n_rows)] for column in relation.columns[:4]}
        for name, relation in database.relations.items()
    }
    links = [str(link) for link in database.foreign_keys]
    for table, column in (("opening", "day"), ("visit", "opening")):
        tables[table][column] = [one and (one - EPOCH.date()).days for one in tables[table][column]]
    other = Database(tables, links, {"patient": "id"})
    with pytest.raises(ValueError, match=r"Column 'visit.opening' is of type number, but was of type date"):
        align(database, other, {"visit": {database.relation("visit").place("opening")}})
