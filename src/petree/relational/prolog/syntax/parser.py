"""Terms of Prolog, read from tokens by the precedence of the operators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from petree.relational.prolog.syntax.tokens import Text, Token
from petree.relational.queries.terms import Constant, Variable

COMPARISONS = ("=", "\\=", "==", "\\==", "<", ">", "=<", ">=", "=:=", "=\\=", "!=", "is")
# How loosely an operator holds its sides together, and how loosely its left and its right side may be held.
INFIX = {
    ":-": (1200, 1199, 1199),
    ";": (1100, 1099, 1100),
    ",": (1000, 999, 1000),
    **dict.fromkeys(COMPARISONS, (700, 699, 699)),
    **dict.fromkeys(("+", "-"), (500, 500, 499)),
    **dict.fromkeys(("*", "/", "//", "mod"), (400, 400, 399)),
    ":": (200, 199, 200),
}
PREFIX = {"\\+": 900, "+": 200, "-": 200, "+-": 200, "#": 200}
# Symbols that stand for themselves where no operand follows.
BARE = (*PREFIX, "*", "!", "=", "<", ">")
ARGUMENT_LEVEL, CLAUSE_LEVEL = 999, 1200
# Operators whose chains may be of any length.
CHAINS = (",", ";")
# Terms inside of terms, all of which are read, and written, by functions that call themselves.
MOST_DEPTH = 150


@dataclass(frozen=True)
class Compound:
    """``name(argument, ...)``."""

    name: str
    arguments: tuple[Parsed, ...]

    def __str__(self) -> str:
        return f"{Constant(self.name)}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True)
class Operation:
    """An operator with what stands on its one or two sides."""

    operator: str
    arguments: tuple[Parsed, ...]

    def __str__(self) -> str:
        if len(self.arguments) == 1:
            return f"{self.operator}{self.arguments[0]}"
        *parts, last = parts_of(self)
        if self.operator != ",":
            return f" {self.operator} ".join(map(str, (*parts, last)))
        return "".join(f"({part}, " for part in parts) + str(last) + ")" * len(parts)


@dataclass(frozen=True)
class ListTerm:
    """``[item, ...]``."""

    items: tuple[Parsed, ...]

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.items))}]"


Parsed = Variable | Constant | Compound | Operation | ListTerm


class Parser:
    """Reads the tokens of one clause by the precedence of its operators."""

    def __init__(self, whole: Text, tokens: list[Token]):
        self.whole, self.tokens, self.place, self.depth = whole, tokens, 0, 0

    @property
    def next(self) -> Token:
        return self.tokens[self.place]

    def at(self, symbol: str) -> bool:
        """Whether this symbol comes next."""
        return self.next.kind == "symbol" and self.next.value == symbol

    def clause(self) -> tuple[Parsed | None, Parsed | None]:
        """Head and body of a clause, which must use all tokens; a directive has no head, a fact no body."""
        head: Parsed | None = None
        body: Parsed | None = None
        if self.at(":-"):
            self.place += 1
            body = self.term(CLAUSE_LEVEL)
        else:
            head = self.term(CLAUSE_LEVEL)
            if isinstance(head, Operation) and head.operator == ":-":
                head, body = head.arguments
        if self.next.kind != "end":
            raise self.error()
        if not (is_shallow(head) and is_shallow(body)):
            raise self.too_deep()
        return head, body

    def term(self, most: int) -> Parsed:
        """A term whose operators hold at least as tightly as `most`."""
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise self.too_deep()
        left, held = self.operand()
        while (operator := self.infix()) is not None:
            level, left_most, right_most = INFIX[operator]
            if level > most or held > left_most:
                break
            if operator in CHAINS:
                left, held = self.chain(operator, left), level
            else:
                self.place += 1
                left, held = Operation(operator, (left, self.term(right_most))), level
        self.depth -= 1
        return left

    def chain(self, operator: str, first: Parsed) -> Parsed:
        """``first operator term operator term ...``, held together from the right."""
        parts = [first]
        while self.infix() == operator:
            self.place += 1
            if operator == "," and self.at(")"):
                break  # (name,) is a tuple of one
            parts.append(self.term(INFIX[operator][1]))
        *rest, chained = parts
        for part in reversed(rest):
            chained = Operation(operator, (part, chained))
        return chained

    def infix(self) -> str | None:
        """The operator that comes next, if one does."""
        token = self.next
        if token.kind not in ("symbol", "name"):
            return None
        if token.value in ("->", "-->"):
            raise self.whole.error(token.start, f"{token.value} is not supported; write one clause for each case.")
        return str(token.value) if token.value in INFIX else None

    def operand(self) -> tuple[Parsed, int]:
        """A term without infix operators, and the level of its prefix."""
        token = self.next
        self.place += 1
        if token.kind == "number":
            return Constant(token.value), 0
        if token.kind == "variable":
            return Variable(str(token.value)), 0
        if token.kind in ("name", "quoted"):
            return self.named(token), 0
        if token.kind == "symbol" and token.value == "(":
            inside = self.term(CLAUSE_LEVEL)
            self.expect(")")
            return inside, 0
        if token.kind == "symbol" and token.value == "[":
            return ListTerm(tuple(self.sequence("]"))), 0
        if token.kind == "symbol" and token.value in BARE:
            return self.prefixed(token)
        self.place -= 1
        raise self.error()

    def named(self, token: Token) -> Parsed:
        """A name, with its arguments where a parenthesis follows at once."""
        if self.at("(") and self.next.start == token.stop:
            self.place += 1
            return Compound(str(token.value), tuple(self.sequence(")")))
        return Constant(token.value)

    def prefixed(self, token: Token) -> tuple[Parsed, int]:
        """What a prefix operator stands before: nothing, a number that it makes negative, or a term."""
        sign = str(token.value)
        if sign not in PREFIX or self.next.kind == "end" or any(map(self.at, (",", ")", "]", "/"))):
            return Constant(sign), 0
        value = self.next.value
        if sign == "-" and not isinstance(value, str):
            self.place += 1
            return Constant(-value), 0
        return Operation(sign, (self.term(PREFIX[sign]),)), PREFIX[sign]

    def sequence(self, closing: str) -> Iterator[Parsed]:
        """Terms between commas, up to the closing bracket."""
        if closing == "]" and self.at("]"):
            self.place += 1
            return
        while True:
            yield self.term(ARGUMENT_LEVEL)
            if not self.at(","):
                self.expect(closing)
                return
            self.place += 1

    def expect(self, symbol: str) -> None:
        if not self.at(symbol):
            raise self.error(f"; {symbol!r} is missing before it")
        self.place += 1

    def too_deep(self) -> ValueError:
        return self.whole.error(
            self.tokens[0].start,
            f"the clause that starts here has terms more than {MOST_DEPTH} deep; write it flatter.",
        )

    def error(self, hint: str = "; look for a missing comma, bracket or full stop before it") -> ValueError:
        token = self.next
        shown = "the full stop" if token.kind == "end" else repr(self.whole.text[token.start : token.stop])
        return self.whole.error(token.start, f"{shown} is not expected here{hint}.")


def as_constant(term: Parsed) -> Constant | None:
    """The term as a value: a number, a name, or a compound of such, named by its text; None for lists and variables."""
    if isinstance(term, Constant):
        return term
    if not isinstance(term, (Compound, Operation)):
        return None
    parts = [as_constant(part) for part in parts_of(term)]
    if None in parts:
        return None
    texts = [str(part.value) for part in parts if part is not None]
    if isinstance(term, Compound):
        return Constant(f"{term.name}({','.join(texts)})")
    return Constant(term.operator.join(texts if len(texts) > 1 else ("", *texts)))


def conjuncts(term: Parsed) -> list[Parsed]:
    """The parts of a conjunction, in order."""
    return chained(term, ",")


def chained(term: Parsed, operator: str) -> list[Parsed]:
    """The parts between the operators of a chain, in order."""
    parts = []
    while isinstance(term, Operation) and term.operator == operator and len(term.arguments) == 2:
        parts.append(term.arguments[0])
        term = term.arguments[1]
    return [*parts, term]


def is_shallow(term: Parsed | None) -> bool:
    """Whether no part of a term is deeper inside of it than is allowed; level by level."""
    level, depth = [term], 0
    while level and depth <= MOST_DEPTH:
        inside = (parts_of(part) for part in level)
        level, depth = [part for parts in inside for part in parts], depth + 1
    return not level


def parts_of(term: Parsed | None) -> Sequence[Parsed]:
    """What stands directly inside of a term; all that a chain holds together stands directly in it."""
    if isinstance(term, Operation) and term.operator in CHAINS:
        return chained(term, term.operator)
    if isinstance(term, (Compound, Operation)):
        return term.arguments
    return term.items if isinstance(term, ListTerm) else ()
