"""``petree predict --costs`` and ``--base-rates``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.cli.shell import Shell
from tests.plain import plain_classifier
from tests.report.examples import relational_model

from petree import storage
from petree.cli.predict import decide
from petree.files import read_table
from petree.files.costs import read_cost_file

COSTS = {"cat": {"dog": 1.0}, "dog": {"cat": 90000.0}}

BAD_COSTS = [
    ("c.xlsx", "", "c.xlsx is of no format that costs are read from; its name must end in .csv"),
    ("c.json", "[1]", 'c.json must hold costs like {"yes": {"no": 10}, "no": {"yes": 1}}.'),
    ("c.json", '{"cat": 1}', "c.json must hold costs like"),
    ("c.json", "{", "c.json is not JSON: "),
    ("c.json", "[" * 100000, "c.json is nested too deep"),
    ("c.json", '{"cat": {"dog": 1, "dog": 2}}', "names a class twice"),
    ("c.json", '{"cat": {"dog": 1}}', "c.json: costs does not say what it costs to answer 'cat' where 'dog'"),
    ("c.json", '{"cat": {"dog": NaN}, "dog": {"cat": 1}}', "costs nan"),
    ("c.json", '{"cat": {"cow": 1}, "dog": {"cat": 1}}', "there is no 'cow'; the classes are 'cat', 'dog'"),
    ("c.csv", "", "c.csv: costs does not say"),
    ("c.csv", ",cat,cat\ncat,0,1\n", "c.csv has two columns for one answer"),
    ("c.csv", ",cat,dog\ncat,0\ndog,1,0\n", "Line 2 of c.csv must have one true class that no other line has"),
    ("c.csv", ",cat,dog\ncat,0,1\ncat,1,0\n", "Line 3 of c.csv must have one true class that no other line"),
    ("c.csv", ",cat,dog\ncat,0,much\ndog,1,0\n", "answering 'dog' in line 2 of c.csv must be a number; got 'much'"),
    ("c.csv", ",cat,dog\ncat,0,-1\ndog,1,0\n", "costs must be finite and not negative"),
]
BAD_RATES = [
    ("cat", "--base-rates takes pairs such as yes=0.02,no=0.98, each name once; got 'cat'."),
    ("cat=much,dog=0.5", "--base-rates of 'cat' must be a number, got 'much'."),
    ("cat=0.5\rdog=0.5", "each name once; got 'cat=0.5\\rdog=0.5'."),
    ("", "The base rates lack the class 'cat'"),
    ("cat=0.5,cat=0.5", "each name once; got 'cat=0.5,cat=0.5'."),
    ("cat=0.5,cow=0.5", "there is no 'cow'; the classes are 'cat', 'dog'."),
    ("cat=0.5,dog=0.6", "The base rates sum to 1.1; they must sum to 1."),
]


def features() -> dict[str, np.ndarray]:
    return read_table("pets.csv").select(["weight", "colour", "code"])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("costs.json", '{"dog": {"cat": 90000}, "cat": {"dog": 1}}'),
        ("costs.csv", "true,dog,cat\ncat,1,0\ndog,0,90000\n"),
        ("costs.csv", ",cat,dog\ncat,,1\ndog,90000,\n"),
        ("costs.tsv", "\tcat\tdog\n\ndog\t90000\t0\ncat\t0\t1\n"),
        ("costs.csv", "\ufeff;cat;dog\ncat;0;1\ndog;90000;0\n"),
    ],
)
def test_costs_come_from_a_file(shell: Shell, model: Path, name: str, content: str) -> None:
    shell.write(name, content)
    outcome = shell("predict", model, "pets.csv", "--costs", name)
    assert outcome.code == 0
    expected = storage.load(model).predict(features(), COSTS).tolist()
    rows = shell.rows(outcome.out)
    assert [row["predicted"] for row in rows] == expected
    assert expected != storage.load(model).predict(features()).tolist()


def test_base_rates_are_set_for_these_predictions(shell: Shell, model: Path) -> None:
    rows = shell.rows(shell("predict", model, "pets.csv", "--base-rates", "dog=0.98, cat=0.02").out)
    moved = storage.load(model).set_base_rates({"cat": 0.02, "dog": 0.98})
    expected = moved.predict_proba(features())
    np.testing.assert_array_equal([[float(row["P(cat)"]), float(row["P(dog)"])] for row in rows], expected)
    assert [row["predicted"] for row in rows] == moved.predict(features()).tolist()
    both = shell("predict", model, "pets.csv", "--base-rates", "dog=0.98,cat=0.02", "--target", "kind")
    assert "log2 likelihood" in both.err


def test_a_model_file_with_base_rates_is_read_shown_and_used(shell: Shell, model: Path) -> None:
    before = shell("show", model).out
    storage.save(storage.load(model).set_base_rates({"cat": 0.02, "dog": 0.98}), "moved.json")
    assert shell("show", "moved.json").out != before
    assert (
        shell("predict", "moved.json", "pets.csv").out
        == shell("predict", model, "pets.csv", "--base-rates", "dog=0.98,cat=0.02").out
    )


def test_classes_are_known_by_their_text(shell: Shell) -> None:
    model = plain_classifier().fit([[0], [0], [1], [1]], [1, 1, 2, 2])
    costs = shell.write("costs.csv", "x,1,2\n1,0,3\n2,4,0\n")
    assert decide(model, costs, "1=0.25,2=0.75").tolist() == [[0, 3], [4, 0]]
    assert model.base_rates_.tolist() == [0.25, 0.75]
    named = plain_classifier().fit([[0], [1]], ["a,b", "c=d"])
    decide(named, None, '"a,b=0.25",c=d=0.75')
    assert named.base_rates_.tolist() == [0.25, 0.75]


def test_related_tables(shell: Shell) -> None:
    pytest.importorskip("sqlalchemy")
    model, keys, _ = relational_model()
    storage.save(model, "m.json")
    assert model.database is not None
    model.database.to_sql("sqlite:///molecules.db")
    first, second = map(str, model.classes_)
    shell.write("costs.json", json.dumps({first: {second: 0.0}, second: {first: 1}}))
    words = ("predict", "m.json", "--database", "sqlite:///molecules.db")
    rates = f"{first}=0.9,{second}=0.1"
    rows = shell.rows(shell(*words, "--costs", "costs.json", "--base-rates", rates).out)
    assert {row["predicted"] for row in rows} == {second}
    expected = model.set_base_rates({first: 0.9, second: 0.1}).predict_proba(keys)[:, 0]
    np.testing.assert_allclose([float(row[f"P({first})"]) for row in rows], expected)


def test_costs_that_are_refused(shell: Shell, model: Path) -> None:
    for name, content, sentence in BAD_COSTS:
        shell.write(name, content)
        assert sentence in shell.refused("predict", model, "pets.csv", "--costs", name)


def test_costs_are_not_written_over(shell: Shell, model: Path) -> None:
    shell.write("costs.csv", ",cat,dog\ncat,0,1\ndog,1,0\n")
    line = shell.refused("predict", model, "pets.csv", "--costs", "costs.csv", "--out", "costs.csv")
    assert "costs.csv" in line
    assert Path("costs.csv").read_text().startswith(",cat,dog")


def test_files_that_cannot_be_read(shell: Shell, model: Path) -> None:
    assert "No such file" in shell.refused("predict", model, "pets.csv", "--costs", "none.csv")
    (shell.directory / "latin.csv").write_bytes(",cat,dög\n".encode("latin-1"))
    with pytest.raises(ValueError, match="is not UTF-8 text"):
        read_cost_file(shell.directory / "latin.csv")


def test_base_rates_that_are_refused(shell: Shell, model: Path) -> None:
    for text, sentence in BAD_RATES:
        assert sentence in shell.refused("predict", model, "pets.csv", "--base-rates", text)
