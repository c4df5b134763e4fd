"""Answers of queries equal those of plain backtracking over facts."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from tests.relational.oracles.queries import Facts, answers, covers
from tests.relational.random_databases import MadeTables, random_models, random_tables
from tests.relational.random_queries import Queries

from petree.relational.database import Database
from petree.relational.links import TooManyRowsError
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Literal, text_of
from petree.relational.relations import MISSING

NO_LIMIT = 10**9


def asked(database: Database, target: str, literals: Any, most: int = NO_LIMIT) -> Answers:
    """Answers for all examples."""
    rows = np.arange(database.relation(target).n_rows, dtype=np.int32)
    return Answers.of_examples(Scope.of_target(database, target), rows, most).extend(literals)


def decoded(found: Answers) -> Counter[Any]:
    """Examples with the values of all variables, and how often each answer is there."""
    columns = []
    for variable in found.scope.variables:
        values = found.domain_of(variable).values
        columns.append([None if code == MISSING else values[code] for code in found.codes_of(variable).tolist()])
    return Counter(zip(found.owners.tolist(), *columns, strict=True))


def expected(facts: Facts, literals: list[Literal], names: list[str]) -> Counter[Any]:
    examples = range(len(facts.rows[facts.target]))
    found = ((k, answer) for k in examples for answer in answers(facts, k, literals))
    return Counter((k, *(answer[name] for name in names)) for k, answer in found)


def check(database: Database, facts: Facts, literals: list[Literal]) -> Answers:
    found = asked(database, facts.target, literals)
    names = [variable.name for variable in found.scope.variables]
    assert decoded(found) == expected(facts, literals, names), text_of(literals)
    is_covered = [covers(facts, k, literals) for k in range(len(found.examples))]
    assert found.covered.tolist() == is_covered
    assert (np.diff(found.owners) >= 0).all()
    return found


@pytest.mark.parametrize("seed", range(14))
def test_queries_over_tables(seed: int) -> None:
    made = random_tables(seed)
    database, facts = made.database(), made.facts()
    queries, shares = Queries(database, "thing", seed), []
    for _ in range(50):
        literals = queries.query(queries.numbers.randint(1, 3))
        shares.append(check(database, facts, literals).covered.mean())
    assert 0 < np.mean(shares) < 1
    assert len(set(shares)) > 3


@pytest.mark.parametrize("seed", range(6))
def test_queries_over_models(seed: int) -> None:
    database, facts = random_models(seed)
    queries, shares = Queries(database, "model", seed), []
    for _ in range(50):
        literals = queries.query(queries.numbers.randint(1, 3))
        shares.append(check(database, facts, literals).covered.mean())
    assert len(set(shares)) > 3


@pytest.mark.parametrize("seed", range(6))
def test_queries_read_back_from_their_text(seed: int) -> None:
    database = random_tables(seed).database()
    queries = Queries(database, "thing", seed)
    for _ in range(50):
        literals = queries.query(3)
        assert list(parse_literals(text_of(literals))) == literals


@pytest.mark.parametrize("seed", range(4))
def test_answers_of_some_examples_are_their_own(seed: int) -> None:
    """Answers of a part, in any order and repeated, are those of the whole."""
    database = random_tables(seed).database()
    queries = Queries(database, "thing", seed)
    rows = np.array(queries.numbers.choices(range(12), k=9), np.int32)
    chosen = np.arange(9) % 2 == 0
    for _ in range(20):
        literals = queries.query(2)
        whole = asked(database, "thing", literals)
        part = Answers.of_examples(Scope.of_target(database, "thing"), rows, NO_LIMIT).extend(literals)
        np.testing.assert_array_equal(part.covered, whole.covered[rows])
        times = Counter(whole.owners.tolist())
        assert np.bincount(part.owners, minlength=9).tolist() == [times[row] for row in rows]
        fewer = part.of(chosen)
        np.testing.assert_array_equal(fewer.examples, rows[chosen])
        assert np.bincount(fewer.owners, minlength=5).tolist() == [times[row] for row in rows[chosen]]


# -- single cases ----------------------------------------------------------------------------------------------

CHAIN = MadeTables(
    {"thing": {"id": [1, 2, 3, 4], "inside": [1, 1, None, 9], "class": ["y", "n", "y", "n"]}},
    ["thing.inside -> thing.id"],
    {"thing": "id"},
)


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("thing(A, A, _)", [True, False, False, False]),  # the same row, and its two columns are equal
        ("thing(A, B, _)", [True, True, False, False]),  # B is known, and missing in the last two
        ("thing(B, C, _)", [True, True, False, False]),
        ("thing(C, A, _)", [True, False, False, False]),
        ("thing(C, C, _), thing(C, D, _)", [True] * 4),  # no link to the example at all
        ("thing(A, C, _), thing(A, C, _)", [True, True, False, False]),  # C may be missing, but then fits nothing
        ("thing(A, C, _), C = B", [True, True, False, False]),
        ("thing(A, C, _), C \\= B", [False] * 4),
        ("count(thing(_, A, _)) >= 2", [True, False, False, False]),
        ("count(thing(_, B, _)) = 0", [False, False, True, True]),
        ("count(thing(A, A, _)) = 1", [True, False, False, False]),
        ("count(thing(A, B, _)) = 1", [True, True, False, False]),
    ],
)
def test_a_row_that_is_known_already(text: str, covered: list[bool]) -> None:
    literals = list(parse_literals(text))
    facts = CHAIN.facts()
    assert [covers(facts, k, literals) for k in range(4)] == covered
    assert asked(CHAIN.database(), "thing", literals).covered.tolist() == covered


def test_a_join_beyond_the_budget_is_refused() -> None:
    database = CHAIN.database()
    (literal,) = parse_literals("thing(C, D, _)")
    assert len(asked(database, "thing", [literal], 16)) == 16
    with pytest.raises(TooManyRowsError):
        asked(database, "thing", [literal], 15)
