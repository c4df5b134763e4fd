"""Paths to tables that a row and the row behind it do not reach."""

from __future__ import annotations

import sqlite3
import warnings
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from tests.relational.oracles.plain_rows import KEY, Link, World
from tests.relational.oracles.sentences import OWN, Reader, hold

from petree import RelationalOptionTreeClassifier, RelationalTreeClassifier
from petree.relational import Database, automatic_bias
from petree.relational.bias import paths
from petree.relational.reading.sentences import sentence_of

N = 80
LINKS = ["purchase.customer -> customer.id", "line.purchase -> purchase.id", "line.product -> product.id"]


def make_tables(seed: int = 0) -> dict[str, dict[str, np.ndarray]]:
    """Customers whose class depends on the products in their orders."""
    numbers = np.random.default_rng(seed)
    customer = numbers.integers(0, N, 3 * N)
    order = numbers.integers(0, 3 * N, 6 * N)
    product = numbers.integers(0, 30, 6 * N)
    kinds = np.resize(["book", "game", "tool", "toy", "wine"], 30)
    buys_wine = np.isin(np.arange(N), customer[order[kinds[product] == "wine"]])
    return {
        "customer": {"id": np.arange(N), "class": np.where(buys_wine, "yes", "no")},
        "purchase": {"id": np.arange(3 * N), "customer": customer, "day": numbers.integers(0, 9, 3 * N)},
        "line": {"purchase": order, "product": product, "amount": numbers.integers(1, 4, 6 * N)},
        "product": {"id": np.arange(30), "kind": kinds},
    }


def make_database() -> Database:
    return Database(make_tables(), LINKS)


def test_a_rule_behind_a_link_table_is_found(tmp_path: Path) -> None:
    database = make_database()
    model = RelationalTreeClassifier(database, "customer.class", pruning="none", smoothing="laplace").fit(np.arange(N))
    first = model.export_text().splitlines()[2]
    assert "product (C) has kind = wine" in first
    assert model.tree_.n_nodes == 3
    database.to_sql(f"sqlite:///{tmp_path / 'x.db'}")
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        found = {row[0]: row[-1] for row in connection.execute(model.to_sql())}
    assert np.allclose([found[key] for key in range(N)], model.predict_proba(np.arange(N))[:, 1])


def test_option_trees_use_as_many_links_as_they_may() -> None:
    labels = make_tables()["customer"]["class"]
    losses = []
    for max_links in (2, 3):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = RelationalOptionTreeClassifier(
                make_database(), "customer.class", max_links=max_links, n_searches=10, random_state=0
            ).fit(np.arange(N // 2))
        chosen = np.searchsorted(model.classes_, labels[N // 2 :])
        losses.append(-np.log(model.predict_proba(np.arange(N // 2, N))[np.arange(N // 2), chosen]).mean())
    assert losses[1] < 0.8 * losses[0]


def test_sentences_of_paths_mean_what_the_queries_find() -> None:
    tables = make_tables(1)
    database = make_database()
    rows = {
        name: [dict(zip(one, values, strict=True)) for values in zip(*(c.tolist() for c in one.values()), strict=True)]
        for name, one in make_tables().items()
    }
    for listed in rows.values():
        for number, row in enumerate(listed):
            row[KEY] = (row.get("id", number),)
    links = [
        Link("purchase", ("customer",), "customer", ("id",)),
        Link("line", ("purchase",), "purchase", ("id",)),
        Link("line", ("product",), "product", ("id",)),
    ]
    kinds = {("product", "kind"): tuple(sorted(set(tables["product"]["kind"].tolist())))}
    world = World(rows, links, "customer", kinds=kinds)
    model = RelationalTreeClassifier(database, "customer.class", pruning="none", smoothing="laplace", max_depth=1).fit(
        np.arange(N)
    )
    said = sentence_of(model.scope_, model._router.literals[0])
    holds = model.apply(np.arange(N)) == 1
    for text, wanted in ((said.success, holds), (said.failure, ~holds)):
        is_so, clauses = Reader(world, text).sentence()
        assert [is_so == hold(clauses, {OWN: row}) for row in rows["customer"]] == wanted.tolist()


def test_tables_within_reach_need_no_paths() -> None:
    tables = make_tables()
    del tables["product"]
    assert automatic_bias(Database(tables, LINKS[:2]), "customer").paths == ()


def test_columns_behind_two_pointers_are_reached() -> None:
    numbers = np.random.default_rng(0)
    city = numbers.integers(0, 20, N)
    country = numbers.integers(0, 4, 20)
    tables = {
        "customer": {"id": np.arange(N), "city": city, "class": np.where(country[city] == 1, "yes", "no")},
        "city": {"id": np.arange(20), "country": country},
        "country": {"id": np.arange(4), "language": np.array(["de", "fr", "it", "rm"])},
    }
    database = Database(tables, ["customer.city -> city.id", "city.country -> country.id"], {"customer": "id"})
    model = RelationalTreeClassifier(database, "customer.class").fit(np.arange(N))
    assert model.tree_.n_nodes == 3


def test_tables_out_of_reach_are_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.random.default_rng(0)
    tables = make_tables()
    tables["product"]["maker"] = numbers.integers(0, 9, 30)
    tables["maker"] = {"id": np.arange(9), "country": numbers.integers(0, 3, 9)}
    tables["review"] = {"product": np.arange(30), "stars": numbers.integers(1, 6, 30)}
    links = [*LINKS, "product.maker -> maker.id", "review.product -> product.id"]
    database = Database(tables, links)
    with pytest.warns(UserWarning, match=r"table maker: set max_links=4; table review: declare a bias with a Path"):
        RelationalTreeClassifier(database, "customer.class").fit(np.arange(N))
    with pytest.warns(UserWarning, match=r"To include them - table review: declare a bias"):
        model = RelationalTreeClassifier(database, "customer.class", max_links=4).fit(np.arange(N))
    assert {path.last.relation for path in model.bias_.paths} == {"product", "maker"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # fewer links than usual were asked for
        RelationalTreeClassifier(database, "customer.class", max_links=2).fit(np.arange(N))
    monkeypatch.setattr(paths, "MOST_ROWS", 6 * N - 1)
    with pytest.warns(UserWarning, match=r"table product: a table on the way has 480 rows; declare a bias"):
        model = RelationalTreeClassifier(make_database(), "customer.class").fit(np.arange(N))
    assert model.bias_.paths == ()


def test_functions_over_two_links_reach_tables_beside_the_paths() -> None:
    tables = {
        "loan": {"id": np.arange(N), "account": np.arange(N) // 2, "class": np.resize(["a", "b"], N)},
        "holder": {"id": np.arange(N), "account": np.arange(N) // 2},
        "card": {"holder": np.arange(N), "kind": np.resize(["gold", "plain"], N)},
        "account": {"id": np.arange(N // 2)},
    }
    links = ["loan.account -> account.id", "holder.account -> account.id", "card.holder -> holder.id"]
    database = Database(tables, links, {"loan": "id"})
    with pytest.warns(UserWarning, match="table card: add 'two_links'"):
        RelationalTreeClassifier(database, "loan.class").fit(np.arange(N))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RelationalTreeClassifier(database, "loan.class", aggregates=("mode", "two_links")).fit(np.arange(N))
