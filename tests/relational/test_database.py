"""Keys, links and examples of a database."""

from __future__ import annotations

import pickle
import re
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from tests.relational.decoded import partners, rows

from petree.relational.database import ROW, Database, ForeignKey
from petree.relational.relations import KEY, MISSING

MOLECULES = {"id": ["m2", "m1"], "class": ["active", "inactive"]}
ATOMS = {"molecule_id": ["m1", "m2", "m1"], "element": ["c", "o", "c"]}
LINK = "atom.molecule_id -> molecule.id"


def two_tables() -> Database:
    return Database({"molecule": MOLECULES, "atom": ATOMS}, [LINK])


# -- links -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "link",
    [
        LINK,
        ("atom.molecule_id", "molecule.id"),
        (("atom", "molecule_id"), ("molecule", ("id",))),
        "atom(molecule_id) -> molecule(id)",
        ForeignKey("atom", ("molecule_id",), "molecule", ("id",)),
    ],
)
def test_a_link_is_written_in_many_ways(link: Any) -> None:
    database = Database({"molecule": MOLECULES, "atom": ATOMS}, [link, LINK])
    assert database.foreign_keys == (ForeignKey("atom", ("molecule_id",), "molecule", ("id",)),)
    assert str(database.foreign_keys[0]) == LINK
    assert partners(database, "atom", "molecule") == [[1], [0], [1]]


def test_linked_columns_share_a_domain_named_by_what_is_referred_to() -> None:
    tables = {"a": {"x": [2, 1]}, "b": {"x": [1, 2]}, "c": {"x": [1, 3, 2]}}
    database = Database(tables, ["a.x -> b.x", "b.x -> c.x"])
    domains = {database.relation(name).columns[0].domain for name in "abc"}
    assert [(domain.name, list(domain.values)) for domain in domains] == [("c.x", [1, 2, 3])]
    assert all(column.kind == KEY for name in "abc" for column in database.relation(name).columns)


def test_composite_keys() -> None:
    opening = {"clinic": ["a", "a", "b"], "day": [1, 2, 1], "staff": [3, 4, 5]}
    visit = {"clinic": ["b", "a", "a", None], "day": [1.0, 2.0, np.nan, 1.0]}
    database = Database({"opening": opening, "visit": visit}, ["visit(clinic, day) -> opening(clinic, day)"])
    assert partners(database, "visit", "opening") == [[2], [1], [], []]
    assert database.keys("opening") == [("a", 1), ("a", 2), ("b", 1)]
    wanted = [("b", 1), ("a", 1)]
    for keys in (wanted, np.array(wanted, object), pd.DataFrame(wanted)):
        assert database.rows("opening", keys).tolist() == [2, 0]
    assert database.rows("opening", []).tolist() == []


def test_many_to_many_self_links_and_two_links_to_one_table() -> None:
    tables = {
        "person": {"id": [1, 2, 3], "boss": [None, 1, 1]},
        "film": {"title": ["x", "y"]},
        "role": {"film": ["x", "x", "y"], "actor": [1, 2, 2], "understudy": [3, 3, None]},
    }
    links = ["person.boss -> person.id", "role.film -> film.title", "role.actor -> person.id"]
    database = Database(tables, [*links, "role.understudy -> person.id"])
    assert [str(key) for key in database.foreign_keys][:3] == links
    assert partners(database, "person", "person") == [[], [0], [0]]
    assert partners(database, "role", "film") == [[0], [0], [1]]
    role, person = database.relation("role"), database.relation("person")
    understudies = database.link("role", [role.place("understudy")], "person", [person.place("id")])
    assert understudies.follow(np.arange(3, dtype=np.int32))[1].tolist() == [2, 2]
    of_actors = database.link("person", [0], "role", [role.place("actor")])
    assert of_actors.sizes.tolist() == [1, 2, 0]


def test_names_may_hold_dots() -> None:
    tables = {"main.molecule": {"the.id": [1, 2]}, "main.atom": {"the.molecule": [2, 1]}}
    database = Database(tables, ["main.atom.the.molecule -> main.molecule.the.id"])
    assert partners(database, "main.atom", "main.molecule") == [[1], [0]]


