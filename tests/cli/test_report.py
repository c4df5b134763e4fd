"""``petree report``: a page of a model, tried on a table."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from tests.cli.shell import Shell
from tests.report.examples import content_of, relational_model

from petree import storage
from petree.files import read_table
from petree.report import Report


def content_at(path: str) -> dict:
    return content_of(Report(Path(path).read_text(encoding="utf-8")))


def test_a_page_of_a_model(shell: Shell, model: Path) -> None:
    assert shell("report", model, "--out", "r.html") == (0, "", "")
    content = content_at("r.html")
    assert content["quality"] is None
    assert content["origin"]["command"] == f"petree report {model} --out r.html"


def test_a_page_of_a_model_tried_on_a_table(shell: Shell, model: Path) -> None:
    outcome = shell("report", model, "--data", "pets.csv", "--target", "kind", "--out", "r.html")
    assert outcome == (0, "", "")
    content = content_at("r.html")
    fitted = storage.load(model)
    features = read_table("pets.csv").select(["weight", "colour", "code"])
    np.testing.assert_allclose(content["rows"]["answers"], fitted.predict_proba(features), atol=1e-9)
    truth = read_table("pets.csv").column("kind")
    assert content["quality"]["measures"][0][1] == pytest.approx((fitted.predict(features) == truth).mean(), abs=1e-4)


def test_columns_that_are_not_used_are_named(shell: Shell, model: Path) -> None:
    outcome = shell("report", model, "--data", "pets.csv", "--out", "r.html")
    assert outcome.err == "petree: note: ignoring columns that the model does not know: kind.\n"
    assert content_at("r.html")["rows"]["truth"] is None


def test_refusals(shell: Shell, model: Path) -> None:
    assert "--target is for data; name them with --data or --database" in shell.refused(
        "report", model, "--target", "kind", "--out", "r.html"
    )
    assert "is what is read" in shell.refused("report", model, "--data", "pets.csv", "--out", "pets.csv")
    assert "no directory" in shell.refused("report", model, "--out", "nowhere/r.html")
    assert "Missing option '--out'" in shell.refused("report", model)
    assert "has no column 'sort'" in shell.refused(
        "report", model, "--data", "pets.csv", "--target", "sort", "--out", "r"
    )


def test_words_for_what_is_missing_are_given_as_to_fit(shell: Shell, model: Path) -> None:
    text = Path("pets.csv").read_text(encoding="utf-8").splitlines()
    place = text[0].split(",").index("weight")
    cells = text[1].split(",")
    cells[place] = "nobody-knows"
    shell.write("odd.csv", "\n".join([text[0], ",".join(cells), *text[2:]]) + "\n")
    words = ["report", model, "--data", "odd.csv", "--target", "kind", "--out", "r.html"]
    assert "nobody-knows" in shell.refused(*words)
    assert shell(*words, "--missing-values", "nobody-knows").code == 0
    content = content_at("r.html")
    assert content["rows"]["columns"][0][0] is None
    assert content["origin"]["command"].endswith(
        "--missing-values nobody-knows --data odd.csv --target kind --out r.html"
    )


def test_a_tree_of_related_tables_is_shown_without_tables(shell: Shell) -> None:
    storage.save(relational_model()[0], "m.json")
    assert shell("report", "m.json", "--out", "r.html").code == 0
    assert content_at("r.html")["queries"]
    refusal = shell.refused("report", "m.json", "--data", "pets.csv", "--out", "r.html")
    assert "m.json contains a tree of related tables. Use --database." in refusal


def test_a_tree_of_related_tables_is_tried_on_a_database(shell: Shell, model: Path) -> None:
    pytest.importorskip("sqlalchemy")
    related, keys, labels = relational_model()
    storage.save(related, "m.json")
    url = "sqlite:///molecules.db"
    assert related.database is not None
    related.database.to_sql(url)
    words = ["report", "m.json", "--database", url, "--out", "r.html"]
    assert shell(*words) == (0, "", "")
    assert content_at("r.html")["examples"]["truth"] is None
    assert shell(*words, "--target", "molecule.active").code == 0
    content = content_at("r.html")
    assert related.classes_[content["examples"]["truth"]].tolist() == labels.tolist()
    np.testing.assert_allclose(content["examples"]["answers"], related.predict_proba(keys), atol=1e-9)
    right = (related.predict(keys) == labels).mean()
    assert content["quality"]["measures"][0][1] == pytest.approx(right, abs=1e-4)
    for target in ("molecule", "atom.element"):
        assert "--target must name a column of 'molecule'" in shell.refused(*words, "--target", target)
    assert "--types is for one table" in shell.refused(*words, "--types", "x=date")
    assert "Name one source" in shell.refused(*words, "--data", "pets.csv")
    refusal = shell.refused("report", model, "--database", url, "--out", "r.html")
    assert "contains a tree of one table. Name the table instead of --database." in refusal


def test_the_page_is_not_imported_by_other_commands(shell: Shell, model: Path) -> None:
    for name in [name for name in sys.modules if name.startswith("petree.report")]:
        del sys.modules[name]
    assert shell("show", model).code == 0
    assert "petree.report" not in sys.modules
