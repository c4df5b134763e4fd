"""The tests that refine a query equal those of a slow generator, and their numbers are the known ones."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.relational.applications import application
from tests.relational.molecules import KEYS, make_model
from tests.relational.oracles.refiner import Test, plain_text, refined, refinements
from tests.relational.oracles.vocabulary import Vocabulary
from tests.relational.random_databases import MadeTables, random_models, random_tables

from petree.binning import resolve_binning
from petree.relational import AggregateMode, Argument, Bias, Database, Lookahead, Mode
from petree.relational.bias.automatic import automatic_bias
from petree.relational.bias.grounding import Grounding
from petree.relational.prolog.ace import read_ace
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Atom, Constant, Literal, Variable
from petree.relational.refinement.bounds import is_beyond
from petree.relational.refinement.refiner import Refiner

DATA = os.environ.get("PETREE_DATA")


def fast(database: Database, target: str, bias: Bias, query: tuple[Literal, ...], uses: dict[int, int]) -> list[Any]:
    """Numbers of modes and tests of all families, in order."""
    return fast_in(Scope.of_target(database, target).extend(query), bias, query, uses)


def fast_in(scope: Scope, bias: Bias, query: tuple[Literal, ...], uses: dict[int, int]) -> list[Any]:
    """The same for a query that may have forgotten rows."""
    families = Refiner(scope.database, bias).families(scope, frozenset(query), uses)
    return [(family.mode, family.test(place)) for family in families for place in range(len(family))]


def plain(tests: Iterable[tuple[int, Test]], known: Iterable[Variable]) -> list[tuple[int, str]]:
    known = list(known)
    return [(number, plain_text(test, known)) for number, test in tests]


def check_along_a_path(
    database: Database, target: str, named: dict[str, int], bias: Bias, seed: int, n_steps: int = 3
) -> list[int]:
    """Compare at the empty query and after each of some random tests; numbers of tests."""
    numbers, query, uses, sizes = random.Random(seed), (), dict[int, int](), []
    vocabulary = Vocabulary.of(database, target, named, ())
    scope = Scope.of_target(database, target)
    for _ in range(n_steps):
        assert list(scope.variables) == vocabulary.known(None)
        assert set(scope.named) == set(vocabulary.types)
        found = fast_in(scope, bias, query, uses)
        expected = refinements(vocabulary, bias, query, uses)
        assert plain(found, vocabulary.types) == plain(expected, vocabulary.types)
        sizes.append(len(found))
        if not found:
            break
        mode, test = numbers.choice(found)
        query, uses = (*query, *test), {**uses, mode: uses.get(mode, 0) + 1}
        vocabulary = refined(vocabulary, test, bias)
        after = scope.extend(test)
        scope = scope.alone.extend(test) if is_beyond(after, bias.max_links) else after
    return sizes


def grounded(database: Database, target: str, bias: Bias) -> Bias:
    """The bias with the constants and thresholds that all examples show; which classes they have does not matter."""
    rows = np.arange(database.relation(target).n_rows, dtype=np.int32)
    labels = rows.astype(np.intp) % 2
    return Grounding(database, target, rows, labels, 2, None, resolve_binning("quantile"), 1, 10**9).ground(bias)


@pytest.mark.parametrize("seed", range(12))
def test_declared_modes(seed: int) -> None:
    database, facts = random_models(seed)
    assert database.bias is not None
    sizes = check_along_a_path(database, "model", facts.named, database.bias, seed, 4)
    assert sizes[0] < max(sizes)


@pytest.mark.parametrize("seed", range(12))
def test_modes_from_links(seed: int) -> None:
    made = random_tables(seed)
    whole = made.database()
    database, facts = whole.hiding("thing", "class"), made.facts().without(whole.relation("thing").place("class"))
    functions = ("count", "min", "max", "sum", "mean", "mode", "proportion") if seed % 2 else ("count", "complex")
    functions = (*functions, "two_links") if seed % 4 > 1 else functions
    bias = automatic_bias(database, "thing", (None, 2, 3)[seed % 3], functions)
    check_along_a_path(database, "thing", facts.named, grounded(database, "thing", bias), seed)


# -- single declarations ---------------------------------------------------------------------------------------

PICTURES = random_models(0)[0]
UP, DOWN = Constant("up"), Constant("down")


def texts(bias: Bias, query: str = "", uses: dict[int, int] | None = None) -> list[str]:
    literals = parse_literals(query)
    return [", ".join(map(str, test)) for _, test in fast(PICTURES, "model", bias, literals, uses or {})]


def test_arguments() -> None:
    old, new, either = (Argument(sign, "X") for sign in ("+", "-", "+-"))
    assert texts(Bias((Mode("in", (new, new)),))) == ["in(A, B)"]
    assert texts(Bias((Mode("in", (old, new)),))) == []
    assert texts(Bias((Mode("in", (old, either)),)), "round(A), edged(B)") == [
        "in(A, A)", "in(A, B)", "in(A, C)", "in(B, A)", "in(B, B)", "in(B, C)",
    ]  # fmt: skip
    assert texts(Bias((Mode("in", (Argument("_"), old)),)), "round(A)") == ["in(_, A)"]


def test_variables_of_another_type_are_not_used() -> None:
    bias = Bias((Mode("upright", (Argument("+", "D"),)),))
    assert texts(bias, "config(A, B)") == ["upright(B)"]
    assert texts(bias, "round(A)") == []


def test_literals_of_the_query_are_dropped() -> None:
    ways = Argument("#", constants=(UP, DOWN))
    bias = Bias((Mode("round", (Argument("+-", "X"),)), Mode("config", (Argument("+", "X"), ways))))
    assert texts(bias, "round(A), config(A, up)") == ["round(B)", "config(A, down)"]


def test_modes_of_few_uses() -> None:
    bias = Bias((Mode("round", (Argument("-", "X"),), 2), Mode("edged", (Argument("-", "X"),))))
    assert texts(bias, uses={0: 1, 1: 9}) == ["round(A)", "edged(A)"]
    assert texts(bias, uses={0: 2}) == ["edged(A)"]


def test_constants_before_variables_come_in_all_combinations() -> None:
    mode = Mode("config", (Argument("#", constants=(Constant("o1"), Constant("o2"))), Argument("+", "D")))
    query = "config(_, A), config(_, B)"
    expected = [f"config({one}, {other})" for one in ("o1", "o2") for other in ("A", "B")]
    assert Counter(texts(Bias((mode,)), query)) == Counter(expected)


def test_constants_at_two_places() -> None:
    mode = Mode(
        "config", (Argument("#", constants=(Constant("o1"), Constant("o2"))), Argument("#", constants=(UP, DOWN)))
    )
    expected = [f"config({one}, {other})" for one in ("o1", "o2") for other in ("up", "down")]
    assert texts(Bias((mode,))) == expected


def test_lookahead() -> None:
    either, ways = Argument("+-", "Z"), Argument("#", constants=(UP, DOWN))
    first = Atom("in", (Variable("X"), Variable("Y")))
    found = texts(
        Bias(
            (Mode("in", (Argument("+", "X"), Argument("-", "Y"))),),
            (
                Lookahead(first, Mode("config", (Argument("=", "Y"), ways))),
                Lookahead(first, Mode("in", (Argument("=", "Y"), either))),
            ),
        ),
        "round(A)",
    )
    assert found == [
        "in(A, B)",
        "in(A, B), config(B, up)",
        "in(A, B), config(B, down)",
        "in(A, B), in(B, A)",
        "in(A, B), in(B, B)",
        "in(A, B), in(B, C)",
    ]


def test_two_steps_of_lookahead() -> None:
    first = Atom("in", (Variable("X"), Variable("Y")))
    ahead = Lookahead(first, Mode("in", (Argument("=", "Y"), Argument("-", "Z"))))
    modes = (Mode("in", (Argument("-", "X"), Argument("-", "Y"))),)
    assert texts(Bias(modes, (ahead,), 2)) == ["in(A, B)", "in(A, B), in(B, C)", "in(A, B), in(B, C), in(C, D)"]


PARTS = MadeTables(
    {
        "thing": {"id": [1, 2, 3], "class": ["y", "n", "y"], "size": [1.0, 2.0, 3.0]},
        "part": {"thing": [1, 1, 2], "kind": ["u", "v", "u"], "weight": [1.0, 2.0, 3.0]},
    },
    ["part.thing -> thing.id"],
    {"thing": "id"},
).database()


def test_a_threshold_beside_a_constant() -> None:
    """``rmode((part(+T, #[u, v], -W, _), W < #))``."""
    arguments = (
        Argument("+", "T"),
        Argument("#", constants=(Constant("u"), Constant("v"))),
        Argument("-", "W", (Constant(1.5), Constant(2.5))),
        Argument("_"),
    )
    tests = [test for _, test in fast(PARTS, "thing", Bias((Mode("part", arguments, compared=2),)), (), {})]
    kinds = [
        f"part(Known0, {kind}, New1, _), New1 {sign} {cut}"
        for kind in "uv" for sign in ("<", ">=") for cut in (1.5, 2.5)
    ]  # fmt: skip
    assert Counter(plain_text(test, [Variable("A")]) for test in tests) == Counter(kinds)


def test_an_aggregate_below_many_variables_is_still_over_all_rows() -> None:
    """The variable that an aggregate is taken of is none of the query's, whatever their names."""
    mode = Mode("part", (Argument("+", "T"), Argument("_"), Argument("-", "W"), Argument("_")))
    bias = Bias((), aggregates=(AggregateMode("sum", mode, 2, (Constant(1.5),)),))
    query = parse_literals("part(A, X, _, _)")
    for _, (test,) in fast(PARTS, "thing", bias, query, {}):
        assert test.variable != Variable("X")  # type: ignore[union-attr]


# -- numbers of tests ------------------------------------------------------------------------------------------

FOLDERS = {
    "machines/prolog/keys": [1, 3],
    "machines/prolog/examples": [1, 3],
    "bongard/prolog/keys": [3, 9, 17, 27],
    "bongard/prolog/examples": [3, 9, 17, 27],
    "mutagenesis/prolog": [47, 159, 387],
}
PATHS = {
    "machines/prolog/keys": ["worn(A, B)"],
    "machines/prolog/examples": ["worn(A)"],
    "bongard/prolog/keys": ["triangle(A, B)", "in(A, B, C)", "circle(A, D)"],
    "bongard/prolog/examples": ["triangle(A)", "in(A, B)", "circle(C)"],
    "mutagenesis/prolog": ["atom(A, B, C, 27, D)", "atom(A, E, F, 29, G)"],
}


@pytest.mark.skipif(DATA is None, reason="PETREE_DATA does not say where the data sets are")
@pytest.mark.parametrize("folder", FOLDERS)
def test_known_numbers_of_tests(folder: str) -> None:
    database = application(folder)
    assert database.bias is not None
    assert database.target is not None
    target, query, sizes = database.target.partition(".")[0], (), []
    for text in ["", *PATHS[folder]]:
        query = (*query, *parse_literals(text))
        scope = Scope.of_target(database, target)
        named = {one.name: scope.places[one][0][1] for one in scope.variables}
        found = fast(database, target, database.bias, query, {})
        vocabulary = Vocabulary.of(database, target, named, query)
        expected = refinements(vocabulary, database.bias, query, {})
        assert plain(found, scope.extend(query).variables) == plain(expected, vocabulary.types)
        sizes.append(len(found))
    assert sizes == FOLDERS[folder]


@pytest.mark.parametrize(
    ("rule", "constants", "test"),
    [
        ("X < Y", "3.5, 9", "val(A, B), B < 3.5"),
        ("Y > X", "3.5, 9", "val(A, B), B < 3.5"),
        ("X >= Y", "9, 4", "val(A, B), B >= 4"),
        ("X \\= Y", "0, 1", "val(A, B), B \\= 0"),
        ("X = Y", "0, 1", "val(A, B), B = 0"),
    ],
)
def test_a_condition_compares_with_constants_as_it_says(tmp_path: Path, rule: str, constants: str, test: str) -> None:
    values = [0, 0, 0, 0, 1, 1, 1, 1] if "=" in rule.replace(">=", "") else list(KEYS)
    facts = (f"cls(e{one}, {'p' if one < 4 else 'q'}). val(e{one}, {values[one]})." for one in KEYS)
    (tmp_path / "x.kb").write_text("\n".join(facts))
    (tmp_path / "x.bg").write_text(f"than(X, Y) :- {rule}.")
    (tmp_path / "x.s").write_text(
        "predict(cls(+e, -c)).\nclasses([p, q]).\ntyped_language(yes).\n"
        "type(cls(e, c)).\ntype(val(e, n)).\ntype(than(n, n)).\n"
        f"rmode(val(+E, -N)).\nlookahead(val(E, N), than(N, #[{constants}])).\n"
    )
    database = read_ace(tmp_path)
    model = make_model(database, database.target).fit([f"e{one}" for one in KEYS])
    assert str(model.tree_.conditions[0]) == test
