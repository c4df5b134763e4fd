"""The columns of a file beside those of a model: their order, their kinds and their formats."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.cli.shell import Shell, pets
from tests.plain import plain_classifier

from petree import storage
from petree.files import read_table


def test_columns_in_another_order_and_one_more_change_nothing(shell: Shell, model: Path) -> None:
    before = shell("predict", model, "pets.csv").out
    turned = [",".join(["9", *reversed(line.split(","))]) for line in pets().splitlines()]
    shell.write("turned.csv", "\n".join(["extra" + turned[0][1:], *turned[1:]]))
    outcome = shell("predict", model, "turned.csv")
    assert outcome.out == before
    assert "ignoring columns that the model does not know: extra, kind." in outcome.err


def test_text_that_looks_like_numbers_at_prediction_is_still_text(shell: Shell, model: Path) -> None:
    all_rows = shell.rows(shell("predict", model, "pets.csv").out)
    lines = pets().splitlines()
    shell.write("few.csv", "\n".join([lines[0], *lines[3:9]]))  # without the row whose code is x
    assert shell.rows(shell("predict", model, "few.csv").out) == all_rows[2:8]


def test_numbers_where_the_model_learned_text(shell: Shell) -> None:
    shell.write("a.csv", "code,kind\n" + "a1,cat\nb2,dog\n" * 20)
    assert shell("fit", "a.csv", "--target", "kind", "--out", "m.json").code == 0
    shell.write("a.arff", "@attribute code real\n@data\n2\n")
    assert "Column 'code' of a.arff holds numbers, but the model learned it as text." in shell.refused(
        "predict", "m.json", "a.arff"
    )


def test_empty_columns_are_missing_whatever_their_kind(shell: Shell, model: Path) -> None:
    shell.write("a.csv", "weight,colour,code\n,,\n3,,\n")
    content = "@attribute weight {u}\n@attribute colour real\n@attribute code real\n@data\n?,?,?\n"
    shell.write("a.arff", content)
    from_csv, from_arff = (shell("predict", model, name) for name in ("a.csv", "a.arff"))
    assert (from_csv.code, from_arff.code) == (0, 0)
    assert shell.rows(from_arff.out) == shell.rows(from_csv.out)[:1]


def test_truth_values_and_numbers_as_categories(shell: Shell) -> None:
    random = np.random.default_rng(0)
    truth, number = random.random(80) < 0.5, random.integers(0, 3, 80)
    features = {"truth": truth, "number": number}
    model = plain_classifier(categorical_features=["truth", "number"])
    storage.save(model.fit(features, np.where(truth ^ (number == 1), "u", "v")), "m.json")
    shell.write("a.csv", "number,truth\n" + "".join(f"{n},{t}\n" for n, t in zip(number, truth, strict=True)))
    rows = shell.rows(shell("predict", "m.json", "a.csv").out)
    np.testing.assert_array_equal([float(row["P(u)"]) for row in rows], model.predict_proba(features)[:, 0])
    assert len({row["P(u)"] for row in rows}) > 1
    shell.write("b.csv", "number,truth\n1,TRUE\n2,maybe\n")
    line = shell.refused("predict", "m.json", "b.csv")
    assert "Column 'truth' must hold true or false, but line 3 of b.csv has 'maybe'." in line


def test_arff_to_parquet(shell: Shell) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    data = "".join(f"{i},{'u' if i % 3 else '?'},{'ab'[i // 15]}\n" for i in range(30))
    shell.write("a.arff", "@attribute x real\n@attribute t {u,v}\n@attribute y {a,b}\n@data\n" + data)
    assert shell("fit", "a.arff", "--target", "y", "--out", "m.json").code == 0
    table = read_table("a.arff")
    parquet.write_table(pyarrow.table(table.select(["t", "y", "x"])), "a.parquet")
    from_arff, from_parquet = (shell("predict", "m.json", name, "--target", "y") for name in ("a.arff", "a.parquet"))
    assert from_arff == from_parquet
    assert "accuracy         1.0000" in from_arff.err


def test_semicolons_and_quoted_newlines(shell: Shell) -> None:
    content = "x;note;y\n" + "".join(f'{i};"two\nlines";{"ab"[i // 10]}\n' for i in range(20))
    shell.write("a.csv", content)
    assert shell("fit", "a.csv", "--target", "y", "--out", "m.json").code == 0
    shell.write("b.csv", content + "1;2;\n")
    assert "'y' is missing in line 42 of b.csv" in shell.refused("fit", "b.csv", "--target", "y", "--out", "m.json")
