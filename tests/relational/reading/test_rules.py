"""A tree as ordered Prolog rules: the first whose body holds gives what the tree predicts."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.relational.made_trees import made_database, made_model
from tests.relational.oracles.queries import covers
from tests.relational.queries.test_time import timed
from tests.relational.random_databases import random_tables
from tests.relational.random_queries import Queries

from petree import RelationalTreeClassifier
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import text_of
from petree.relational.reading.rules import rule_body
from petree.relational.routing import NO_LIMIT

DATA = Path(os.environ.get("PETREE_DATA", "")) / "relational"


def first_rule_that_holds(model: RelationalTreeClassifier, keys) -> list[str]:
    """The class in the head of the first rule whose body has an answer, example by example."""
    scope, predicted = model._router.scope, [None] * len(keys)
    rows = model._database().rows(scope.relations[0], keys)
    for line in model.to_prolog().splitlines():
        if line.startswith("%"):
            continue
        head, body = line.removesuffix("!.").split(" :- ")
        label = head.removesuffix(")").replace("(", ", ").split(", ")[-1]
        literals = parse_literals(body.strip().removesuffix(","))
        holds = Answers.of_examples(scope, rows, NO_LIMIT).extend(literals).covered
        predicted = [label if one is None and yes else one for one, yes in zip(predicted, holds, strict=True)]
    return predicted


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_first_rule_decides(seed):
    model = made_model(made_database(seed), seed)
    keys = model.database.keys("patient")
    assert first_rule_that_holds(model, keys) == model.predict(keys).tolist()


@pytest.mark.parametrize("has_times", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_a_body_says_all_that_it_needs(seed: int, has_times: bool) -> None:
    """Whoever knows the key of an example and all rows finds by the body of a rule what the query finds."""
    made = random_tables(seed)
    made = timed(made, seed) if has_times else made
    database = made.database()
    facts = made.facts()
    strangers = replace(facts, times={}, named={"A": facts.named["A"]})
    queries = Queries(database, "thing", seed)
    scope = Scope.of_target(database, "thing")
    n_longer = 0
    for _ in range(40):
        literals = queries.query(queries.numbers.randint(1, 3))
        body = rule_body(scope, literals)
        n_longer += len(body) > len(literals)
        examples = range(len(facts.rows["thing"]))
        told = [covers(strangers, one, body) for one in examples]
        assert told == [covers(facts, one, literals) for one in examples], text_of(body)
    assert n_longer or not has_times


def test_counts_and_probabilities_stand_in_comments():
    model = made_model(made_database(0))
    text = model.to_prolog()
    leaf = int(model.apply(model.keys_[:1])[0])
    counts, shares = model.tree_.counts[leaf], model.node_probabilities_[leaf]
    said = f"% ill {counts[0]:g}, well {counts[1]:g}; P(ill)={shares[0]:.4g}, P(well)={shares[1]:.4g}"
    assert said in text.splitlines()
    assert text.count(":-") == model.get_n_leaves()
    assert text.splitlines()[-1].endswith(" :- !.")


def test_class_weights_count_as_in_predict():
    database = made_database(0)
    model = made_model(database).set_params(class_weight={"ill": 9.0, "well": 1.0})
    keys = database.keys("patient")
    model.fit(keys, database.labels("patient.class"))
    assert first_rule_that_holds(model, keys) == model.predict(keys).tolist()


@pytest.mark.skipif(not DATA.is_dir(), reason="PETREE_DATA has no relational sets")
def test_models_have_no_key_in_their_rules():
    from petree.relational.prolog.ace import read_ace

    database = read_ace(DATA / "machines/prolog/examples")
    keys = database.keys("model")
    model = RelationalTreeClassifier(database, pruning="none", smoothing="none").fit(keys)
    assert "class(sendback) :- worn(A), not_replaceable(A), !." in model.to_prolog()
    assert first_rule_that_holds(model, keys) == model.predict(keys).tolist()
    np.testing.assert_array_equal(model.predict(keys), database.labels("model.class"))
