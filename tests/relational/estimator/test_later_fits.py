"""What a fit leaves to later fits of its database changes none of their trees, and is bounded."""

from __future__ import annotations

import gc
import pickle
import subprocess
import sys
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.relational.random_databases import random_tables

from petree import RelationalTreeClassifier
from petree.relational import Database
from petree.relational.queries.terms import Atom, Variable
from petree.relational.refinement import outlines
from petree.relational.refinement.outlines import Outlines

# Fits that ask for different things of the same tables.
SETTINGS: list[dict[str, Any]] = [
    {"max_links": 1},
    {"max_links": 3, "aggregates": ("count", "mean")},
    {"max_links": None, "max_depth": 3, "link_lookahead": False},
    {"aggregates": ("max", "complex"), "binning": "entropy"},
    {"aggregates": ("count", "two_links"), "max_links": 2},
    {"aggregates": ("count", "two_links"), "max_links": 2, "max_answers": 40},
]


def fitted(database: Database, rows: slice = slice(None), **parameters: Any) -> RelationalTreeClassifier:
    model = RelationalTreeClassifier(database, "thing.class", random_state=0, **{"pruning": "none"} | parameters)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of ids that are not declared
        return model.fit(database.keys("thing")[rows])


def told(model: RelationalTreeClassifier) -> tuple[str, list[Any], list[Any]]:
    return model.export_text(), model.tree_.counts.tolist(), model.tree_.n_tests.tolist()


@pytest.mark.parametrize("seed", range(2))
def test_trees_are_those_of_a_database_that_nobody_has_asked(seed: int) -> None:
    database = random_tables(seed, n=16).database()
    alone = [told(fitted(random_tables(seed, n=16).database(), **one)) for one in SETTINGS]
    for part in (0, 1, 2, 3, 4, 5, 1, 4, 0):
        assert told(fitted(database, **SETTINGS[part])) == alone[part]


def test_trees_of_other_examples_and_criteria() -> None:
    database = random_tables(7, n=40).database()
    for rows in (slice(None), slice(5, 40)):
        for pruning in ("none", "rand", "best_size"):
            alone = fitted(random_tables(7, n=40).database(), rows, pruning=pruning)
            assert told(fitted(database, rows, pruning=pruning)) == told(alone)


def left_by(model: RelationalTreeClassifier) -> Outlines | None:
    found: Outlines | None = model.scope_.database.kept.get(Outlines)
    return found


def test_nothing_is_outlined_again() -> None:
    database = random_tables(3, n=30).database()
    left = left_by(fitted(database))
    assert left is not None
    n_left = len(left)
    assert left_by(fitted(database, pruning="rand")) is left
    assert len(left) == n_left


def test_too_much_is_not_left(monkeypatch: pytest.MonkeyPatch) -> None:
    database = random_tables(3, n=30).database()
    assert left_by(fitted(database)) is not None
    monkeypatch.setattr(outlines, "MOST_LEFT", 3)
    assert left_by(fitted(database)) is None


def test_values_that_are_tried_are_bounded_between_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other examples have other thresholds."""
    database = random_tables(3, n=60).database()
    monkeypatch.setattr(outlines, "MOST_VALUES_LEFT", 200)
    monkeypatch.setattr(outlines, "MOST_LEFT", 10**9)
    expected = [told(fitted(random_tables(3, n=60).database(), rows)) for rows in PARTS]
    left = []
    for rows, one in zip(PARTS, expected, strict=True):
        model = fitted(database, rows)
        assert told(model) == one
        left.append(left_by(model) is not None)
    assert set(left) == {True, False}


PARTS = [slice(first, first + 30) for first in (0, 10, 20, 30)]


def test_answers_of_rows_are_bounded_between_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    left = left_by(fitted(random_tables(3, n=30).database()))
    assert left is not None
    assert left.rows.n_bytes > 200
    monkeypatch.setattr(outlines, "ROW_BYTES_LEFT", 200)
    left = left_by(fitted(random_tables(3, n=30).database()))
    assert left is not None
    assert left.rows.n_bytes <= 200


def test_two_fits_at_a_time() -> None:
    database = random_tables(5, n=16).database()
    expected = [told(fitted(random_tables(5, n=16).database(), **one)) for one in SETTINGS]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as threads:
            found = list(threads.map(lambda one: told(fitted(database, **one)), SETTINGS))
    finally:
        sys.setswitchinterval(interval)
    assert found == expected


def test_nothing_outlives_the_database() -> None:
    database = random_tables(3, n=30).database()
    left = left_by(fitted(database))
    assert left is not None
    known = weakref.ref(left.rows)
    del left, database
    gc.collect()
    assert known() is None


def test_copies_of_a_database_begin_anew() -> None:
    model = fitted(random_tables(3, n=30).database())
    assert Outlines not in pickle.loads(pickle.dumps(model.scope_.database)).kept


def test_atoms_are_the_same_in_another_process(tmp_path: Path) -> None:
    """Hashes of texts differ there, so that none may come along."""
    atom = Atom("atom", (Variable("A"), Variable("B")))
    assert hash(atom) == hash(Atom("atom", (Variable("A"), Variable("B"))))
    file = tmp_path / "atom.pickle"
    file.write_bytes(pickle.dumps(atom))
    program = (
        f"import pickle; from pathlib import Path; atom = pickle.loads(Path({str(file)!r}).read_bytes()); "
        "print(atom in {type(atom)(atom.relation, atom.arguments)})"
    )
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        )
        assert done.stdout.strip() == "True"
