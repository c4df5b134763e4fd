"""Tables whose rows fit each other many to many need no more memory than the bounds allow."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from petree import RelationalTreeClassifier
from petree.relational import Database


def make_star(n_customers: int, n_each: int, n_kinds: int) -> Database:
    """Customers with transactions, each of one of a few kinds; the class asks for a large one of kind 3."""
    random = np.random.default_rng(0)
    n = n_customers * n_each
    customer = np.repeat(np.arange(n_customers), n_each)
    kind = random.integers(0, n_kinds, n)
    amount = random.normal(size=n).round(2)
    classes = np.bincount(customer, (kind == 3) & (amount > 1.2), n_customers) > 0
    tables = {
        "customer": {"id": np.arange(n_customers), "class": classes},
        "tx": {"cid": customer, "kind": kind, "amount": amount},
        "kind": {"id": np.arange(n_kinds), "name": [f"k{number}" for number in range(n_kinds)]},
    }
    return Database(tables, links=["tx.cid -> customer.id", "tx.kind -> kind.id"])


def test_a_star_is_indexed_by_key_and_not_by_pairs() -> None:
    """Transactions of the same kind would be 24 million pairs."""
    database = make_star(600, 20, 6)
    model = RelationalTreeClassifier(database, "customer.class", max_answers=100_000, aggregates=("count", "sum"))
    tracemalloc.start()
    with pytest.warns(
        UserWarning, match="^Some tests about other rows of tx were left out, .* no other test is affected"
    ):
        model.fit(database.keys("customer"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40e6
    assert model.tree_.n_leaves > 1


def test_rows_behind_a_link_with_too_many_pairs_show_no_values() -> None:
    """Every shop of a town sells to all of its people: 100 people and 300 shops in one town."""
    tables = {
        "person": {"id": np.arange(100), "town": [0] * 100, "class": ["a", "b"] * 50},
        "town": {"id": [0, 1]},
        "shop": {"town": [0] * 300 + [1], "size": np.arange(301) * 3},
    }
    database = Database(tables, ["person.town -> town.id", "shop.town -> town.id"], keys={"person": "id"})
    model = RelationalTreeClassifier(database, "person.class", max_answers=1000)
    with pytest.warns(UserWarning, match="tests about other rows of person, shop were left out"):
        model.fit(database.keys("person"))


@pytest.mark.parametrize(("max_links", "is_asked"), [(0, False), (1, True)])
def test_rows_of_a_function_count_as_a_link(max_links: int, is_asked: bool) -> None:
    tables = {"a": {"id": [0, 1, 2, 3], "class": [0, 0, 1, 1]}, "b": {"a": [0, 0, 1, 1, 2, 3]}}
    database = Database(tables, links=["b.a -> a.id"])
    model = RelationalTreeClassifier(database, "a.class", max_links=max_links, pruning="none")
    assert ("the number of bs" in model.fit(database.keys("a")).export_text()) == is_asked
