"""Rules turned into rows, beside their slow meaning: all values for all variables, tried one by one."""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from petree.relational.prolog.rules.background import derive
from petree.relational.prolog.rules.facts import Program, arguments_of
from petree.relational.prolog.syntax.clauses import parse_clauses
from petree.relational.prolog.syntax.terms import Compound, Operation, Parsed
from petree.relational.queries.terms import Comparison, Constant, Predicate, Variable

UNIVERSE = (1, 2, 3)


def derived(text: str, name: str, arity: int) -> set[tuple[Any, ...]]:
    program = Program().add(parse_clauses(text, "rules.bg"))
    knowledge = derive(program, [Predicate(name, arity)], {})
    values = knowledge.symbols.values
    rows = knowledge.rows[name, arity].codes.tolist()
    found = {tuple(values[code] for code in row) for row in rows}
    assert len(found) == len(rows), "rows stand once"
    return found


# -- the slow meaning --------------------------------------------------------------------------------------------------


def variables_of(term: Parsed) -> Iterator[Variable]:
    if isinstance(term, Variable):
        yield term
    for part in term.arguments if isinstance(term, (Compound, Operation)) else ():
        yield from variables_of(part)


def value(term: Parsed, values: dict[Variable, Any]) -> Any:
    if isinstance(term, Variable):
        return values[term]
    assert isinstance(term, Constant)
    return term.value


def holds(term: Parsed, values: dict[Variable, Any], facts: set[tuple[Any, ...]]) -> bool:
    if isinstance(term, Compound):
        return (term.name, *(value(one, values) for one in term.arguments)) in facts
    assert isinstance(term, Operation)
    left, right = term.arguments
    if term.operator == ",":
        return holds(left, values, facts) and holds(right, values, facts)
    if term.operator == ";":
        return holds(left, values, facts) or holds(right, values, facts)
    one, other = value(left, values), value(right, values)
    return {
        "=": one == other, "==": one == other, "\\==": one != other, "\\=": one != other,
        "<": one < other, ">": one > other, "=<": one <= other, ">=": one >= other, "=:=": one == other,
    }[term.operator]  # fmt: skip


def meant(rule: str, facts: set[tuple[Any, ...]], numbers: Iterable[int]) -> set[tuple[Any, ...]]:
    (clause,) = parse_clauses(rule)
    found = set()
    names = list(dict.fromkeys(variables_of(clause.body)))  # type: ignore[arg-type]
    for choice in product(numbers, repeat=len(names)):
        values = dict(zip(names, choice, strict=True))
        if holds(clause.body, values, facts):  # type: ignore[arg-type]
            found.add(tuple(value(one, values) for one in arguments_of(clause.head)))
    return found


facts_of_two = st.frozensets(st.tuples(st.sampled_from("pq"), st.sampled_from(UNIVERSE), st.sampled_from(UNIVERSE)))

RULES = [
    "h(X, Y) :- p(X, Y).",
    "h(Y, X) :- p(X, Y), q(Y, X).",
    "h(X, Z) :- p(X, Y), q(Y, Z).",
    "h(X, Y) :- p(X, X), q(X, Y).",
    "h(X, Y) :- p(X, 2), q(Y, 1).",
    "h(X, Y) :- p(X, Y) ; q(Y, X).",
    "h(X, c) :- p(X, Y), (Y < 2 ; q(X, Y)).",
    "h(X, Y) :- p(X, Z), Y = Z, Y \\== X.",
    "h(X, Y) :- p(X, Z), q(Y, Z), X =< Y, Z >= 2.",
    "h(X, Z) :- p(X, Y), q(Y, Z), Y > X, X =:= Z.",
]


@pytest.mark.parametrize("rule", RULES)
@settings(max_examples=12)
@given(facts=facts_of_two)
def test_rows_are_those_that_make_the_body_true(rule: str, facts: frozenset[tuple[Any, ...]]) -> None:
    written = "".join(f"{name}({one}, {other}).\n" for name, one, other in sorted(facts))
    text = f"{written}p(9, 9).\nq(8, 8).\n{rule}"
    known = {*facts, ("p", 9, 9), ("q", 8, 8)}
    assert derived(text, "h", 2) == meant(rule, known, (*UNIVERSE, 8, 9))


# -- several clauses, conditions, models -------------------------------------------------------------------------------


def test_clauses_and_facts_of_a_predicate_are_united() -> None:
    text = "h(1). h(2). h(1). p(2, 3). p(4, 5).\nh(X) :- p(X, _).\nh(X) :- p(_, X), X > 3.\n"
    assert derived(text, "h", 1) == {(1,), (2,), (4,), (5,)}


