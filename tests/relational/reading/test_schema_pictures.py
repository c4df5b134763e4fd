"""Tables and links as texts of drawing programs, with what a tree asks for marked."""

from __future__ import annotations

from tests.relational.molecules import KEYS, make_model, make_tables

from petree.relational import Database

DATABASE = Database({**make_tables(), 'a "b"': {"x": [1]}}, links=["atom.molecule -> molecule.id"])


def test_mermaid() -> None:
    plain = DATABASE.to_mermaid()
    assert plain.startswith('flowchart LR\n  t0["molecule<br/>id<br/>mutagenic"]\n')
    assert '  t1 -->|"molecule"| t0' in plain
    assert "#fbe3b3" not in plain
    model = make_model(DATABASE).fit(KEYS)
    marked = DATABASE.to_mermaid(model)
    assert '  t0["molecule<br/>#42; id<br/>mutagenic"]' in marked
    assert '  t1 ==>|"molecule"| t0' in marked
    assert marked.count("fill:#fbe3b3") == 2
    assert "a #34;b#34;" in marked


def test_dot() -> None:
    model = make_model(DATABASE).fit(KEYS)
    text = DATABASE.to_graphviz(model)
    assert text.startswith("digraph tables {")
    assert text.endswith("}\n")
    assert '  0 [label="molecule\\n* id\\lmutagenic\\l", fillcolor="#fbe3b3"];' in text
    assert '  1 -> 0 [label="molecule", penwidth=2];' in text
    assert '  2 [label="a \\"b\\"\\nx\\l", fillcolor="#ffffff"];' in text


def test_asked_columns_are_those_that_answers_depend_on() -> None:
    model = make_model(DATABASE).fit(KEYS)
    asked = model.asked_columns()
    assert asked["molecule"] == ["id"]
    assert set(asked) == {"molecule", "atom"}
    assert "#row" not in asked["atom"]


def test_explanations_have_the_rows_behind_them() -> None:
    model = make_model(DATABASE).fit(KEYS)
    for key, one in zip(KEYS, model.explain(KEYS), strict=True):
        (found,) = model.rows_at(int(model.apply([key])[0]), [key])
        assert one.witnesses == found["rows"]
        assert f"rows behind it:\n  molecule: id = {key}" in str(one)
