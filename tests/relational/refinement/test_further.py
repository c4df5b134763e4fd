"""Functions over the rows that fit conditions: declared, in the automatic bias, and with more conditions below."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.relational.oracles.queries import covers
from tests.relational.random_databases import random_tables

from petree import RelationalTreeClassifier
from petree.relational import AggregateMode, Argument, Bias, Database, Mode
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.terms import Comparison, Constant, Variable
from petree.relational.refinement.families import slot_at
from petree.relational.refinement.further import FurtherConditions
from petree.storage import dumps, loads


def make_bills(seed: int = 0, n: int = 80) -> Database:
    """Bills with parts of colours and prices; the class asks for two red parts that cost more than 5."""
    random = np.random.default_rng(seed)
    bills, colours, prices = (
        random.integers(0, n, 10 * n),
        random.choice(list("rgb"), 10 * n),
        random.integers(0, 10, 10 * n),
    )
    classes = np.bincount(bills, (colours == "r") & (prices > 5), n) >= 2
    shops = random.integers(0, 3, 10 * n)
    tables = {
        "bill": {"id": np.arange(n), "class": np.where(classes, "yes", "no")},
        "part": {"bill": bills, "colour": colours, "price": prices, "shop": shops},
        "shop": {"id": [0, 1, 2], "town": ["rome", "oslo", "rome"]},
    }
    return Database(tables, ["part.bill -> bill.id", "part.shop -> shop.id"])


def fitted(database: Database, **parameters: Any) -> RelationalTreeClassifier:
    model = RelationalTreeClassifier(database, "bill.class", pruning="none", **parameters)
    return model.fit(database.keys("bill"))


def test_a_condition_is_added_below_the_test_that_has_another() -> None:
    database = make_bills()
    model = fitted(database, aggregates=("count", "complex"), max_links=2, binning="exact")
    text = model.export_text()
    assert "the number of parts of the bill with colour = r and price >= 6 is" in text or (
        "the number of parts of the bill with price >= 6 and colour = r is" in text
    )
    assert model.tree_.n_leaves <= 4
    keys = database.keys("bill")
    assert model.score(keys, database.labels("bill.class")) == 1
    loaded = loads(dumps(model))
    assert loaded.export_text() == text
    assert loaded.predict(keys, database=database).tolist() == model.predict(keys).tolist()


def test_declared_conditions_of_two_literals() -> None:
    """Red parts from shops in Oslo: a value of the row itself, and one of the row that it points to."""
    any_, bound = Argument("_"), Argument("+", "Bill")
    part = Mode("part", (bound, Argument("#", "Colour"), any_, Argument("-", "Shop"), any_))
    shop = Mode("shop", (Argument("=", "Shop"), Argument("#", "Town")))
    bias = Bias((), aggregates=(AggregateMode("count", part, where=shop),))
    model = fitted(make_bills(), bias=bias, max_depth=1)
    assert str(model.tree_.conditions[0]).startswith("count(part(A, ")
    assert "shop(B, " in str(model.tree_.conditions[0])
    assert ", for which shop (B) has town = " in model.sentence(0)
    assert str(bias) == "aggregate(count, part(+Bill, #, _, -Shop, _), shop(Shop, #))."


def test_the_best_condition_of_two_is_found_among_all() -> None:
    """The gain of the root is that of the best of all conditions and counts, one by one."""
    database = make_bills(1, 30)
    part = database.relation("part")
    values = {
        name: np.array([part.columns[part.place(name)].value(row) for row in range(part.n_rows)]) for name in part.names
    }
    labels = database.labels("bill.class") == "yes"
    best = 0.0
    for colour in "rgb":
        for price in range(1, 10):
            for is_dear in (values["price"] < price, values["price"] >= price):
                counts = np.bincount(values["bill"][(values["colour"] == colour) & is_dear], minlength=30)
                best = max([best, *(gain(labels, counts < least) for least in range(1, 12))])
    mode = Mode(
        "part",
        (Argument("+", "Bill"), Argument("#", "Colour"), Argument("-", "Price"), *[Argument("_")] * 2),
        compared=2,
    )
    model = fitted(database, bias=Bias((), aggregates=(AggregateMode("count", mode),)), max_depth=1, binning="exact")
    assert gain(labels, model.apply(database.keys("bill")) == 1) == pytest.approx(best)


def gain(labels: np.ndarray, holds: np.ndarray) -> float:
    """Information gain of a test."""
    return entropy(labels) - sum(part.mean() * entropy(labels[part]) for part in (holds, ~holds) if part.any())


def entropy(labels: np.ndarray) -> float:
    shares = [share for share in (labels.mean(), 1 - labels.mean()) if share > 0]
    return float(-sum(share * np.log2(share) for share in shares))


@pytest.mark.parametrize("seed", range(3))
def test_trees_send_examples_where_a_slow_look_at_all_rows_does(seed: int) -> None:
    made = random_tables(seed, n=10)
    database, facts = made.database(), made.facts()
    functions = ("count", "max", "proportion", "complex")
    model = RelationalTreeClassifier(database, "thing.class", aggregates=functions, pruning="none", max_links=1)
    model.fit(database.keys("thing"))
    facts = facts.without(database.relation("thing").place("class"))
    router, tree = model._router, model.tree_
    paths = model.decision_path(database.keys("thing")).toarray() > 0
    for node, literals in router.literals.items():
        yes = int(tree.children_of(np.array([node]))[0])
        for example in np.flatnonzero(paths[:, node]).tolist():
            assert paths[example, yes] == covers(facts, example, (*router.query(node), *literals))


def test_the_same_conditions_in_another_order_are_one_function() -> None:
    part = Mode("part", (Argument("+", "Bill"), *[Argument("_")] * 4))
    red, dear = (parse_literals(text) for text in ("X = r", "Y >= 6"))
    slots = {Variable("X"): slot_at(1), Variable("Y"): slot_at(2)}
    conditions: list[Any] = [tuple(one.renamed(slots) for one in group) for group in (red, dear)]
    bias = Bias(
        (), aggregates=tuple(AggregateMode("count", part, None, (Constant(2),), None, one) for one in conditions)
    )
    further = FurtherConditions(bias, lambda aggregate: aggregate)
    (first,), (second,) = further.behind([0]), further.behind([1])
    assert first[0] == second[0] == 2
    assert list(further.behind([0, 1])) == [first]
    assert list(further.behind([2])) == []


@pytest.mark.parametrize(("n_rows", "most"), [(500, 4), (5_000, 3), (50_000, 2), (50_001, 1)])
def test_functions_over_many_rows_get_few_conditions(n_rows: int, most: int) -> None:
    mode = Mode("part", (Argument("+", "Bill"), *(Argument("_", name) for name in "ABCDE")))
    conditions = [(Comparison(slot_at(place), "=", Constant("a")),) for place in range(1, 6)]
    listed = tuple(AggregateMode("count", mode, thresholds=(Constant(1),), conditions=one) for one in conditions)
    further = FurtherConditions(Bias((), aggregates=listed), lambda one: one, {"part": n_rows})
    uses = {0}
    longest = 1
    while more := {number: one for number, one in further.behind(uses) if number not in uses}:
        uses |= set(more)
        longest = max(longest, *(len(one.conditions) for one in more.values()))
    assert longest == most