@given(
    st.lists(st.tuples(*[st.sampled_from([None, 1, 2, 3])] * 2), max_size=8),
    st.lists(st.tuples(*[st.sampled_from([1, 2, 3])] * 2), min_size=1, max_size=6, unique=True),
)
def test_links_agree_with_a_nested_loop(left: list[tuple[Any, Any]], right: list[tuple[int, int]]) -> None:
    tables = {
        "left": {"a": [one for one, _ in left], "b": [other for _, other in left]},
        "right": {"a": [one for one, _ in right], "b": [other for _, other in right]},
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        database = Database(tables, ["left(a, b) -> right(a, b)"])
    expected = [[row for row, other in enumerate(right) if None not in one and other == one] for one in left]
    assert partners(database, "left", "right") == expected


# -- keys that are missing or dangle ---------------------------------------------------------------------------


def test_dangling_keys_are_counted_told_and_kept_out_of_joins() -> None:
    tables = {"molecule": {"id": [1, 2]}, "atom": {"molecule_id": [1.0, 7.0, np.nan, 7.0, 8.0], "n": [1, 2, 3, 4, 5]}}
    told = r"3 of 5 rows of table 'atom' dangle: their atom\.molecule_id \(such as 7\) is not among molecule\.id; they"
    with pytest.warns(UserWarning, match=told) as caught:
        database = Database(tables, [LINK])
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert rows(database, "atom") == [(1, 1), (None, 2), (None, 3), (None, 4), (None, 5)]
    siblings = database.link("atom", [0], "atom", [0])
    assert siblings.sizes.tolist() == [1, 0, 0, 0, 0]
    assert database.report().splitlines() == [
        "molecule(id): 2 rows",
        "atom(molecule_id, n): 5 rows",
        "atom.molecule_id -> molecule.id: 5 rows, 1 without a key, 3 dangling (such as 7)",
    ]


def test_a_key_that_dangles_along_one_link_only_is_kept() -> None:
    tables = {"a": {"x": [1, 2]}, "b": {"x": [2, 3]}, "c": {"x": [1, 2, 3, 4]}}
    with pytest.warns(UserWarning, match="dangle") as caught:
        database = Database(tables, ["c.x -> a.x", "c.x -> b.x"])
    assert len(caught) == 2
    assert rows(database, "c") == [(1,), (2,), (3,), (None,)]


def test_a_key_that_names_rows_itself_is_kept_though_it_dangles() -> None:
    tables = {"person": {"id": [1]}, "student": {"id": [1, 2]}, "course": {"student": [2, 2]}}
    with pytest.warns(UserWarning, match="1 of 2 rows of table 'student' dangle"):
        database = Database(tables, ["student.id -> person.id", "course.student -> student.id"])
    assert partners(database, "course", "student") == [[1], [1]]


def test_of_a_dangling_composite_key_only_what_stands_for_nothing_else_is_kept_out() -> None:
    tables = {
        "course": {"id": ["c", "d"]},
        "offer": {"course": ["c", "d"], "year": [1, 2]},
        "exam": {"course": ["c", "c"], "year": [1, 2]},
    }
    links = ["offer.course -> course.id", "exam(course, year) -> offer(course, year)", "exam.course -> course.id"]
    with pytest.warns(UserWarning, match=r"\(such as \('c', 2\)\)"):
        database = Database(tables, links)
    assert rows(database, "exam") == [("c", 1), ("c", None)]


# -- keys ------------------------------------------------------------------------------------------------------


def test_a_table_without_a_key_gets_numbered_rows() -> None:
    relation = two_tables().relation("atom")
    last = relation.columns[-1]
    assert (last.name, last.kind, last.domain.name, last.codes.tolist()) == (ROW, KEY, "atom row", [0, 1, 2])
    assert relation.keys == ((2,),)
    assert relation.written[-1] is last
    assert two_tables().relation("molecule").keys == ((0,),)


def test_declared_keys_come_before_those_that_links_point_to() -> None:
    tables = {"person": {"tax": [7, 8], "id": [1, 2]}, "pet": {"owner": [2]}}
    database = Database(tables, ["pet.owner -> person.id"], keys={"person": "tax"})
    assert database.relation("person").keys == ((0,), (1,))
    assert database.keys("person").tolist() == [7, 8]  # type: ignore[union-attr]


def test_missing_keys_may_repeat_and_fit_nothing() -> None:
    database = Database({"a": {"x": [1, None, None]}, "b": {"x": [None, 1]}}, ["b.x -> a.x"])
    assert partners(database, "b", "a") == [[], [0]]


def test_whole_keys_that_are_floats_for_a_missing_one_are_fine() -> None:
    tables = {"molecule": {"id": [1, 2]}, "atom": {"molecule_id": np.array([2.0, np.nan])}}
    database = Database(tables, [LINK])
    assert rows(database, "atom") == [(2,), (None,)]
    assert all(isinstance(value, int) for value in database.relation("atom").columns[0].domain.values)
    assert database.relation("atom").columns[0].codes.tolist() == [1, MISSING]


# -- examples --------------------------------------------------------------------------------------------------


def test_rows_of_keys() -> None:
    database = two_tables()
    assert database.keys("molecule").tolist() == ["m2", "m1"]  # type: ignore[union-attr]
    for keys in (["m1", "m2", "m1"], np.array([["m1"], ["m2"], ["m1"]]), pd.Series(["m1", "m2", "m1"])):
        assert database.rows("molecule", keys).tolist() == [1, 0, 1]
    assert database.rows("molecule", []).tolist() == []


@given(st.lists(st.integers(-50, 50), min_size=1, unique=True), st.randoms(use_true_random=False))
def test_rows_undo_keys(identifiers: list[int], random: Any) -> None:
    database = Database({"thing": {"id": np.array(identifiers)}}, keys={"thing": "id"})
    order = list(range(len(identifiers)))
    random.shuffle(order)
    assert database.rows("thing", database.keys("thing")[order]).tolist() == order  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (["m1", "m9"], "Table 'molecule' has no row with molecule.id = 'm9', which stands at place 1 of the keys"),
        (["m1", None], "no row with molecule.id = None"),
        ([1, 2], "Column 'molecule.id' holds text, but the keys are numbers"),
        (np.array([["m1", "m2"]]), "The keys have 2 columns, but 1 name a row"),
    ],
)
def test_unknown_keys_are_refused(keys: Any, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        two_tables().rows("molecule", keys)


def test_unknown_composite_keys_are_refused() -> None:
    database = Database({"t": {"a": [1, 2], "b": ["x", "y"]}}, keys={"t": ("a", "b")})
    with pytest.raises(ValueError, match=re.escape("no row with t(a, b) = (1, 'y'), which stands at place 1")):
        database.rows("t", [(2, "y"), (1, "y")])
    with pytest.raises(ValueError, match="The key 2 at place 1 must be a tuple of 2 values"):
        database.rows("t", [(2, "y"), 2])


def test_a_table_without_a_key_names_no_examples() -> None:
    with pytest.raises(ValueError, match="Table 'atom' has no key, so that its rows cannot be named"):
        two_tables().keys("atom")


def test_labels() -> None:
    assert two_tables().labels("molecule.class").tolist() == ["active", "inactive"]
    database = Database({"t": {"id": [5, 6], "class": ["a", None], "n": [1, 2]}}, keys={"t": "id"})
    assert database.labels("t.n").tolist() == [1, 2]
    with pytest.raises(ValueError, match=r"Column 't\.class' has no value in row 1, where id is 6"):
        database.labels("t.class")
    with pytest.raises(ValueError, match="Table 't' has no column 'klass'; its columns are id, class, n"):
        database.labels("t.klass")


# -- copies ----------------------------------------------------------------------------------------------------


def test_clones_share_and_pickles_leave_links_out() -> None:
    database = two_tables()
    partners(database, "atom", "molecule")
    database.kept["x"] = 1
    assert clone(database) is database
    copy = pickle.loads(pickle.dumps(database))
    assert not copy.kept
    assert partners(copy, "atom", "molecule") == partners(database, "atom", "molecule")


def test_from_relations_takes_what_was_declared() -> None:
    made = two_tables()
    database = Database.from_relations(
        relations=made.relations, foreign_keys=(), conditions={}, target="molecule", bias=None, settings={"x": 1}
    )
    assert (database.target, database.settings, database.foreign_keys) == ("molecule", {"x": 1}, ())
    assert database.relation("atom") is made.relation("atom")
