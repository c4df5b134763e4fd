"""Links without a direction: rows are found from either end, in queries, sentences, SQL and model files."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.relational.reading.test_rules import first_rule_that_holds

import petree
from petree import RelationalTreeClassifier
from petree.relational import Database
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.reading.sentences import sentence_of
from petree.relational.routing import NO_LIMIT

LINKS = ["bond.molecule -> molecule.id", "atom.molecule -> molecule.id"]
ENDS = ["bond.atom1 -> atom.id", "bond.atom2 -> atom.id"]
BOTH = "bond.atom1 -- bond.atom2"
N = 40


def tables(seed: int) -> dict[str, dict[str, list[Any]]]:
    """Molecules with atoms and bonds between them, some of which lack an end."""
    numbers = random.Random(seed)
    owners = [numbers.randrange(N) for _ in range(4 * N)]
    bonds = [(numbers.randrange(4 * N), numbers.randrange(4 * N)) for _ in range(3 * N)]
    ends = [[None if numbers.random() < 0.1 else one for one in pair] for pair in bonds]
    return {
        "molecule": {"id": list(range(N)), "class": [numbers.choice(["u", "v"]) for _ in range(N)]},
        "atom": {"id": list(range(4 * N)), "molecule": owners, "element": [numbers.choice("cno") for _ in owners]},
        "bond": {
            "molecule": [numbers.randrange(N) for _ in bonds],
            "atom1": [one for one, _ in ends],
            "atom2": [two for _, two in ends],
            "kind": [numbers.choice(["single", "double", None]) for _ in bonds],
        },
    }


def ask(database: Database, text: str) -> list[bool]:
    scope = Scope.of_target(database, "atom")
    rows = np.arange(4 * N, dtype=np.int32)
    covered: list[bool] = Answers.of_examples(scope, rows, NO_LIMIT).extend(parse_literals(text)).covered.tolist()
    return covered


@pytest.mark.parametrize("seed", range(3))
def test_rows_are_found_from_either_end(seed: int) -> None:
    made = tables(seed)
    database = Database(made, [*LINKS, *ENDS, BOTH])
    bond = made["bond"]
    pairs = list(zip(bond["atom1"], bond["atom2"], bond["kind"], strict=True))
    elements = made["atom"]["element"]
    ways = [*pairs, *((two, one, kind) for one, two, kind in pairs)]
    for atom, found in enumerate(ask(database, "bond_either_way(A, C, double, _), atom(C, _, n)")):
        expected = any(
            one == atom and kind == "double" and two is not None and elements[two] == "n" for one, two, kind in ways
        )
        assert found == expected
    for atom, found in enumerate(ask(database, "count(bond_either_way(A, _, _, _)) >= 2")):
        assert found == (sum(atom in (one,) for one, _, _ in ways) >= 2)


def learned(seed: int) -> RelationalTreeClassifier:
    """A tree of molecules that asks for the neighbours of atoms."""
    made = tables(seed)
    database = Database(made, [*LINKS, *ENDS, BOTH])
    model = RelationalTreeClassifier(database, "molecule.class", pruning="none", smoothing="laplace", max_links=3)
    return model.fit(range(N))


def test_a_tree_asks_both_ways_and_never_one_way() -> None:
    model = learned(0)
    text = model.export_text(style="prolog")
    assert "bond_either_way(" in text
    assert [str(link) for link in model.scope_.database.foreign_keys] == [
        *LINKS,
        "bond_either_way.atom1 -> atom.id",
        "bond_either_way.atom2 -> atom.id",
    ]
    assert "either_way" not in model.export_text()
    assert "% bond_either_way has each row of bond twice" in model.to_prolog()
    assert first_rule_that_holds(model, np.arange(N)) == model.predict(range(N)).tolist()


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_sql_gives_the_same(tmp_path: Path, dialect: str) -> None:
    sa = pytest.importorskip("sqlalchemy")
    pytest.importorskip("duckdb_engine" if dialect == "duckdb" else "sqlite3")
    model = learned(1)
    assert model.database is not None
    url = f"{dialect}:///{tmp_path / 'x.db'}"
    model.database.to_sql(url)
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        found = {row[0]: row[-1] for row in connection.exec_driver_sql(model.to_sql(dialect=dialect))}
    engine.dispose()
    assert "UNION ALL" in model.to_sql()
    np.testing.assert_allclose([found[one] for one in range(N)], model.predict_proba(range(N))[:, 1])
    if dialect == "sqlite":  # which keeps the foreign keys
        again = Database.from_url(url, links=[BOTH])
        assert {*map(str, again.foreign_keys)} == {*map(str, model.database.foreign_keys)}
        np.testing.assert_array_equal(model.predict_proba(range(N), database=again), model.predict_proba(range(N)))


def test_a_model_file_keeps_it(tmp_path: Path) -> None:
    model = learned(2)
    petree.save(model, tmp_path / "m.json")
    loaded = petree.load(tmp_path / "m.json", database=model.database)
    np.testing.assert_array_equal(loaded.predict_proba(range(N)), model.predict_proba(range(N)))
    assert (loaded.export_text(), loaded.to_sql()) == (model.export_text(), model.to_sql())


def test_sentences() -> None:
    database = Database(tables(0), [*LINKS, *ENDS, BOTH])
    scope = Scope.of_target(database, "atom")
    said = sentence_of(scope, parse_literals("bond_either_way(A, C, double, D)"))
    assert said.success == "some bond (D) of the atom, with atom2 C, has kind = double"
    assert said.failure == "no bond of the atom has kind = double"
    said = sentence_of(scope, parse_literals("count(bond_either_way(A, _, _, _)) >= 2"))
    assert said.success == "the number of bonds of the atom >= 2"


def test_a_class_is_hidden_both_ways() -> None:
    made = tables(0)
    made["bond"]["id"] = list(range(3 * N))
    made["bond"]["kind"] = [one or "none" for one in made["bond"]["kind"]]
    database = Database(made, [*LINKS, *ENDS, BOTH], keys={"bond": "id"})
    hidden = database.hiding("bond", "kind")
    assert "kind" not in hidden.relation("bond_either_way").names
    model = RelationalTreeClassifier(database, "bond.kind", max_depth=1).fit(range(3 * N))
    assert "kind" not in str(model.bias_)


@pytest.mark.parametrize(
    ("links", "problem"),
    [
        ([*LINKS, BOTH], "Both columns of the link .* must point to the same; declare, for example, 'bond.atom1 -> "),
        ([*LINKS, *ENDS, "bond.atom1 -- atom.id"], "must name two columns of one table"),
        ([*LINKS, *ENDS, "bond.atom1 -- bond.atom1"], "must name two columns of one table"),
        ([*LINKS, *ENDS, "bond.atom1 -- bond.ghost"], "Table 'bond' has no column 'ghost'"),
    ],
)
def test_what_is_refused(links: list[str], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Database(tables(0), links)
