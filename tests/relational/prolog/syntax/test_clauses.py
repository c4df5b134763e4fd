"""Prolog text as clauses and as literals."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from petree.relational.prolog.syntax.clauses import Clause, parse_clauses
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.prolog.syntax.terms import Compound, ListTerm, Operation
from petree.relational.queries.terms import (
    FUNCTIONS,
    OPERATORS,
    Aggregation,
    Atom,
    Comparison,
    Constant,
    Variable,
    text_of,
)

# -- literals ----------------------------------------------------------------------------------------------------------

variables = st.from_regex(r"[A-Z_][A-Za-z0-9_]{0,3}", fullmatch=True).map(Variable)
values = st.one_of(st.text(max_size=6), st.integers(-1000, 10**20), st.floats(allow_nan=False, allow_infinity=False))
constants = values.map(Constant)
terms = st.one_of(variables, constants)
names = st.one_of(st.from_regex(r"[a-z][A-Za-z0-9_]{0,4}", fullmatch=True), st.text(min_size=1, max_size=6))
atoms = st.builds(Atom, names, st.lists(terms, max_size=4).map(tuple))
operators = st.sampled_from(sorted(OPERATORS))
aggregations = st.one_of(
    st.builds(Aggregation, st.just("count"), st.none(), atoms, operators, constants),
    st.builds(Aggregation, st.sampled_from(FUNCTIONS), variables, atoms, operators, constants),
    st.builds(Aggregation, st.just("proportion"), variables, atoms, operators, constants, constants),
)
literals = st.one_of(atoms, st.builds(Comparison, variables, operators, terms), aggregations)


@settings(max_examples=50)
@given(st.lists(literals, max_size=4).map(tuple))
def test_literals_read_back_as_they_were_written(query: tuple) -> None:
    assert parse_literals(text_of(query)) == query


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("atom(A, [b])", r"query: atom\(A, \[b\]\) holds \[b\]"),
        ("a(A) :- b(A)", "has no ':-'"),
        ("a(A). b(A)", "no full stop inside"),
        ("3 < A", "is no comparison; put a variable on the left"),
        ("median(A, b(A)) < 3", "one of count, proportion"),
        ("mean(1, b(A)) < 3", "1 is neither"),
        ("mean(A, B < 2) < 3", "is no aggregate"),
        ("A", "A is no literal"),
    ],
)
def test_what_is_no_query_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse_literals(text)


# -- clauses -----------------------------------------------------------------------------------------------------------


def only_clause(text: str) -> Clause:
    (clause,) = parse_clauses(text)
    return clause


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("plain_Name1", "plain_Name1"),
        ("'Quoted, name'", "Quoted, name"),
        ("'it''s'", "it's"),
        (r"'a\'b\\c\nd\x41\e'", "a'b\\c\ndAe"),
        ("''", ""),
        ('"text"', "text"),
        ("7", 7),
        ("-7", -7),
        ("-0.25", -0.25),
        ("1.5e-3", 0.0015),
        ("2e3", 2000.0),
    ],
)
@pytest.mark.parametrize("space", ["", " ", " /* full parser */ "])
def test_arguments_of_facts(argument: str, value: object, space: str) -> None:
    head = only_clause(f"p({space}{argument}, b).").head
    assert head == Compound("p", (Constant(value), Constant("b")))


def test_facts_that_take_the_short_way_are_those_of_the_full_parser() -> None:
    short = parse_clauses("p(a, -1.5, 'B c').\np(b,2,c). p(d,3,e).%end\n")
    full = parse_clauses("p(a, -1.5, /**/ 'B c').\np(b,2, /**/ c). p(d,/**/ 3,e).%end\n")
    assert short == full
    assert [clause.line for clause in short] == [1, 2, 2]


def test_comments_hide_what_looks_like_facts() -> None:
    text = "/* p(a).\np(b). */ p(c). % p(d).\n% p(e).\n\nq."
    heads = [(str(clause.head), clause.line) for clause in parse_clauses(text)]
    assert heads == [("p(c)", 2), ("q", 5)]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("a, b, c", "a, (b, c)"),
        ("a ; b, c", "a ; (b, c)"),
        ("\\+ a, b", "(\\+ a), b"),
        ("X is Y - 2 - Z", "X is ((Y - 2) - Z)"),
        ("X is Y + 2 * Z", "X is (Y + (2 * Z))"),
        ("X < -1", "X < (-1)"),
        ("X =< Y / 2", "X =< (Y / 2)"),
        ("X is - Y * 2", "X is ((- Y) * 2)"),
    ],
)
def test_operators_hold_together_as_in_prolog(written: str, read: str) -> None:
    assert only_clause(f"p :- {written}.").body == only_clause(f"p :- {read}.").body


def test_declarations() -> None:
    head = only_clause("rmode(5: config(+P, -S, +-T, #[up, down], #, _)).").head
    signs = [Operation("+", (Variable("P"),)), Operation("-", (Variable("S"),)), Operation("+-", (Variable("T"),))]
    listed = Operation("#", (ListTerm((Constant("up"), Constant("down"))),))
    literal = Compound("config", (*signs, listed, Constant("#"), Variable("_")))
    assert head == Compound("rmode", (Operation(":", (Constant(5), literal)),))


def test_directives_have_no_head() -> None:
    clause = only_clause(":- modeb(*, has_car(+train, -car)).")
    assert clause.head is None
    assert clause.body is not None
    assert parse_clauses(":- clause(C), #count{V : v(C, V)} != 1.\np.", skip_directives=True) == parse_clauses("\np.")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("p(a).\nq(a b).", r"file.kb, line 2: 'b' is not expected here; '\)' is missing before it"),
        ("p(a).\n\nq(a", "line 3: the clause that starts here has no full stop"),
        ("p('a).\n", "line 1: the quote ' that opens here is not closed"),
        ("p(a).\n/* p", r"line 2: the comment that starts here is not closed; end it with \*/"),
        ("p(a)).", r"line 1: '\)' is not expected here; look for a missing comma"),
        ("p :- \n(a -> b ; c).", "line 2: -> is not supported; write one clause for each case"),
        ("p(a, ).", r"line 1: '\)' is not expected"),
        (r"p('\q').", "line 1: .* is no escape"),
        ("p(?).", r"line 1: '\?' is not understood here; put the name in single quotes"),
        ("p :- .", "line 1: the full stop is not expected"),
    ],
)
def test_broken_text_is_refused_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse_clauses(text, "file.kb")
