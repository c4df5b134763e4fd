"""How tables are read on the command line: what is guessed and told, and what can be said instead."""

from __future__ import annotations

import io
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import numpy as np
import pytest
from tests.cli.shell import Shell
from tests.plain import plain_classifier

from petree import OptionTreeClassifier, load, save

# Late days of the first months are "late"; the rest of a row says nothing.
DAYS = [date(2024, 1 + row % 2, 1 + row // 2) for row in range(50)]


def loans(written: str = "%d/%m/%Y") -> str:
    lines = ["customer;day;amount;zip;late"]
    for row, day in enumerate(DAYS):
        amount = "-" if row == 7 else f"{row % 5 + 1}.{row:03},5"
        lines.append(f"c{row};{day.strftime(written)};{amount};0{row % 3}139;{'yes' if day.day > 12 else 'no'}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def fitted(shell: Shell) -> Shell:
    shell.write("loans.csv", loans())
    assert shell("fit", "loans.csv", "--target", "late", "--out", "m.json", "--pruning", "none").code == 0
    return shell


def test_guesses_are_told(shell: Shell) -> None:
    shell.write("loans.csv", loans())
    outcome = shell("fit", "loans.csv", "--target", "late", "--out", "m.json")
    told = [line.removeprefix("petree: note: ") for line in outcome.err.splitlines()]
    assert [told[1], *told[2:4]] == [
        "column 'day' holds dates, day first.",
        "column 'amount' holds numbers with a decimal comma: '1.000,5' is 1000.5.",
        "in column 'amount' '-' is read as missing.",
    ]
    assert "Column 'customer' has a category of its own in nearly every row" in told[0]
    assert told[0].endswith("and is left out; to learn from it, say --types customer=nominal.")
    assert "column 'zip' is nominal, since '00139' begins with 0; say --types zip=number" in told[4]
    assert "columns   3 (1 of numbers, 1 of dates and times, 1 of text), 1 left out" in outcome.out
    assert load("m.json").required_columns_ == ["day"]


def test_only_what_is_tested_is_needed(fitted: Shell) -> None:
    assert load("m.json").required_columns_ == ["day"]
    whole = fitted("predict", "m.json", "loans.csv")
    few = "\n".join(line.split(";")[1] for line in loans("%Y-%m-%d").splitlines())
    fitted.write("few.csv", few)
    outcome = fitted("predict", "m.json", "few.csv")
    assert (outcome.code, outcome.out, outcome.err) == (0, whole.out, "")


def test_ids_intervals_and_reasons(fitted: Shell) -> None:
    outcome = fitted("predict", "m.json", "loans.csv", "--id", "customer", "--intervals", "--reasons")
    rows = fitted.rows(outcome.out)
    probabilities = ["P(no)", "P(yes)"]
    bounds = ["P(no) from", "P(no) to", "P(yes) from", "P(yes) to"]
    assert list(rows[0]) == ["customer", "predicted", *probabilities, *bounds, "leaf", "reason"]
    assert [row["customer"] for row in rows] == [f"c{row}" for row in range(50)]
    for row in rows:
        assert float(row["P(yes) from"]) <= float(row["P(yes)"]) <= float(row["P(yes) to"])
    model = load("m.json")
    assert rows[0]["leaf"] == str(model.apply({"day": DAYS})[0])
    assert rows[0]["reason"] == "day < 2024-01-13"
    numbered = fitted.rows(fitted("predict", "m.json", "loans.csv", "--id", "row").out)
    assert [row["row"] for row in numbered] == [str(row) for row in range(1, 51)]
    assert "no column 'nobody'" in fitted.refused("predict", "m.json", "loans.csv", "--id", "nobody")


def test_ids_that_are_tested_or_named_as_a_prediction(shell: Shell) -> None:
    shell.write("a.csv", "n,predicted,y\n" + "".join(f"{row},p{row % 3},{'ab'[row // 10]}\n" for row in range(20)))
    assert shell("fit", "a.csv", "--target", "y", "--out", "m.json").code == 0
    assert shell("predict", "m.json", "a.csv", "--id", "n").out.splitlines()[1].startswith("0,a,")
    assert shell("predict", "m.json", "a.csv", "--id", "predicted").out.splitlines()[1].startswith("p0,a,")


def test_days_that_may_be_months(fitted: Shell) -> None:
    fitted.write("few.csv", "day\n01/02/2024\n")
    refused = fitted.refused("predict", "m.json", "few.csv")
    assert "may have the day or the month first; choose by --types day=date-dmy or day=date-mdy" in refused
    assert fitted("predict", "m.json", "few.csv", "--types", "day=date-dmy").code == 0
    fitted.write("few.csv", "day\nsoon\n")
    assert "Column 'day' must hold dates, but line 2 of few.csv has 'soon'" in fitted.refused(
        "predict", "m.json", "few.csv"
    )
    assert fitted("predict", "m.json", "few.csv", "--missing-values", "soon").code == 0


def test_columns_that_are_chosen(shell: Shell) -> None:
    shell.write("loans.csv", loans())
    words = ["fit", "loans.csv", "--target", "late", "--out", "m.json"]
    assert shell(*words, "--ignore", "customer,zip", "--types", "amount=nominal,day=nominal").code == 0
    assert [column.kind for column in load("m.json").columns_] == ["nominal", "nominal"]
    assert "no column 'zap' (did you mean 'zip'?)" in shell.refused(*words, "--ignore", "zap")
    assert "no column 'zap'" in shell.refused(*words, "--types", "zap=number")
    assert "--types takes pairs such as zip=nominal" in shell.refused(*words, "--types", "zip")
    assert "cannot be of type 'code'" in shell.refused(*words, "--types", "zip=code")


def test_a_column_of_names_that_is_wanted(shell: Shell) -> None:
    content = loans().replace(";zip;", ";phone;").replace(";00139", ";n").splitlines()
    rows = [content[0], *(line.rsplit(";", 2)[0] + f";p{row};" + line[-2:] for row, line in enumerate(content[1:]))]
    shell.write("loans.csv", "\n".join(rows))
    outcome = shell("fit", "loans.csv", "--target", "late", "--out", "m.json", "--types", "customer=nominal")
    assert outcome.code == 0
    assert "Column 'phone' has a category of its own in nearly every row" in outcome.err
    columns = {column.name: len(column.categories) for column in load("m.json").columns_}
    assert columns == {"customer": 50, "day": 0, "amount": 0}


def test_a_column_of_row_numbers(shell: Shell) -> None:
    lines = ["id;size;late", *(f"{row + 1};{row % 3};{'yes' if row < 30 else 'no'}" for row in range(80))]
    shell.write("loans.csv", "\n".join(lines))
    words = ["fit", "loans.csv", "--target", "late", "--out", "m.json", "--pruning", "none"]
    outcome = shell(*words)
    assert "Column 'id' has a different whole number in every row" in outcome.err
    assert "to learn from it, say --types id=number." in outcome.err
    assert "columns   1 (1 of numbers), 1 left out" in outcome.out
    kept = shell(*words, "--types", "id=number")
    assert "id" not in kept.err
    assert load("m.json").required_columns_ == ["id"]


def test_class_weights(shell: Shell) -> None:
    shell.write("loans.csv", loans())
    words = ["fit", "loans.csv", "--target", "late", "--out", "m.json", "--class-weight"]
    assert shell(*words, "balanced").code == 0
    assert load("m.json").class_weight == "balanced"
    assert shell(*words, "yes=5,no=1").code == 0
    assert load("m.json").class_weight == {"yes": 5.0, "no": 1.0}
    assert "of which there is no 'maybe'" in shell(*words, "maybe=1").err
    assert "of 'yes' must be a number, got 'much'" in shell.refused(*words, "yes=much")
    assert "--class-weight takes pairs" in shell.refused(*words, "yes")
    shell.write("numbers.csv", "x,y\n" + "".join(f"{row},{row % 2}\n" for row in range(20)))
    assert shell("fit", "numbers.csv", "--target", "y", "--out", "m.json", "--class-weight", "0=1,1=3").code == 0
    assert load("m.json").class_weight == {0: 1.0, 1: 3.0}


def test_encodings_and_the_standard_input(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    content = "größe,y\n" + "".join(f"{row},{'ab'[row // 10]}\n" for row in range(20))
    Path("a.csv").write_bytes(content.encode("cp1252"))
    outcome = shell("fit", "a.csv", "--target", "y", "--out", "m.json")
    assert "note: a.csv is not UTF-8; it is read as Windows wrote (cp1252)" in outcome.err
    assert shell("fit", "a.csv", "--target", "y", "--out", "m.json", "--encoding", "latin-1").err == ""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
    piped = shell("predict", "m.json", "-")
    assert (piped.code, piped.out) == (0, shell("predict", "m.json", "a.csv").out)


def test_moments_of_a_model_are_read_as_it_knows_them(shell: Shell) -> None:
    start = datetime(2024, 1, 1, tzinfo=UTC)
    X = {
        "at": [start + timedelta(hours=7 * row) for row in range(40)],
        "clock": [time(row % 24, 30) for row in range(40)],
        "lasts": [timedelta(minutes=100 * row) for row in range(40)],
    }
    y = np.array(["a", "b"])[np.arange(40) // 5 % 2]
    model = plain_classifier().fit(X, y)
    save(model, "m.json")
    lines = [f"{at};{clock};{lasts}" for at, clock, lasts in zip(*X.values(), strict=True)]
    shell.write("a.csv", "\n".join(["at;clock;lasts", *lines]))
    rows = shell.rows(shell("predict", "m.json", "a.csv").out)
    np.testing.assert_array_equal([float(row["P(a)"]) for row in rows], model.predict_proba(X)[:, 0])


def test_options_that_do_not_fit(shell: Shell) -> None:
    refused = shell.refused("predict", "m.json", "--database", "sqlite:///x.db", "--types", "a=date")
    assert "--types is for one table; leave it out with --database." in refused
    save(OptionTreeClassifier(n_searches=1).fit({"x": [1, 2, 3, 4]}, [0, 0, 1, 1]), "m.json")
    shell.write("a.csv", "x\n1\n")
    assert "--reasons is for a single tree" in shell.refused("predict", "m.json", "a.csv", "--reasons")
    assert "P(0) from" in shell("predict", "m.json", "a.csv", "--intervals").out


def test_categories_that_are_new_are_told(shell: Shell) -> None:
    shell.write("a.csv", "home,late\n" + "own,no\nrent,yes\n" * 10)
    assert shell("fit", "a.csv", "--target", "late", "--out", "m.json", "--pruning", "none").code == 0
    shell.write("b.csv", "home\nown\nboat\n")
    told = shell("predict", "m.json", "b.csv").err
    assert "column 'home' has values that the model has never seen, such as 'boat'" in told
