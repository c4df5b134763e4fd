"""Values that tests may use, as the training examples show them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.relational.molecules import KEYS, LINK, make_model, make_tables

from petree.binning import Exact
from petree.relational import Database, automatic_bias
from petree.relational.bias.grounding import Grounding
from petree.relational.queries.terms import Comparison, Constant


def test_functions_look_at_each_key_once_whatever_the_answers() -> None:
    functions = ("count", "mean", "mode", "proportion")
    with pytest.warns(UserWarning, match="other rows of atom were left out"):
        model = make_model(max_answers=1, aggregates=functions).fit(KEYS)
    assert {one.function for one in model.bias_.aggregates} == set(functions)


def test_aggregates_with_too_many_answers_at_a_node_are_left_out() -> None:
    tables = make_tables()
    tables["molecule"]["until"] = [0] * 8
    tables["atom"]["since"] = [0] * 10
    tables["bond"] = {"one": [0] * 6, "molecule": [0] * 6}
    tables["atom"]["id"] = list(range(10))
    links = [LINK, "bond.one -> atom.id", "bond.molecule -> molecule.id"]
    database = Database(tables, links, time={"molecule": "until", "atom": "since"})
    with pytest.warns(UserWarning, match="other rows of atom, bond were left out"):
        make_model(database, max_answers=10).fit(np.repeat(KEYS, 2))


def test_a_foreign_key_may_have_its_columns_in_another_order() -> None:
    visit = {"clinic": [1, 1, 2, 2], "day": [1, 2, 1, 2], "class": list("abab")}
    sample = {"on": [1, 2, 2, 1, 2, 2], "at": [1, 1, 1, 2, 2, 2]}
    texts = []
    for columns in (["on", "at"], ["at", "on"]):
        tables = {"visit": visit, "sample": {name: sample[name] for name in columns}}
        database = Database(tables, links=["sample(at, on) -> visit(clinic, day)"])
        texts.append(make_model(database, "visit.class", max_links=1).fit(database.keys("visit")).export_text())
    assert all("the number of samples" in text and "< 2" in text for text in texts)


@pytest.mark.parametrize("owner_has_time", [False, True])
def test_thresholds_of_functions_are_those_of_rows_that_the_example_sees(owner_has_time: bool) -> None:
    """Of payments of an account, whose own time does not matter: what counts is that of the customer."""
    random = np.random.default_rng(3)
    n = 30
    tables = {
        "customer": {"id": np.arange(n), "until": random.integers(0, 5, n)},
        "account": {"id": np.arange(n), "customer": random.permutation(n), "opened": np.zeros(n, int)},
        "payment": {"account": random.integers(0, n, 9 * n), "day": random.integers(0, 9, 9 * n)},
    }
    time = {"customer": "until", "payment": "day"} | ({"account": "opened"} if owner_has_time else {})
    database = Database(tables, ["account.customer -> customer.id", "payment.account -> account.id"], time=time)
    until = dict(zip(tables["account"]["id"], tables["customer"]["until"][tables["account"]["customer"]], strict=True))
    seen = [int(a) for a, day in zip(*tables["payment"].values(), strict=True) if day <= until[a]]
    counts = np.unique(np.bincount(seen, minlength=n))
    classes = np.zeros(n, np.intp)
    rows = np.arange(n, dtype=np.int32)
    grounding = Grounding(database, "customer", rows, classes, 1, None, Exact(), 1, 10**9)
    bias = grounding.ground(automatic_bias(database, "customer"))
    (found,) = (one for one in bias.aggregates if one.mode.relation == "payment")
    cuts = [one.value for one in found.thresholds]
    assert [np.searchsorted(counts, cut) for cut in cuts] == list(range(1, len(counts)))


@pytest.mark.parametrize(("declared", "expected"), [(None, 15), (range(30), 30)])
def test_conditions_of_functions_have_few_thresholds_unless_declared(declared: range | None, expected: int) -> None:
    """Each of them has thresholds of its own with every function."""
    random = np.random.default_rng(0)
    tables = {
        "person": {"id": np.arange(40)},
        "buy": {"person": random.integers(0, 40, 400), "price": random.normal(size=400)},
    }
    database = Database(tables, ["buy.person -> person.id"])
    bias = automatic_bias(database, "person", aggregates=("count", "complex"))
    (function,) = (one for one in bias.aggregates if one.mode.compared is not None)
    if declared is not None:
        listed = replace(function.mode.arguments[1], constants=tuple(Constant(one / 20) for one in declared))
        function = replace(function, mode=function.mode.with_argument(1, listed))
    classes = np.zeros(40, np.intp)
    grounding = Grounding(database, "person", np.arange(40, dtype=np.int32), classes, 1, None, Exact(), 1, 10**9)
    found = {one.conditions[0] for one in grounding.ground(replace(bias, aggregates=(function,))).aggregates}
    values = sorted({one.right.value for one in found if isinstance(one, Comparison)})
    assert len(values) == expected
    if declared is None:
        assert np.searchsorted(np.sort(tables["buy"]["price"]), values[::7]).tolist() == [1, 201, 399]


class ListBinning(Exact):
    """A binning of one's own, which returns a list."""

    def thresholds(self, *given: Any) -> Any:
        return super().thresholds(*given).tolist()


def test_a_binning_may_return_a_list() -> None:
    texts = [make_model(binning=binning).fit(KEYS).export_text() for binning in (Exact(), ListBinning())]
    assert texts[0] == texts[1]
