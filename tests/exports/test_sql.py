"""The query gives the probabilities of `predict_proba` in every database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
import sqlalchemy as sa
from tests.exports.cases import Case, random_case

import petree
from petree import OptionTreeClassifier, ProbabilityTreeClassifier

N_CASES = 12


def asked(case: Case) -> pd.DataFrame:
    """The rows as a database has them: texts for ordered categories, a key behind the others."""
    table = case.rows.copy()
    for name in ("home", "grade"):
        if name in table:
            table[name] = table[name].astype(object).where(table[name].notna(), None)
    return table.assign(id=np.arange(100, 100 + len(table)))


def difference(case: Case, found: pd.DataFrame) -> float:
    """The largest difference of an answer of a database."""
    found = found.sort_values(found.columns[0])
    answers = found[[f"P({label})" for label in case.model.classes_]].to_numpy(float)
    leaves = found["leaf"].to_numpy(float)
    own = case.model.apply(case.rows)
    assert np.array_equal(leaves[~np.isnan(leaves)], own[~np.isnan(leaves)])
    return float(abs(answers - case.model.predict_proba(case.rows)).max())


@pytest.mark.parametrize("seed", range(N_CASES))
def test_duckdb_answers_alike(seed: int) -> None:
    case = random_case(seed)
    with duckdb.connect() as connection:
        connection.register("frame", asked(case))
        connection.execute('CREATE TABLE "the data" AS SELECT * FROM frame')
        found = connection.execute(case.model.to_sql("duckdb", "the data", "id")).df()
    assert difference(case, found) < 1e-14


@pytest.mark.parametrize("seed", range(N_CASES))
def test_sqlite_answers_alike(seed: int) -> None:
    case = random_case(seed)
    connection = sqlite3.connect(":memory:")
    asked(case).to_sql("data", connection, index=False)
    assert difference(case, pd.read_sql(case.model.to_sql(), connection)) < 1e-14
    connection.close()


@pytest.fixture(scope="module")
def server(postgres_server: str) -> Iterator[sa.Engine]:
    engine = sa.create_engine(f"{postgres_server}/postgres")
    yield engine
    engine.dispose()


@pytest.mark.parametrize("seed", range(4))
def test_postgresql_answers_alike(seed: int, server: sa.Engine) -> None:
    case = random_case(seed)
    name = f"table of {seed}"
    asked(case).to_sql(name, server, index=False)
    with server.connect() as connection:
        query = case.model.to_sql("postgresql", name, "id")
        found = pd.DataFrame(connection.exec_driver_sql(query).mappings().all())
    assert difference(case, found) < 1e-14


def test_nan_is_missing_in_databases_that_know_it() -> None:
    case = random_case(0)
    table = asked(case)
    with duckdb.connect() as connection:
        connection.register("frame", table)
        connection.execute("CREATE TABLE data AS SELECT * REPLACE (coalesce(age, 'NaN'::DOUBLE) AS age) FROM frame")
        assert connection.execute("SELECT count(*) FROM data WHERE isnan(age)").fetchone() == (
            table["age"].isna().sum(),
        )
        assert difference(case, connection.execute(case.model.to_sql("duckdb", key="id")).df()) < 1e-14


def test_a_deep_tree_is_asked_step_by_step() -> None:
    rng = np.random.default_rng(0)
    X = {"x": rng.normal(size=400)}
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(X, np.arange(400) % 2)
    assert model.get_depth() > 12
    query = model.to_sql()
    assert "step_1" in query
    connection = sqlite3.connect(":memory:")
    pd.DataFrame(X).to_sql("data", connection, index=False)
    found = pd.read_sql(query, connection).sort_values("row")
    connection.close()
    assert abs(found[["P(0)", "P(1)"]].to_numpy() - model.predict_proba(X)).max() == 0


def test_names_are_quoted_and_never_mixed_up() -> None:
    X = {'tree_row "; DROP TABLE data; --': [1.0, 2.0, 3.0, 4.0], "weight": [1.0, 1.0, 2.0, 2.0]}
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(X, ["a'b", "c", "a'b", "c"])
    connection = sqlite3.connect(":memory:")
    pd.DataFrame({**X, "id": range(4)}).to_sql("data", connection, index=False)
    found = pd.read_sql(model.to_sql(key="id"), connection).sort_values("id")
    connection.close()
    assert abs(found[["P(a'b)", "P(c)"]].to_numpy() - model.predict_proba(X)).max() == 0


@pytest.mark.parametrize(
    "table", ["data", "tree", "known", "routed", "leaves", "ways", "stuck", "branches", "step_1", "t"]
)
def test_tables_of_any_name_are_queried(table: str) -> None:
    case = random_case(1)
    with duckdb.connect() as connection:
        connection.register("frame", asked(case))
        connection.execute(f'CREATE TABLE "{table}" AS SELECT * FROM frame')
        assert difference(case, connection.execute(case.model.to_sql("duckdb", table, "id")).df()) < 1e-14
    lite = sqlite3.connect(":memory:")
    asked(case).to_sql(table, lite, index=False)
    assert difference(case, pd.read_sql(case.model.to_sql(table=table, key="id"), lite)) < 1e-14
    lite.close()


def test_columns_may_be_named_as_those_of_the_result() -> None:
    X = {"P(a)": [1.0, 2.0, 3.0, 4.0], "leaf": [1.0, 1.0, 2.0, 2.0], "tree_answer_0": [2.0, 1.0, 2.0, 1.0]}
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(X, ["a", "b", "a", "c"])
    connection = sqlite3.connect(":memory:")
    pd.DataFrame(X).to_sql("data", connection, index=False)
    found = pd.read_sql(model.to_sql(key="P(a)"), connection).sort_values("P(a)")
    connection.close()
    assert list(found) == ["P(a)", "leaf", "_P(a)", "P(b)", "P(c)"]
    assert abs(found.iloc[:, 2:].to_numpy() - model.predict_proba(X)).max() == 0


def test_postgresql_takes_percent_signs_by_any_driver(server: sa.Engine) -> None:
    """Some drivers take % for the beginning of a parameter; a backslash begins an escape where % is one."""
    X = {"a%(b\\": ["50%", "50%s", "x", "x"], "c": [1.0, 1.0, 1.0, 2.0]}
    y = ["%(p)s", "no", "no", "no"]
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(X, y)
    with server.connect() as connection:
        connection.exec_driver_sql('CREATE TABLE "p%%(t" (id INT, "a%%(b\\" TEXT, "c" FLOAT)')
        for place, (text, number) in enumerate(zip(*X.values(), strict=True)):
            connection.exec_driver_sql('INSERT INTO "p%%(t" VALUES (%s, %s, %s)', (place, text, number))
        found = connection.exec_driver_sql(model.to_sql("postgresql", "p%(t", "id") + " ORDER BY id").all()
    assert abs(np.array([row[2:] for row in found], float) - model.predict_proba(X)).max() < 1e-15


AMOUNTS = {
    "units": (",", [f"${n / 7:,.2f}" for n in range(1000, 40_000, 300)]),
    "decimal commas": (";", [f"{n / 7:,.2f}".translate(str.maketrans(",.", ".,")) for n in range(100, 40_000, 300)]),
    "percent": (",", [f"{n / 3:.1f} %" for n in range(200)]),
    "spaces": (";", [f"{n / 7:,.2f}".replace(",", "\u202f").replace(".", ",") for n in range(100, 40_000, 300)]),
}


@pytest.mark.parametrize("kind", AMOUNTS)
@pytest.mark.parametrize("dialect", ["sqlite", "duckdb", "postgresql"])
def test_amounts_in_texts_are_read_as_in_the_file(
    kind: str, dialect: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    delimiter, texts = AMOUNTS[kind]
    lines = [delimiter.join((text, "yes" if i // 15 % 2 else "no")) for i, text in enumerate([*texts, "?", "-", ""])]
    lines = [line if delimiter == ";" else f'"{line.rpartition(",")[0]}",{line.rpartition(",")[2]}' for line in lines]
    file = tmp_path / "amounts.csv"
    file.write_text("\n".join([f"amount{delimiter}paid", *lines]), encoding="utf-8")
    table = petree.read(file)
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(table.without("paid"), table["paid"])
    assert model.get_n_leaves() > 3
    petree.save(model, tmp_path / "model.json")
    query = petree.load(tmp_path / "model.json").to_sql(dialect, "amounts", "id") + " ORDER BY id"
    as_text = pd.DataFrame({"id": range(len(lines)), "amount": [*texts, "?", "-", None]})
    as_number = as_text.assign(amount=table["amount"])
    for rows in (as_text, as_number):
        found = run(dialect, query, rows, request)
        assert abs(found - model.predict_proba(table.without("paid"))).max() < 1e-14


def run(dialect: str, query: str, rows: pd.DataFrame, request: pytest.FixtureRequest) -> np.ndarray:
    """The probabilities that a query gives for rows of a table."""
    if dialect == "duckdb":
        with duckdb.connect() as connection:
            connection.register("frame", rows)
            connection.execute("CREATE TABLE amounts AS SELECT * FROM frame")
            return connection.execute(query).df().iloc[:, 2:].to_numpy(float)
    engine = sa.create_engine("sqlite://") if dialect == "sqlite" else request.getfixturevalue("server")
    with engine.connect() as connection:
        rows.to_sql("amounts", connection, index=False, if_exists="replace")
        return pd.DataFrame(connection.exec_driver_sql(query).all()).iloc[:, 2:].to_numpy(float)


def test_amounts_in_a_folder_are_read_as_in_the_files(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    texts = AMOUNTS["decimal commas"][1]
    labels = ["yes" if i // 15 % 2 else "no" for i in range(len(texts))]
    frame = pd.DataFrame({"id": range(len(texts)), "amount": texts, "paid": labels})
    frame.drop(columns="id").to_csv(folder / "1.csv", sep=";", index=False)
    with pytest.warns(UserWarning, match="a decimal comma"):
        model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(folder, "paid")
    query = model.to_sql("duckdb", "amounts", "id") + " ORDER BY id"
    numbers = [float(text.replace(".", "").replace(",", ".")) for text in texts]
    found = run("duckdb", query, frame[["id", "amount"]], None)
    assert abs(found - model.predict_proba({"amount": numbers})).max() < 1e-14


def test_amounts_are_refused_in_other_dialects(tmp_path: Path) -> None:
    pytest.importorskip("sqlglot")
    file = tmp_path / "amounts.csv"
    file.write_text("amount,paid\n" + "\n".join(f"${n}.50,{'no' if n < 50 else 'yes'}" for n in range(100)))
    table = petree.read(file)
    model = ProbabilityTreeClassifier().fit(table.without("paid"), table["paid"])
    with pytest.raises(
        ValueError, match=r"Column 'amount' was read from texts.*'bigquery' does not read; choose sqlite"
    ):
        model.to_sql("bigquery")


def test_words_for_missing_numbers_are_missing_in_sqlite() -> None:
    X = {"x": [1.0, 2.0, 3.0, 4.0, np.nan, np.nan]}
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(X, ["a", "a", "b", "b", "b", "b"])
    connection = sqlite3.connect(":memory:")
    texts = pd.DataFrame({"x": ["1", "2.0", "3", "4e0", "NA", ""], "id": range(6)})
    texts.to_sql("data", connection, index=False)
    found = pd.read_sql(model.to_sql(key="id") + " ORDER BY id", connection)
    connection.close()
    assert abs(found[["P(a)", "P(b)"]].to_numpy() - model.predict_proba(X)).max() == 0


def test_other_dialects_come_by_sqlglot() -> None:
    sqlglot = pytest.importorskip("sqlglot")
    model = random_case(0).model
    query = model.to_sql("bigquery")
    assert sqlglot.parse_one(query, read="bigquery")
    with pytest.raises(
        ValueError, match=r"'dialect' must be one of sqlite, postgresql, duckdb, or one that sqlglot knows"
    ):
        model.to_sql("klingon")


def test_what_sql_cannot_carry_is_refused() -> None:
    X = {"x": [1.0, 2.0, 3.0, 4.0]}
    y = ["a", "a", "b", "b"]
    with pytest.raises(ValueError, match=r"many trees at once, which SQL cannot carry; take its summary\(\)"):
        OptionTreeClassifier(n_searches=1).fit(X, y).to_sql()
    with pytest.raises(ValueError, match="all leaves answer every row, which SQL cannot carry"):
        ProbabilityTreeClassifier(smoothing="confusion").fit(X, y).to_sql()


def test_dates_are_asked_as_dates() -> None:
    rng = np.random.default_rng(0)
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 900, 200) * 12, unit="h")
    table = pd.DataFrame({"day": days, "x": rng.normal(size=200)})
    labels = np.where((days > "2024-07-14 12:00") ^ (rng.random(200) < 0.1), "late", "early")
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(table, labels)
    table.loc[::7, "day"] = pd.NaT
    expected = model.predict_proba(table)
    with duckdb.connect() as connection:
        connection.register("data", table.assign(id=range(200)))
        found = connection.execute(model.to_sql("duckdb", key="id") + " ORDER BY id").df()
    assert abs(found[["P(early)", "P(late)"]].to_numpy() - expected).max() < 1e-14
    connection = sqlite3.connect(":memory:")
    table.assign(id=range(200)).to_sql("data", connection, index=False)
    found = pd.read_sql(model.to_sql(key="id") + " ORDER BY id", connection)
    connection.close()
    assert abs(found[["P(early)", "P(late)"]].to_numpy() - expected).max() < 1e-14
    made: dict[str, Any] = {}
    exec(model.to_python(), made)
    rows = table.astype(object).where(table.notna(), None).to_dict("records")
    answers = [list(made["predict_proba"](row).values()) for row in rows]
    assert abs(np.array(answers) - expected).max() < 1e-14
    with pytest.raises(ValueError, match="Column 'day' holds a date, which ONNX cannot carry; turn it into a number"):
        model.to_onnx()


def test_names_that_databases_do_not_tell_apart_are_refused() -> None:
    model = ProbabilityTreeClassifier(pruning="none").fit({"v": [1.0, 2.0, 3.0, 4.0]}, ["x", "x", "X", "X"])
    with pytest.raises(ValueError, match="The classes 'X' and 'x' are one name in SQL"):
        model.to_sql()
