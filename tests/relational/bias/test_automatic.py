"""What a schema lets one ask: no way back to where it began, and no names of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.relational.random_databases import random_tables

from petree import RelationalTreeClassifier
from petree.relational import Database
from petree.relational.bias.automatic import automatic_bias
from petree.relational.bias.identifiers import identifiers
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import text_of
from petree.relational.refinement.refiner import Refiner

N = 40


def make_bank(accounts: list[int]) -> Database:
    """Loans of accounts; the accounts have numbers that nobody declared."""
    tables = {
        "loan": {
            "id": range(N),
            "account": accounts,
            "amount": [k % 7 for k in range(N)],
            "class": ["a", "b"] * (N // 2),
        },
        "account": {"id": range(N), "number": [f"n{k}" for k in range(N)], "kind": ["x", "y"] * (N // 2)},
    }
    return Database(tables, ["loan.account -> account.id"], keys={"loan": "id"})


def ways_back(database: Database) -> list[str]:
    """The literals at the root about loans that are found by the account of the loan."""
    hidden = database.hiding("loan", "class")
    bias = automatic_bias(hidden, "loan", aggregates=("count", "sum"))
    families = Refiner(hidden, bias).families(Scope.of_target(hidden, "loan"), (), {})
    texts = [text_of(family.literals) for family in families]
    return [text for text in texts if "loan(" in text and "loan(A" not in text]


def test_the_loan_of_the_account_of_the_loan_is_not_asked_for() -> None:
    """Where each account has one loan, a loan of the account is the loan itself."""
    assert ways_back(make_bank(list(range(N)))) == []


def test_other_loans_of_the_account_are_asked_for() -> None:
    found = ways_back(make_bank([k // 2 for k in range(N)]))
    assert found == [
        "loan(C, B, _)",
        "loan(C, B, D)",
        "loan(C, B, D)",
        "count(loan(_, B, _)) < 0",
        "sum(X, loan(_, B, X)) < 0",
    ]


def test_an_undeclared_identifier_is_named_and_not_asked_for() -> None:
    database = make_bank([k // 4 * 2 + k % 2 for k in range(N)])
    model = RelationalTreeClassifier(database, "loan.class", pruning="none")
    with pytest.warns(UserWarning, match=r"^account\.number: every row has another value, .* is not asked") as caught:
        model.fit(database.keys("loan"))
    assert caught[0].filename == __file__
    assert "number" not in model.export_text()
    assert "Number" not in str(model.bias_).replace("_Number", "")


@pytest.mark.filterwarnings("error")
def test_names_of_a_few_kinds_are_asked_for() -> None:
    """Many examples share each of them."""
    kinds = [k % 25 for k in range(100)]
    tables = {
        "thing": {"id": range(100), "kind": kinds, "class": [one == 3 for one in kinds]},
        "kind": {"id": range(25), "name": [f"k{k}" for k in range(25)]},
    }
    database = Database(tables, ["thing.kind -> kind.id"], keys={"thing": "id"})
    model = RelationalTreeClassifier(database, "thing.class", pruning="none").fit(database.keys("thing"))
    assert "has name = k3" in model.export_text()


def make_films(n: int = 60) -> Database:
    """People, some of whom play in no film; the class asks for a film of genre c."""
    random = np.random.default_rng(0)
    people, films = random.integers(0, n, 3 * n), random.integers(0, 30, 3 * n)
    genres = random.choice(list("abcdef"), 30)
    classes = np.bincount(people, genres[films] == "c", n) > 0
    tables = {
        "person": {"id": np.arange(n), "class": np.where(classes, "yes", "no")},
        "cast": {"person": people, "film": films},
        "film": {"id": np.arange(30), "genre": genres},
    }
    return Database(tables, ["cast.person -> person.id", "cast.film -> film.id"])


def test_the_row_behind_a_junction_is_looked_at_though_some_have_none() -> None:
    database = make_films()
    assert len(set(database.relation("cast").columns[0].codes.tolist())) < 60
    model = RelationalTreeClassifier(database, "person.class", pruning="none").fit(database.keys("person"))
    assert model.sentence(0) == "some cast (C) of the person, with film B, where film (B) has genre = c"
    assert model.tree_.n_leaves == 2


def test_rows_that_point_to_what_belongs_to_an_example_are_looked_at() -> None:
    """Every customer has accounts, and what tells the class are payments from them."""
    random = np.random.default_rng(0)
    owners = np.concatenate((np.arange(40), random.integers(0, 40, 20)))
    accounts, kinds = random.integers(0, 60, 200), random.choice(list("abcdef"), 200)
    classes = np.bincount(owners[accounts], kinds == "c", 40) > 0
    tables = {
        "customer": {"id": np.arange(40), "class": np.where(classes, "yes", "no")},
        "account": {"id": np.arange(60), "customer": owners},
        "payment": {"account": accounts, "kind": kinds},
    }
    database = Database(tables, ["account.customer -> customer.id", "payment.account -> account.id"])
    model = RelationalTreeClassifier(database, "customer.class", pruning="none", aggregates=())
    model.fit(database.keys("customer"))
    assert model.sentence(0) == (
        "there is some account (B) of the customer, where some payment (C) of account (B) has kind = c"
    )
    assert model.tree_.n_leaves == 2


def test_a_table_of_many_keys_is_asked_no_more_than_its_links_squared():
    """Whether each key of a new row is known or new would be two to the power of their number."""

    def n_tests(n_links: int) -> int:
        random = np.random.default_rng(0)
        around = {f"place{k}": {"id": range(9), "kind": random.choice(["x", "y"], 9)} for k in range(n_links)}
        keys = {f"place{k}": random.integers(0, 9, 30) for k in range(n_links)}
        links = [f"fact.place{k} -> place{k}.id" for k in range(n_links)]
        database = Database({**around, "fact": {"id": range(30), **keys}}, links, keys={"fact": "id"})
        bias = automatic_bias(database, "fact")
        return len(Refiner(database, bias).families(Scope.of_target(database, "fact"), (), {}))

    assert n_tests(12) <= 4 * n_tests(6)


def test_without_lookahead_rows_are_found_step_by_step() -> None:
    database = make_bank(list(range(N))).hiding("loan", "class")
    with_it = automatic_bias(database, "account")
    without = automatic_bias(database, "account", lookahead=False)
    assert without.lookaheads == ()
    assert (without.modes, without.aggregates) == (with_it.modes, with_it.aggregates)
    model = RelationalTreeClassifier(make_bank([k // 4 for k in range(N)]), "loan.class", link_lookahead=False)
    with pytest.warns(UserWarning, match="names rows"):
        model.fit(range(N))
    assert model.bias_.lookaheads == ()
    with pytest.raises((TypeError, ValueError), match="link_lookahead"):
        model.set_params(link_lookahead="far").fit(range(N))


def test_what_the_query_knows_is_asked_without_a_row_on_the_way() -> None:
    """There is always a cast of the person in the film that one of these was found by."""
    films = {"id": range(4), "genre": ["noir", "noir", "war", "war"], "year": [1940, 1980, 1940, 1980]}
    random = np.random.default_rng(0)
    people, played = np.arange(60).repeat(2), random.integers(0, 4, 120)
    classes = np.where(np.bincount(people, played == 0, 60) > 0, "cult", "plain")
    tables = {
        "person": {"id": range(60), "class": classes},
        "cast": {"person": people, "film": played},
        "film": films,
    }
    database = Database(tables, ["cast.person -> person.id", "cast.film -> film.id"])
    model = RelationalTreeClassifier(database, "person.class", pruning="none").fit(database.keys("person"))
    assert model.sentence(0) == "some cast (C) of the person, with film B, where film (B) has genre = noir"
    assert model.sentence(1) == "that film (B) has year < 1960"
    assert model.tree_.n_leaves == 3


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("settings", [{}, {"max_links": None, "max_depth": 3}, {"aggregates": ("mean", "two_links")}])
@pytest.mark.parametrize("seed", range(4))
def test_ties_do_not_depend_on_the_order_of_tables_and_links(seed: int, settings: dict[str, Any]) -> None:
    made = random_tables(seed, n=16)
    texts = []
    for turn in (list, lambda given: list(reversed(given))):
        tables = dict(turn(list(made.tables.items())))
        database = Database(tables, turn(list(made.links)), keys=made.keys)
        model = RelationalTreeClassifier(database, "thing.class", pruning="none", **settings)
        texts.append(model.fit(database.keys("thing")).export_text())
    assert texts[0] == texts[1]
    assert "\n" in texts[0]


NUMBERS = {
    "numbers of rows": (np.random.default_rng(0).permutation(60) + 7, True),
    "with gaps": (np.arange(60) * 5 // 3, True),
    "some missing": (np.where(np.arange(60) % 9, np.arange(60.0), np.nan), True),
    "one twice": (np.arange(60) // 2 * 2, False),
    "far apart": (np.arange(60) * 3, False),
    "halves": (np.arange(60) / 2, False),
}


@pytest.mark.parametrize(("numbers", "are_names"), NUMBERS.values(), ids=NUMBERS)
def test_whole_numbers_close_together_that_all_differ_number_the_rows(numbers: Any, are_names: bool) -> None:
    tables = {
        "person": {"id": range(30), "class": ["a", "b"] * 15, "number": range(30)},
        "buy": {"person": np.arange(60) % 30, "number": numbers},
    }
    database = Database(tables, ["buy.person -> person.id"], keys={"person": "id"})
    assert identifiers(database, "person") == [("buy", "number")] * are_names
    timed = Database(tables, ["buy.person -> person.id"], keys={"person": "id"}, time={"buy": "number"})
    assert identifiers(timed, "person") == []
