"""Terms of Prolog, read from tokens by the precedence of the operators."""

from __future__ import annotations

from collections.abc import Iterator

from petree.relational.prolog.syntax.terms import (
    CHAINS,
    MOST_DEPTH,
    Compound,
    ListTerm,
    Operation,
    Parsed,
    is_shallow,
)
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
ARGUMENT_LEVEL = 999
CLAUSE_LEVEL = 1200


class Parser:
    """Reads the tokens of one clause by the precedence of its operators."""

    def __init__(self, whole: Text, tokens: list[Token]):
        self.whole = whole
        self.tokens = tokens
        self.place = 0
        self.depth = 0

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
            held = level
            if operator in CHAINS:
                left = self.chain(operator, left)
            else:
                self.place += 1
                left = Operation(operator, (left, self.term(right_most)))
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
        match token.kind, token.value:
            case "number", number:
                return Constant(number), 0
            case "variable", name:
                return Variable(str(name)), 0
            case (("name" | "quoted"), _):
                return self.named(token), 0
            case "symbol", "(":
                inside = self.term(CLAUSE_LEVEL)
                self.expect(")")
                return inside, 0
            case "symbol", "[":
                return ListTerm(tuple(self.sequence("]"))), 0
            case "symbol", symbol if symbol in BARE:
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
