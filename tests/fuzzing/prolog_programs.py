"""Prolog programs, settings and mode files by chance."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.fuzzing.tables_mutation import NASTY, mutated

from petree.relational.database import Database
from petree.relational.queries.terms import quoted

NAMES = ("p", "q", "r", "size", "'odd name'")
VARIABLES = ("X", "Y", "Z", "_", "Long_name")
FUNCTIONS = ("+", "-", "*", "/", "//", "mod")
COMPARISONS = ("=", "\\=", "==", "\\==", "<", ">", "=<", ">=", "=:=", "=\\=", "is")
LETTERS = "ab X_'\"\\\n\té%.,("

SETTINGS = (
    "predict(t(+key, -class)).",
    "classes([one, two]).",
    "rmode(q(+X, -Y)).",
    "rmode(2: q(+X, #)).",
    "rmode((size(+X, -Y), Y < #)).",
    "rmode(q(+X, #[a, 1, 'odd name'])).",
    "lookahead(q(X, Y), size(Y, #)).",
    "max_lookahead(2).",
    "type(q(key, value)).",
    "type(size(key, number)).",
    "root((t(X, Y), q(X, Z))).",
    "typed_language(yes).",
    "heuristic(gain).",
    "minimal_cases(2).",
    "talking(0).",
    "load(models).",
)


# -- programs --------------------------------------------------------------------------------------------------


def random_value(chance: Random) -> str:
    kind = chance.randrange(5)
    if kind == 0:
        return quoted("".join(chance.choice(LETTERS) for _ in range(chance.randint(0, 6))))
    if kind == 1:
        return str(chance.choice((0, 1, -1, 2.5, -1e20, 2**53, 1e308)) if chance.random() < 0.99 else 10**30)
    return chance.choice(("a", "b", "c", "e1", "e2", str(chance.randrange(9))))


def random_term(chance: Random, depth: int = 0) -> str:
    kind = chance.randrange(6 if depth < 3 else 2)
    if kind == 0:
        return random_value(chance)
    if kind < 3:
        return chance.choice(VARIABLES)
    inside = [random_term(chance, depth + 1) for _ in range(chance.randint(1, 3))]
    if kind == 3:
        return f"[{', '.join(inside)}]"
    return f"f({', '.join(inside)})" if kind == 4 else f" {chance.choice(FUNCTIONS)} ".join(inside)


def random_goal(chance: Random, depth: int = 0) -> str:
    kind = chance.randrange(9 if depth < 3 else 4)
    if kind < 4:
        arguments = [random_term(chance, 2) for _ in range(chance.randint(1, 3))]
        return f"{chance.choice(NAMES)}({', '.join(arguments)})"
    if kind < 6:
        return f"{random_term(chance, 1)} {chance.choice(COMPARISONS)} {random_term(chance, 1)}"
    if kind == 6:
        return f"\\+ {random_goal(chance, depth + 1)}"
    if kind == 7:
        return f"({random_body(chance, depth + 1)} ; {random_body(chance, depth + 1)})"
    return chance.choice(("true", "fail", "!", "X", "not(p(X))", "1"))


def sane_goal(chance: Random) -> str:
    """A goal that fits the facts, of few variables, so that most rules have an answer."""
    one, other = chance.choice("XXYZ"), chance.choice("XYYZ_")
    known = [f"{name}({one}, {other})" for name in ("q", "size", "t")]
    return chance.choice(
        (*known, *known, f"\\+ {known[1]}", f"({known[0]} ; {known[1]})", f"X \\== {one}", f"{one} = {other}")
    )


def sane_rule(chance: Random) -> str:
    """A rule with a name of its own."""
    last = chance.choice(("true", "true", "V is Z + 1", "Z > 1", "Z =< 50", "Z = a"))
    body = ", ".join(["t(X, Y)", *(sane_goal(chance) for _ in range(chance.randint(0, 5))), "size(X, Z)", last])
    return f"rule{chance.randrange(100)}({', '.join(chance.choices('XYZ', k=chance.randint(1, 3)))}) :- {body}."


def random_body(chance: Random, depth: int = 0) -> str:
    return ", ".join(random_goal(chance, depth) for _ in range(chance.randint(1, 4)))


def random_clause(chance: Random) -> str:
    name, kind = chance.choice(NAMES), chance.random()
    if kind < 0.4:
        return sane_rule(chance)
    arguments = [chance.choice(("X", "Y", "a", "1")) for _ in range(chance.randint(1, 3))]
    if kind < 0.5:
        return f"{name}({', '.join(arguments)}) :- {random_body(chance)}."
    return f"{name}({', '.join(random_value(chance) for _ in range(2))})."


def random_program(chance: Random) -> str:
    """Examples, facts that rules can use, and clauses by chance; sometimes in models."""
    examples = [f"t(e{i}, {chance.choice(('one', 'two'))})." for i in range(chance.randint(1, 9))]
    facts = [f"q(e{chance.randrange(9)}, {random_value(chance)})." for _ in range(chance.randint(0, 40))]
    facts += [f"size(e{chance.randrange(9)}, {chance.randrange(99)})." for _ in range(chance.randint(0, 9))]
    clauses = [random_clause(chance) for _ in range(chance.randint(0, 5))]
    if chance.random() < 0.2:
        examples += [f"begin(model(m{i})).\nq(a, {random_value(chance)}).\none.\nend(model(m{i}))." for i in range(3)]
    return "\n".join([*examples, *facts, "size(e0, 1).", *clauses]) + "\n"


def some_lines(chance: Random, lines: tuple[str, ...]) -> str:
    return "\n".join(chance.choices(lines, k=chance.randint(1, 2 * len(lines)))) + "\n"


def damaged(chance: Random, text: str) -> bytes:
    """The text as it is, changed a little, or a heap of what readers stumble over."""
    kind = chance.random()
    if kind < 0.3:
        return text.encode()
    if kind < 0.4:
        return b" ".join(chance.choices(NASTY, k=chance.randint(0, 60)))
    return mutated(chance, text.encode())


# -- cases ---------------------------------------------------------------------------------------------------------


def programs(folder: Path) -> Callable[[Random], None]:
    """Facts and rules."""

    def try_case(chance: Random) -> None:
        path = folder / "case.pl"
        path.write_bytes(damaged(chance, random_program(chance)))
        Database.from_prolog(path, chance.choice(("t", "t", "model", "q")))

    return try_case


def applications(folder: Path) -> Callable[[Random], None]:
    """Folders of ACE: settings, facts and background knowledge, one of them damaged."""

    def try_case(chance: Random) -> None:
        settings = some_lines(chance, SETTINGS) + ("rmode(one)." if chance.random() < 0.05 else "")
        background = "\n".join(random_clause(chance) for _ in range(chance.randint(0, 3)))
        texts = {"s": settings, "kb": random_program(chance), "bg": background}
        broken = chance.choice(("s", "s", "kb", "bg", ""))
        for suffix, text in texts.items():
            (folder / f"case.{suffix}").write_bytes(damaged(chance, text) if suffix == broken else text.encode())
        Database.from_ace(folder / "case.s")

    return try_case
