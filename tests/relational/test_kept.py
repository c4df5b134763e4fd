"""What was found out about rows is kept up to so many bytes."""

from __future__ import annotations

import pickle
from functools import partial

import numpy as np

from petree import RelationalTreeClassifier
from petree.relational import Database
from petree.relational.kept import KeptArrays


def test_what_was_asked_for_longest_ago_goes_first() -> None:
    kept = KeptArrays(most_bytes=20)
    made: list[str] = []

    def upper(key: str) -> str:
        made.append(key)
        return key.upper()

    assert [kept.find(key, partial(upper, key), 10) for key in "abacba"] == list("ABACBA")
    assert made == ["a", "b", "c", "b", "a"]
    assert len(kept) == 2
    assert kept.n_bytes == 20


def test_what_is_too_large_is_not_kept() -> None:
    kept = KeptArrays(most_bytes=5)
    assert kept.find("a", lambda: 1, 6) == 1
    assert (len(kept), kept.n_bytes) == (0, 0)


def test_what_is_kept_anew_is_counted_anew() -> None:
    kept = KeptArrays(most_bytes=20)
    assert kept.keep("a", "first", 5)
    assert kept.keep("b", "other", 5)
    assert kept.keep("a", "second", 12)
    assert (kept.get("a"), kept.get("b"), kept.n_bytes) == ("second", "other", 17)
    assert kept.keep("a", "third", 18)  # for which the other one goes
    assert (kept.get("a"), kept.get("b"), kept.n_bytes) == ("third", None, 18)
    assert not kept.keep("a", "fourth", 21)
    assert (kept.get("a"), len(kept), kept.n_bytes) == (None, 0, 0)


def test_room_may_be_kept_for_what_is_not_made_yet() -> None:
    kept = KeptArrays(most_bytes=20)
    kept.keep("a", "first", 15)
    assert kept.keep("b", None, 10)
    assert (kept.get("a"), kept.get("b"), kept.n_bytes) == (None, None, 10)
    assert kept.find("b", lambda: "made", 12) == "made"
    assert (kept.get("b"), kept.n_bytes) == ("made", 12)


def test_copies_begin_without_and_fits_share() -> None:
    tables = {"a": {"id": [0, 1, 2, 3], "class": [0, 0, 1, 1]}, "b": {"a": [0, 0, 1, 1, 2, 3], "x": np.arange(6.0)}}
    database = Database(tables, links=["b.a -> a.id"])
    model = RelationalTreeClassifier(database, "a.class", aggregates=("mean",), pruning="none").fit([0, 1, 2, 3])
    found = model.scope_.database.arrays
    n_found = len(found)
    assert n_found
    model.fit([0, 1, 2, 3])
    assert len(found) == n_found
    assert not len(pickle.loads(pickle.dumps(model.scope_.database)).arrays)
