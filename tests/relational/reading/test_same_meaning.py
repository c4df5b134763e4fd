"""A tree, its sentences, its Prolog rules and its SQL say the same of every example."""

from __future__ import annotations

import importlib.util
import re

import numpy as np
import pytest
from tests.relational.oracles.plain_rows import KEY, Row, World
from tests.relational.oracles.queries import Facts, covers
from tests.relational.oracles.sentences import OWN, Clause, Reader, hold
from tests.relational.reading.test_sql_queries import is_read_by_postgres
from tests.relational.varied_tables import Varied, varied_tables
from tests.relational.walks import Step, Walks

from petree import RelationalTreeClassifier
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.terms import text_of
from petree.relational.reading.rules import rule_body
from petree.relational.reading.sentences import sentence_of
from petree.relational.reading.sql_text import condition_sql

sa = pytest.importorskip("sqlalchemy")

PLAIN = ("count", "min", "max", "sum", "mean", "mode", "proportion")
# Seeds, times, and which functions are asked for.
CASES = [
    *((seed, when, ()) for seed, when in enumerate([None, "numbers", "dates"])),
    *((seed, when, PLAIN) for seed, when in enumerate([None, "numbers", "dates"], 3)),
    *((seed, "dates" if seed % 2 else "numbers", (PLAIN[seed], "complex")) for seed in range(7)),
    *((seed, [None, "numbers", "dates"][seed % 3], (*PLAIN, "two_links")) for seed in range(7, 13)),
]
LINE = re.compile(r" *\d+ +[\d. ]+?  (?P<margin>(?:\|  )*)\|- (?P<sentence>.*?)(?:: P\(.*)?$")


def model_of(made: Varied, aggregates: tuple[str, ...]) -> RelationalTreeClassifier:
    """A classifier that asks for very much and prunes nothing."""
    windows = (2, 4.5) if made.when and aggregates else ()
    return RelationalTreeClassifier(
        made.database(),
        "patient",
        pruning="none",
        smoothing="laplace",
        aggregates=aggregates,
        windows=windows,
        max_links=2,
        min_examples=1,
    )


def check_sentences(world: World, ways: Walks, steps: list[Step]) -> None:
    """What is said where tests hold, and of those that come to them where they fail."""
    held: list[Clause] = []
    examples = world.rows["patient"]
    for step in steps:
        said = sentence_of(ways.scope.extend(step.query), step.test)
        is_so, clauses = Reader(world, said.success).sentence()
        assert is_so
        assert [hold([*held, *clauses], {OWN: row}) for row in examples] == step.holds.tolist(), said.success
        is_so, others = Reader(world, said.failure).sentence()
        for row, is_here, holds in zip(examples, step.arrived, step.holds, strict=True):
            assert not is_here or holds != (is_so == hold([*held, *others], {OWN: row})), said.failure
        held += clauses if step.holds.any() else []


def check_rules(facts: Facts, ways: Walks, steps: list[Step]) -> None:
    for step in steps:
        body = parse_literals(text_of(rule_body(ways.scope, (*step.query, *step.test))))
        assert [covers(facts, one, body) for one in range(len(step.holds))] == step.holds.tolist(), text_of(body)


def check_sql(engine: sa.Engine, ways: Walks, steps: list[Step]) -> None:
    keys = np.asarray(ways.database.keys("patient")).tolist()
    for step in steps:
        asked = (*step.query, *step.test)
        condition = condition_sql(ways.scope, asked, engine.dialect.name)
        with engine.connect() as connection:
            rows = connection.exec_driver_sql(f'SELECT t0."id" FROM "patient" AS t0 WHERE {condition}')
            found = {row[0] for row in rows}
        assert [key in found for key in keys] == step.holds.tolist(), text_of(asked)
        assert is_read_by_postgres(condition_sql(ways.scope, asked, "postgresql"))


@pytest.mark.parametrize(("seed", "when", "aggregates"), CASES)
def test_all_kinds_of_tests(seed: int, when: str | None, aggregates: tuple[str, ...]) -> None:
    made = varied_tables(seed, when)
    model = model_of(made, aggregates)
    assert model.database is not None
    ways = Walks(model, np.asarray(model.database.keys("patient")), seed)
    urls = ["sqlite://"]
    if seed % 3 == 0 and importlib.util.find_spec("duckdb_engine"):
        urls.append("duckdb:///:memory:")
    engines = [sa.create_engine(url, poolclass=sa.pool.StaticPool) for url in urls]
    for engine in engines:
        model.database.to_sql(engine)
    for n_steps in (2, 2, 3):
        steps = list(ways.steps(n_steps))
        check_sentences(made.world(), ways, steps)
        check_rules(made.facts(), ways, steps)
        for engine in engines:
            check_sql(engine, ways, steps)
    for engine in engines:
        engine.dispose()


# -- whole trees -------------------------------------------------------------------------------------------------


def send_by_sentences(world: World, text: str) -> list[int]:
    """The line of a printed tree that each example ends at, by what the lines say."""
    lines = [found for line in text.splitlines()[2:] if (found := LINE.match(line))]
    assert len(lines) == len(text.splitlines()) - 2
    depths = [len(line["margin"]) // 3 for line in lines]
    said = [Reader(world, line["sentence"]).sentence() for line in lines]
    return [_last_line(own, said, depths) for own in world.rows["patient"]]


def _last_line(own: Row, said: list[tuple[bool, list[Clause]]], depths: list[int]) -> int:
    held: list[Clause] = []
    at = depth = 0
    while at < len(depths) and depths[at] == depth:
        other = next(k for k in range(at + 1, len(depths)) if depths[k] == depth)
        holds = [is_so == hold([*held, *clauses], {OWN: own}) for is_so, clauses in (said[at], said[other])]
        assert sum(holds) == 1, own[KEY]
        held += said[at][1] if holds[0] else []
        at = (at if holds[0] else other) + 1
        depth += 1
    return at - 1


def send_by_rules(made: Varied, program: str) -> list[str]:
    """The class of the first rule that holds, for whoever knows all rows and the key of an example."""
    facts = made.facts()
    rules = [line.removesuffix("!.").split(" :- ") for line in program.splitlines() if not line.startswith("%")]
    parsed = [(head.split(", ")[-1].rstrip(")"), parse_literals(body.strip().rstrip(","))) for head, body in rules]
    examples = range(len(facts.rows["patient"]))
    return [next(label for label, body in parsed if covers(facts, one, body)) for one in examples]


@pytest.mark.parametrize(("when", "aggregates"), [("numbers", ()), ("dates", ("count", "mean"))])
def test_trees(when: str | None, aggregates: tuple[str, ...]) -> None:
    made = varied_tables(11, when)
    model = model_of(made, aggregates).set_params(max_depth=3)
    assert model.database is not None
    keys = np.asarray(model.database.keys("patient"))
    model.fit(keys, np.random.default_rng(0).choice(["ill", "well"], len(keys)))
    lines = send_by_sentences(made.world(), model.export_text())
    leaves = model.apply(keys).tolist()
    assert len(set(zip(lines, leaves, strict=True))) == len(set(leaves)) == len(set(lines))
    assert send_by_rules(made, model.to_prolog()) == model.predict(keys).tolist()
