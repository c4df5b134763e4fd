"""Prolog files that ask for more than can be had are refused with their line, before the work."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from petree import unpacking
from petree.relational.database import Database
from petree.relational.prolog.conversion.column_types import inferred_types, pass_on, variable_places
from petree.relational.prolog.rules.background import in_order
from petree.relational.prolog.rules.facts import Program, distinct
from petree.relational.prolog.syntax.clauses import parse_clauses
from petree.relational.prolog.syntax.literals import parse_literals
from petree.relational.prolog.syntax.terms import MOST_DEPTH

EXAMPLES = "t(e1, a). t(e2, b).\n"


def read(folder: Path, text: str | bytes, name: str = "a.pl") -> Database:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return Database.from_prolog(path, "t")


DEEP = 20_000
TERMS = {
    "compounds": "p(" * DEEP + "a" + ")" * DEEP + ".",
    "lists": "p(" + "[" * DEEP + "]" * DEEP + ").",
    "brackets": "p(" + "(" * DEEP + "a" + ")" * DEEP + ").",
    "signs": "p(" + "- " * DEEP + "a).",
    "sums": "r(X) :- t(X, _), Y is " + "1 + " * DEEP + "1.",
    "denials": "r(X) :- t(X, _), " + "\\+ " * DEEP + "t(X, a).",
}


@pytest.mark.parametrize("clause", TERMS.values(), ids=TERMS)
def test_deep_terms(tmp_path: Path, clause: str) -> None:
    with pytest.raises(
        ValueError, match=rf"a\.pl, line 2: the clause that starts here has terms more than {MOST_DEPTH}"
    ):
        read(tmp_path, EXAMPLES + clause)


def test_terms_of_some_depth_are_read(tmp_path: Path) -> None:
    depth = 100
    database = read(tmp_path, f"{EXAMPLES}p(e1, {'f(' * depth}a{')' * depth}).")
    assert database.relations["p"].columns[1].value(0) == "f(" * depth + "a" + ")" * depth


@pytest.mark.parametrize("operator", [",", ";"])
def test_chains_may_be_long(tmp_path: Path, operator: str) -> None:
    database = read(
        tmp_path, f"{EXAMPLES}r(X) :- {operator.join(['t(X, a)'] * 2000)}.\np(e1, ({','.join('a' * 5000)}))."
    )
    assert [database.relations["r"].columns[0].value(row) for row in range(database.relations["r"].n_rows)] == ["e1"]
    assert database.relations["p"].columns[1].value(0) == ",".join("a" * 5000)


def test_long_chains_are_written_as_they_were() -> None:
    clause = parse_clauses("r :- a, b, c ; d ; e, f.")[0]
    assert str(clause.body) == "(a, (b, c)) ; d ; (e, f)"


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        ("1" * 100_000, r"the number 11111111111111111111\.\.\. is more than float64 can hold"),
        ("1e999", "the number 1e999 is more than float64 can hold"),
        ("9007199254740993", r"9007199254740993 is beyond 2\*\*53"),
        ("-9007199254740993", r"9007199254740993 is beyond 2\*\*53"),
    ],
)
@pytest.mark.parametrize("fact", ["p(e1, {}).", "p(e1, f({})).", "r(X) :- t(X, _), X = {}."])
def test_numbers_that_float64_cannot_hold(tmp_path: Path, number: str, sentence: str, fact: str) -> None:
    with pytest.raises(ValueError, match=rf"a\.pl, line 2: .*{sentence}"):
        read(tmp_path, EXAMPLES + fact.format(number))


def test_queries_may_have_large_thresholds() -> None:
    assert str(parse_literals("p(A, B), B < 9007199254740994")[1]) == "B < 9007199254740994"


@pytest.mark.parametrize("code", ["110000", "d800", "f" * 100])
def test_escapes_of_no_character(tmp_path: Path, code: str) -> None:
    with pytest.raises(ValueError, match=r"line 2: \\x\w+\\ is no character"):
        read(tmp_path, f"{EXAMPLES}p('\\x{code}\\a').")


FACTS = "".join(f"q(a, {i}).\n" for i in range(2300))
JOINS = {
    "cross": "r(X, Y) :- q(_, X), q(_, Y).",
    "shared": "r(X, Y) :- q(Z, X), q(Z, Y).",
    "doubled": f"r(X) :- q(X, _), {', '.join(['(true ; true)'] * 60)}.",
}


@pytest.mark.parametrize("rule", JOINS.values(), ids=JOINS)
def test_rules_that_make_too_many_rows(tmp_path: Path, rule: str) -> None:
    with pytest.raises(
        ValueError, match=r"a\.pl, line 2302: this rule of r/\d makes \d+ more rows, but a rule may make 5000000,"
    ):
        read(tmp_path, f"{EXAMPLES}{FACTS}{rule}")


def test_each_rule_is_bounded_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petree.relational.prolog.rules.background.MOST_ROWS", 3000)
    monkeypatch.setattr("petree.relational.prolog.rules.background.MOST_ROWS_OF_A_FACT", 1)
    rules = "".join(f"r{i}(X) :- q(X, _).\nr{i}(X) :- q(_, X).\n" for i in range(3))
    database = read(tmp_path, f"{EXAMPLES}{FACTS}{rules}")
    assert [database.relations[f"r{i}"].n_rows for i in range(3)] == [2301] * 3


def test_facts_that_hold_in_too_many_models(tmp_path: Path) -> None:
    models = "".join(f"begin(model(m{i})).\nq(a, b).\nend(model(m{i})).\n" for i in range(2300))
    (tmp_path / "a.pl").write_text(FACTS + models)
    with pytest.raises(ValueError, match="q/2 stands inside of models and outside, which makes 5290000 rows"):
        Database.from_prolog(tmp_path / "a.pl", "model")


@pytest.mark.parametrize("n_rules", [1, 2, 5000])
def test_rules_that_call_each_other_in_a_circle(tmp_path: Path, n_rules: int) -> None:
    rules = "".join(f"r{i}(X) :- r{(i + 1) % n_rules}(X).\n" for i in range(n_rules))
    with pytest.raises(ValueError, match=rf"a\.pl, line {n_rules + 1}: r0/1 calls itself"):
        read(tmp_path, EXAMPLES + rules)


def test_rules_may_call_each_other_in_a_long_row() -> None:
    rules = "".join(f"r{i}(X) :- r{i + 1}(X).\n" for i in range(5000)) + "r5000(a) :- true."
    program = Program().add(parse_clauses(rules))
    assert in_order(program, [("r0", 1)]) == [(f"r{i}", 1) for i in range(5000, -1, -1)]


def plain_types(declared, program):  # type: ignore[no-untyped-def]
    """All rules again and again, until none has anything to pass on."""
    types = {predicate: list(names) for predicate, names in declared.items()}
    uses = [list(variable_places(clause)) for rules in program.rules.values() for clause in rules]
    while sum(len(pass_on(places, types)) for places in uses):
        pass
    return {predicate: tuple(names) for predicate, names in types.items()}


@pytest.mark.parametrize("seed", range(20))
def test_types_are_those_of_all_rules_again_and_again(seed: int) -> None:
    random = np.random.default_rng(seed)

    def atom() -> str:
        return f"p{random.integers(12)}({', '.join(random.choice(list('XYZ'), 2))})"

    program = Program().add(parse_clauses("".join(f"{atom()} :- {atom()}, {atom()}.\n" for _ in range(15))))
    declared = {(f"p{i}", 2): (f"type{i}", None) for i in random.integers(12, size=3).tolist()}
    assert inferred_types(declared, program) == plain_types(declared, program)


def test_a_type_passes_along_many_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    n_rules, looked_at = 300, []
    rules = "".join(f"r{i}(X) :- r{i + 1}(X).\n" for i in range(n_rules))
    program = Program().add(parse_clauses(rules))
    monkeypatch.setattr(
        "petree.relational.prolog.conversion.column_types.pass_on", lambda *all_: looked_at.append(1) or pass_on(*all_)
    )
    assert inferred_types({(f"r{n_rules}", 1): ("key",)}, program)["r0", 1] == ("key",)
    assert len(looked_at) < 5 * n_rules


def test_distinct_rows_are_the_first_of_each_in_order() -> None:
    codes = np.random.default_rng(0).integers(0, 5, (1000, 3)).astype(np.int32)
    first = list(dict.fromkeys(map(tuple, codes.tolist())))
    assert list(map(tuple, distinct(codes).tolist())) == first


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.pl.gz", b"t(a, b).", r"a\.pl\.gz is not a whole gzip file"),
        # The time in a gzip file would make the name of the test another in each process.
        ("a.pl.gz", gzip.compress(b"t(a, b).\n" * 100, mtime=0)[:-9], r"a\.pl\.gz is not a whole gzip file"),
        ("a.pl", "t(a, b).".encode("utf-16"), r"a\.pl is binary or UTF-16"),
        ("a.pl", b"t(a, \0).", r"a\.pl is binary or UTF-16"),
    ],
)
def test_files_that_are_no_text(tmp_path: Path, name: str, content: bytes, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        read(tmp_path, content, name)


def test_a_small_file_that_unpacks_to_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "ALWAYS_UNPACKED", 2**18)
    with pytest.raises(ValueError, match=r"a\.pl\.gz unpacks to more than \d+ MiB, over 100 times its own size"):
        read(tmp_path, gzip.compress(b" " * 2_000_000), "a.pl.gz")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is a folder"):
        Database.from_prolog(tmp_path, "t")


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("root.", "line 1: root has one argument"),
        ("rmode(often: q(+X, -Y)).", "line 1: often does not say how often a mode may be used"),
        ("classes([one, two]).\nrmode(one).", "A mode asks for one/0, which is a class or not there"),
    ],
)
def test_settings_of_ace(tmp_path: Path, settings: str, sentence: str) -> None:
    (tmp_path / "a.s").write_text(settings)
    (tmp_path / "a.kb").write_text("begin(model(m)).\none.\nq(a, b).\nend(model(m)).\n")
    with pytest.raises(ValueError, match=sentence):
        Database.from_ace(tmp_path)


def test_a_query_of_a_comment_alone() -> None:
    with pytest.raises(ValueError, match="has no full stop"):
        parse_literals("% nothing")
