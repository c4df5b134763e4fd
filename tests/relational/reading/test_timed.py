"""What examples must not see is written into queries, rules and sentences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.relational.oracles.queries import covers
from tests.relational.queries.test_time import parts_and_things, timed
from tests.relational.random_databases import random_tables
from tests.relational.random_queries import Queries
from tests.relational.reading.test_rules import first_rule_that_holds

from petree import RelationalTreeClassifier
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import text_of
from petree.relational.reading.sentences import sentence_of
from petree.relational.reading.timed import with_times


@pytest.mark.parametrize("seed", range(8))
def test_a_query_with_times_says_to_whoever_knows_all_rows_what_it_says_to_those_who_do_not(seed: int) -> None:
    made = timed(random_tables(seed), seed)
    database, facts = made.database(), made.facts()
    all_rows = replace(facts, times={})
    queries, scope = Queries(database, "thing", seed), Scope.of_target(database, "thing")
    for _ in range(30):
        literals = queries.query(queries.numbers.randint(1, 3))
        written = with_times(scope, literals)
        assert list(parse_literals(text_of(written))) == written
        examples = range(len(facts.rows["thing"]))
        seen = [covers(facts, one, literals) for one in examples]
        assert seen == [covers(all_rows, one, written) for one in examples], text_of(written)


@pytest.mark.parametrize("seed", range(3))
def test_rules_of_a_tree_hold_where_all_rows_are_known(seed: int) -> None:
    made = parts_and_things(seed, lambda numbers: numbers.randrange(6))
    model = RelationalTreeClassifier(made.database(), "thing.class", pruning="none", smoothing="laplace")
    model.fit(np.arange(40))
    assert "=< " in model.to_prolog()
    expected = model.predict(np.arange(40)).tolist()
    without = replace(made, time={}).database().hiding("thing", "class")
    model.__dict__["_routed"] = (model.database, replace(model._router, scope=Scope.of_target(without, "thing")))
    assert first_rule_that_holds(model, np.arange(40)) == expected


@pytest.mark.parametrize(
    ("test", "success", "failure"),
    [
        (
            "part(A, u, _, _, B)",
            "some part (B) of the thing with since <= since of the thing has kind = u",
            "no part of the thing with since <= since of the thing has kind = u",
        ),
        (
            "count(part(A, _, X, _, _), X < 2) >= 3",
            "the number of parts of the thing with weight < 2 and since <= since of the thing is >= 3",
            "the number of parts of the thing with weight < 2 and since <= since of the thing is < 3",
        ),
        ("thing(A, X), X < 3", "the thing has since < 3", "the thing has since >= 3 or none"),
    ],
)
def test_sentences(test: str, success: str, failure: str) -> None:
    database = parts_and_things(0, lambda _: 3).database().hiding("thing", "class")
    said = sentence_of(Scope.of_target(database, "thing"), parse_literals(test))
    assert (said.success, said.failure) == (success, failure)
