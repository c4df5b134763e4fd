"""The registry of exports: every row writes every tree it is for, and refuses the others in a sentence."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from petree import OptionTreeClassifier, ProbabilityTreeClassifier, RelationalTreeClassifier, reading
from petree.exports import EXPORTS, export
from petree.relational import Database
from petree.tree import Tree

X = {"colour": ["red", "red", "blue", "blue", "blue", "red"], "size": [1.0, 2.0, 1.0, 4.0, 3.0, 3.0]}
Y = ["yes", "yes", "no", "no", "no", "yes"]
DATABASE = Database(
    {
        "molecule": {"id": [1, 2, 3, 4], "class": ["toxic", "toxic", "safe", "safe"]},
        "atom": {"molecule": [1, 1, 2, 3, 4], "element": ["cl", "c", "cl", "c", "o"]},
    },
    links=["atom.molecule -> molecule.id"],
)


def of_one_table() -> Any:
    return ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(X, Y)


def of_related_tables() -> Any:
    return RelationalTreeClassifier(DATABASE, "molecule.class", pruning="none", smoothing="laplace").fit([1, 2, 3, 4])


@pytest.mark.parametrize("make", [of_one_table, of_related_tables])
@pytest.mark.parametrize("name", EXPORTS)
def test_every_row_writes_the_trees_it_is_for(name: str, make: Any) -> None:
    model = make()
    row = EXPORTS[name]
    place = row.of_one_table if make is of_one_table else row.of_related_tables
    if place is None:
        with pytest.raises(ValueError, match=rf"format {name} is for trees of .*; this is one of "):
            model.export(name)
        return
    written = model.export(name)
    assert isinstance(written, str | bytes) == row.in_files
    assert not row.in_files or len(written) > 0
    if "level" in row.options:
        assert str(model.export(name, level=0.9)) != str(written)


def test_methods_and_functions_write_the_same() -> None:
    for model in (of_one_table(), of_related_tables()):
        assert model.export("text") == model.export_text() == reading.export_text(model)
        assert model.export("rules", level=0.9).splitlines() == model.rules(0.9)
        assert model.export("rules").splitlines() == reading.rules(model)
        assert model.export("html") == reading.to_html(model) == model._html_repr()
        assert model.export("frame", 0.9).equals(model.to_frame(0.9))
    assert model.export("sql", dialect="duckdb") == model.to_sql(dialect="duckdb")
    assert model.export("prolog") == model.to_prolog()


def test_trees_of_related_tables_are_read_in_sentences() -> None:
    assert "if some atom (B) of the molecule has element = cl then P(toxic)" in reading.rules(of_related_tables())[0]


def test_an_option_tree_is_read_by_its_summary() -> None:
    model = OptionTreeClassifier(n_searches=2).fit(X, Y)
    assert model.export("text") == model.export_text() == model.summary().export_text()
    assert model.rules(0.9) == model.summary().rules(0.9)


def test_a_bare_tree_is_written_but_has_no_intervals() -> None:
    tree = Tree.from_counts([[12, 0], [3, 5]])
    assert export(tree, "rules").splitlines() == reading.rules(tree)
    with pytest.raises(ValueError, match=r"level 0\.9 are for a fitted estimator"):
        export(tree, "rules", level=0.9)


def test_what_is_not_there_is_named() -> None:
    model = of_one_table()
    with pytest.raises(ValueError, match=r"Unknown format 'texts'.*Did you mean 'text'"):
        model.export("texts")
    takers = ", ".join(name for name, row in EXPORTS.items() if "level" in row.options)
    with pytest.raises(ValueError, match=f"format text takes no 'level'; {takers} do"):
        model.export("text", level=0.9)
    with pytest.raises(ValueError, match=r"format html takes no 'colour'\."):
        model.export("html", colour="red")


@pytest.mark.parametrize("name", ["dot", "mermaid"])
def test_every_class_of_24_has_a_colour_of_its_own(name: str) -> None:
    X = np.arange(72.0).reshape(-1, 1)
    text = ProbabilityTreeClassifier(pruning="none").fit(X, np.arange(72) // 3).export(name)
    assert len(set(re.findall(r"#[0-9a-f]{6}", text)) - {"#ffffff", "#555555", "#000000"}) == 24