def test_rules_may_stand_on_rules_in_any_order() -> None:
    text = "top(X) :- middle(X), low(X).\nmiddle(X) :- p(X).\nlow(X) :- middle(X), X < 2.\np(1). p(2)."
    assert derived(text, "top", 1) == {(1,)}


@pytest.mark.parametrize(
    ("rule", "arguments", "comparison"),
    [
        ("c(X, X).", ("X", "Y"), Comparison(Variable("X"), "=", Variable("Y"))),
        ("c(A, B) :- A == B.", ("A", "B"), Comparison(Variable("A"), "=", Variable("B"))),
        ("c(A, B) :- B < A.", ("A", "B"), Comparison(Variable("B"), "<", Variable("A"))),
        ("c(A, B) :- A \\== B.", ("A", "B"), Comparison(Variable("A"), "\\=", Variable("B"))),
        ("c(A) :- 3 < A.", ("A",), Comparison(Variable("A"), ">", Constant(3))),
    ],
)
def test_rules_that_only_compare_are_conditions(rule: str, arguments: tuple[str, ...], comparison: Comparison) -> None:
    predicate = Predicate("c", len(arguments))
    knowledge = derive(Program().add(parse_clauses(rule)), [predicate], {predicate: ("t",) * len(arguments)})
    condition = knowledge.conditions[predicate]
    assert (condition.arguments, condition.comparison) == (arguments, comparison)
    assert condition.types == ("t",) * len(arguments)
    assert predicate not in knowledge.rows


def test_rules_may_call_conditions() -> None:
    text = "less(A, B) :- A < B.\nh(X) :- p(X, Y), less(Y, 3), less(1, X).\np(1, 1). p(2, 2). p(3, 3)."
    assert derived(text, "h", 1) == {(2,)}


MODELS = "begin(model(m1)). p(1). p(2). end(model(m1)).\nbegin(model(m2)). p(2). q(2). end(model(m2)).\n"


@pytest.mark.parametrize(
    ("rule", "rows"),
    [
        ("h(X) :- p(X), X > 1.", {("m1", 2), ("m2", 2)}),
        ("h(X) :- p(X), shared(X).", {("m1", 1)}),
        ("h(X) :- shared(X) ; q(X).", {("m1", 1), ("m2", 1), ("m1", 7), ("m2", 7), ("m2", 2)}),
    ],
)
def test_facts_of_models_stay_apart(rule: str, rows: set[tuple[Any, ...]]) -> None:
    assert derived(f"{MODELS}shared(1). shared(7).\n{rule}", "h", 1) == rows


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("p(1).\nh(X) :- p(X).\nh(X) :- h(X), p(X).", "rules.bg, line 3: h/1 calls itself; recursion is not supported"),
        ("p(1).\nh(X) :- g(X).\ng(X) :- p(X), h(X).", "line 3: h/1 calls itself"),
        ("h(X) :- p(X).", "line 1: p/1 has no facts and no rules"),
        ("p(1).\nh(X, Y) :- p(X).", "line 2: Y has no value here"),
        ("p(1).\nh(X) :- X > 1, p(X).", "line 2: X has no value here"),
        ("p(a).\nh(X) :- p(X), X > 1.", "line 2: X can be 'a', which is no number"),
        ("p(1).\nh(X) :- p(X), member(X, [1]).", "line 2: member/2 has no facts"),
        ("p(1).\nh(X) :- p([X]).", r"line 2: \[X\] is no name, number or variable"),
        ("p(1).\nh(X) :- p(Y), X is Y + 1.", "line 2: is is not supported in rules; write the facts"),
        ("p(1).\nh(X) :- p(X), \\+ p(X).", r"line 2: \\\+ is not supported in rules"),
        ("p(1).\nh(X) :- p(X), X + 1 > 1.", r"line 2: X \+ 1 is no name, number or variable"),
        ("p([1, 2]).\nh(X) :- p(X).", r"line 1: \[1, 2\] is no name or number; write one fact for each item"),
        ("begin(model(1)). p(1).", "line 1: model 1 has no end"),
        ("begin(model(1)). end(model(2)).", "line 1: end.* does not fit, as model 1 is open"),
        ("begin(model(1)). p(X) :- q(X). end(model(1)).", "line 1: a model holds facts without variables"),
        ("p(1).\n:- consult(more).", "line 2: the directive consult is not supported"),
    ],
)
def test_what_is_not_supported_is_refused_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        derived(text, "h", text.count("h(X, Y)") + 1)
