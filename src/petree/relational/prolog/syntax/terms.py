"""Terms of Prolog: compounds, operators with their sides, and lists, beside variables and constants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petree.relational.queries.terms import Constant, Variable

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


def as_constant(term: Parsed) -> Constant | None:
    """The term as a value: a number, a name, or a compound of such, named by its text; None for lists and variables."""
    if isinstance(term, Constant):
        return term
    parts = [as_constant(part) for part in parts_of(term)]
    texts = [str(part.value) for part in parts if part is not None]
    if len(texts) < len(parts):
        return None
    match term:
        case Compound():
            return Constant(f"{term.name}({','.join(texts)})")
        case Operation():
            return Constant(term.operator.join(texts if len(texts) > 1 else ("", *texts)))
    return None


def chained(term: Parsed, operator: str = ",") -> list[Parsed]:
    """The parts between the operators of a chain, in order; those of a conjunction unless another one is named."""
    parts = []
    while isinstance(term, Operation) and term.operator == operator and len(term.arguments) == 2:
        parts.append(term.arguments[0])
        term = term.arguments[1]
    return [*parts, term]


def is_shallow(term: Parsed | None) -> bool:
    """Whether no part of a term is deeper inside of it than is allowed; level by level."""
    level = [term]
    depth = 0
    while level and depth <= MOST_DEPTH:
        level = [part for whole in level for part in parts_of(whole)]
        depth += 1
    return not level


def parts_of(term: Parsed | None) -> Sequence[Parsed]:
    """What stands directly inside of a term; all that a chain holds together stands directly in it."""
    match term:
        case Operation() if term.operator in CHAINS:
            return chained(term, term.operator)
        case Compound() | Operation():
            return term.arguments
        case ListTerm():
            return term.items
    return ()
