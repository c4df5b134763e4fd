"""A tree as a ProbLog program: for every example one rule holds, with the probabilities of the tree."""

from __future__ import annotations

import re

import numpy as np
import pytest
from tests.relational.made_trees import made_database
from tests.relational.queries.test_time import parts_and_things

from petree import RelationalTreeClassifier
from petree.relational import Database
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.routing import NO_LIMIT


def learned(database: Database, target: str) -> RelationalTreeClassifier:
    model = RelationalTreeClassifier(database, target, pruning="none", smoothing="laplace", aggregates=())
    return model.fit(database.keys(target.partition(".")[0]))


def run(program: str, database: Database, target: str) -> list[list[dict[str, float]]]:
    """The distributions over classes of all rules that hold, example by example, where all rows are known."""
    relation = database.relation(target)
    scope = Scope.of_target(database, target)
    first = Answers.of_examples(scope, np.arange(relation.n_rows, dtype=np.int32), NO_LIMIT)
    tests: dict[str, np.ndarray] = {}
    found: list[list[dict[str, float]]] = [[] for _ in range(relation.n_rows)]
    for line in program.splitlines():
        if line.startswith("%"):
            continue
        head, _, body = line.removesuffix(".").partition(" :- ")
        if "::" not in head:
            tests[head] = first.extend(parse_literals(body)).covered
            continue
        own, *parts = [part for part in re.split(r", (?=test_|\\\+)", body) if part]
        holds = first.extend(parse_literals(own)).covered
        for part in parts:
            holds &= ~tests[part.removeprefix("\\+ ")] if part.startswith("\\+ ") else tests[part]
        shares = [one.partition("::") for one in head.split("; ")]
        told = {name.removesuffix(")").split(", ")[-1]: float(share) for share, _, name in shares}
        for example in np.flatnonzero(holds):
            found[example].append(told)
    return found


def check(model: RelationalTreeClassifier, database: Database) -> None:
    target = model.scope_.relations[0]
    told = run(model.to_problog(), database, target)
    assert [len(one) for one in told] == [1] * len(told)
    answered = [[one[0].get(str(name), 0.0) for name in model.classes_] for one in told]
    np.testing.assert_array_equal(answered, model.predict_proba(database.keys(target)))


@pytest.mark.parametrize("seed", range(4))
def test_one_rule_holds_for_every_example(seed: int) -> None:
    database = made_database(seed)
    model = learned(database, "patient.class")
    assert model.get_n_leaves() > 3
    check(model, database.hiding("patient", "class"))


def test_times_are_written_out() -> None:
    made = parts_and_things(0, lambda numbers: numbers.randrange(6))
    model = learned(made.database(), "thing.class")
    plain = Database(made.tables, made.links, made.keys).hiding("thing", "class")
    assert " =< " in model.to_problog()
    check(model, plain)


def test_a_single_leaf_and_names_that_are_taken() -> None:
    tables = {"test_0": {"id": [1, 2, 3, 4], "x": ["a", "a", "b", "b"]}}
    database = Database(tables, keys={"test_0": "id"})
    model = learned_with(database, ["u", "u", "v", "u"])
    assert "test__0(A) :- test_0(A, a)." in model.to_problog().splitlines()
    single = learned_with(database, ["u", "u", "v", "u"], min_samples_leaf=3)
    assert single.to_problog() == "0.6666666666666666::class(A, u); 0.3333333333333333::class(A, v) :- test_0(A, _)."


def learned_with(database: Database, labels: list[str], **parameters: object) -> RelationalTreeClassifier:
    model = RelationalTreeClassifier(database, "test_0", pruning="none", smoothing="laplace", min_examples=1)
    return model.set_params(**parameters).fit([1, 2, 3, 4], labels)


def test_functions_over_rows_are_refused() -> None:
    tables = {"a": {"id": [1, 2, 3, 4]}, "b": {"a": [1, 1, 2, 3, 4, 4]}}
    database = Database(tables, ["b.a -> a.id"])
    model = RelationalTreeClassifier(database, "a", pruning="none").fit([1, 2, 3, 4], ["x", "y", "y", "x"])
    with pytest.raises(ValueError, match="ProbLog has no functions over rows such as count"):
        model.to_problog()


def test_rules_bind_what_the_example_points_to() -> None:
    tables = {
        "loan": {"id": [1, 2, 3, 4], "account": [1, 1, 2, 3], "class": ["x", "x", "y", "y"]},
        "account": {"id": [1, 2, 3], "kind": ["a", "b", "b"]},
    }
    database = Database(tables, ["loan.account -> account.id"], keys={"loan": "id"})
    model = RelationalTreeClassifier(database, "loan.class", pruning="none", aggregates=()).fit([1, 2, 3, 4])
    assert "class(A, x) :- loan(A, B), account(B, a), !." in model.to_prolog().splitlines()
    check(model, database.hiding("loan", "class"))
