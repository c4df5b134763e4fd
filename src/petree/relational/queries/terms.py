"""Queries as they are written: variables, constants, and the literals that make up a test.

A query is a conjunction of literals in Prolog's notation: ``atom(A, B, c, C, D), D < -0.2``. Its variables,
capital letters, stand for values, and ``_`` for one that is never named again. The text of a test reads back as the
same literals (`petree.relational.prolog.syntax.literals.parse_literals`), so the text is all that a tree needs to keep.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from typing import Any, NamedTuple

from petree.caching import cached_property

# Comparisons as they are written, and what each is called when its sides change places.
OPERATORS = {"=": "=", "\\=": "\\=", "<": ">", ">": "<", "=<": ">=", ">=": "=<"}
# Functions over the rows that an atom matches; only `count` needs no variable.
FUNCTIONS = ("count", "proportion", "min", "max", "sum", "mean", "mode")
# Stands beside them for functions over the rows that fit a condition.
COMPLEX = "complex"
# The same for functions over the rows behind two links, one after the other.
TWO_LINKS = "two_links"
# All that may be asked for by name.
NAMES_OF_FUNCTIONS = (*FUNCTIONS, COMPLEX, TWO_LINKS)
# Those of dates that are dates again.
OF_DATES = ("min", "max", "mean", "mode")

PLAIN_NAME = re.compile(r"[a-z][A-Za-z0-9_]*\Z")


class Variable(str):
    """A variable, known by its name; ``_`` stands for another value wherever it is written.

    It is a text, since queries are looked up by their variables very often, and texts know their hashes.
    """

    __slots__ = ()
    __match_args__ = ("name",)

    def __repr__(self) -> str:
        return f"Variable({self.name!r})"

    @property
    def name(self) -> str:
        return str(self)

    @property
    def is_anonymous(self) -> bool:
        return self == "_"


ANONYMOUS = Variable("_")


@dataclass(frozen=True)
class Constant:
    """A value: a number, a boolean, or a name, which is quoted where Prolog asks for it.

    The boolean ``true`` is not the number 1: equal constants have the same text.
    """

    value: str | int | float | bool

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Constant):
            return NotImplemented
        return self.value == other.value and isinstance(self.value, bool) is isinstance(other.value, bool)

    def __hash__(self) -> int:  # thresholds are looked up by all their values
        return hash(self.value)

    def __str__(self) -> str:
        return quoted(self.value)


Term = Variable | Constant


def quoted(value: object) -> str:
    """A value in Prolog's notation."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value + 0).removesuffix(".0")  # -0.0 equals 0.0
    text = str(value)
    if PLAIN_NAME.match(text):
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


class Predicate(NamedTuple):
    """A name and a number of arguments."""

    name: str
    arity: int

    def __str__(self) -> str:
        return f"{self.name}/{self.arity}"


def named_variables(terms: Iterable[object]) -> Iterator[tuple[int, Variable]]:
    """The variables among some terms that have a name, each with its place."""
    for place, term in enumerate(terms):
        if isinstance(term, Variable) and term != ANONYMOUS:
            yield place, term


@dataclass(frozen=True)
class Atom:
    """``relation(argument, ...)``: some row of the relation has these values."""

    relation: str
    arguments: tuple[Term, ...]

    def __hash__(self) -> int:
        known: int | None = self.__dict__.get("hash")
        if known is None:  # kept by hand, since a cached property takes longer than the hash of a few terms
            known = self.__dict__["hash"] = hash((self.relation, self.arguments))
        return known

    def __reduce__(self) -> tuple[Any, ...]:  # hashes of texts differ from process to process
        return Atom, (self.relation, self.arguments)

    def __str__(self) -> str:
        if not self.arguments:
            return quoted(self.relation)
        return f"{quoted(self.relation)}({', '.join(map(str, self.arguments))})"

    @property
    def predicate(self) -> Predicate:
        return Predicate(self.relation, len(self.arguments))

    @property
    def named_places(self) -> tuple[tuple[int, Variable], ...]:
        """Its named variables, each with its place."""
        return self._parts[0]

    @property
    def constants(self) -> tuple[tuple[int, Constant], ...]:
        """Its constants, each with its place."""
        return self._parts[1]

    @cached_property
    def _parts(self) -> tuple[tuple[tuple[int, Variable], ...], tuple[tuple[int, Constant], ...]]:
        """Its named variables and its constants, in one go: both are asked for of most atoms."""
        named = []
        constants = []
        for place in self._told:
            term = self.arguments[place]
            if isinstance(term, Constant):
                constants.append((place, term))
            elif term != ANONYMOUS:
                named.append((place, term))
        return tuple(named), tuple(constants)

    @cached_property
    def _told(self) -> tuple[int, ...]:
        """The places of what it says, which may be one argument of hundreds."""
        return tuple([place for place, one in enumerate(self.arguments) if one is not ANONYMOUS])

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """Its named variables, in order, each once."""
        return tuple(dict.fromkeys(variable for _, variable in self.named_places))

    @property
    def named(self) -> tuple[Variable, ...]:
        """All variables that have a name."""
        return self.variables

    def renamed(self, names: Mapping[Term, Term]) -> Atom:
        """The atom with other terms in the place of some."""
        terms = list(self.arguments)
        for place in self._told:
            terms[place] = names.get(terms[place], terms[place])
        atom = Atom(self.relation, tuple(terms))
        atom.__dict__["_told"] = self._told  # names say as much as what they stand for
        return atom

    def with_argument(self, place: int, term: Term) -> Atom:
        """The atom with another argument at one place."""
        return Atom(self.relation, (*self.arguments[:place], term, *self.arguments[place + 1 :]))


@dataclass(frozen=True)
class Comparison:
    """``left operator right``, of a variable with another one of its type or with a constant.

    Another variable may be less a number, as in ``S > U - 90``, where both are numbers or both are dates.
    """

    left: Variable
    operator: str
    right: Term
    less: float = 0

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}{f' - {quoted(self.less)}' if self.less else ''}"

    def renamed(self, names: Mapping[Term, Term]) -> Comparison:
        """The comparison with other terms in the place of some, but a variable on the left."""
        left = names.get(self.left, self.left)
        assert isinstance(left, Variable)
        return Comparison(left, self.operator, names.get(self.right, self.right), self.less)

    @property
    def named(self) -> tuple[Variable, ...]:
        """All variables that have a name."""
        return self.variables

    @property
    def variables(self) -> tuple[Variable, ...]:
        return (self.left, self.right) if isinstance(self.right, Variable) else (self.left,)


@dataclass(frozen=True)
class Aggregation:
    """``function(variable, atom, condition, ...) operator value``: a function over the rows that the atom matches.

    With atoms `through` which these are reached, ``function(variable, (through, atom), condition, ...)``, it is over
    the rows at the end of the chain, and a row counts as often as a way leads to it. It counts only if the conjunction
    of the `conditions` has an answer for it, and then once. `count` needs no variable; the `proportion` is that of rows
    in which the variable has the value of `share`; `mode` is the most frequent value of the variable, the first of
    equals. Without rows count and sum are 0 and all others undefined, which no comparison holds of.
    """

    function: str
    variable: Variable | None
    atom: Atom
    operator: str
    value: Constant
    share: Constant | None = None
    conditions: tuple[Atom | Comparison, ...] = ()
    through: tuple[Atom, ...] = ()

    def __str__(self) -> str:
        rows = f"({text_of(self.chain)})" if self.through else str(self.atom)
        inside = ", ".join([rows, *map(str, self.conditions)])
        if self.share is not None:
            inside = f"{self.variable} = {self.share}, {inside}"
        elif self.variable is not None:
            inside = f"{self.variable}, {inside}"
        return f"{self.function}({inside}) {self.operator} {self.value}"

    def renamed(self, names: Mapping[Term, Term]) -> Aggregation:
        """The aggregation with other terms in the place of some, but variables where it has them."""
        variable = None if self.variable is None else names.get(self.variable, self.variable)
        assert variable is None or isinstance(variable, Variable)
        return replace(
            self,
            variable=variable,
            atom=self.atom.renamed(names),
            conditions=tuple(one.renamed(names) for one in self.conditions),
            through=tuple(one.renamed(names) for one in self.through),
        )

    @property
    def variables(self) -> tuple[Variable, ...]:
        found = (one for literal in (*self.chain, *self.conditions) for one in literal.variables)
        return tuple(dict.fromkeys(one for one in found if one != self.variable))

    @property
    def named(self) -> tuple[Variable, ...]:
        """All variables that have a name, that of which it is a function among them."""
        own = () if self.variable is None else (self.variable,)
        return tuple(dict.fromkeys((*own, *self.variables)))

    @property
    def chain(self) -> tuple[Atom, ...]:
        """The atoms that lead to its rows, the last of which matches them."""
        return (*self.through, self.atom)

    @property
    def atoms(self) -> list[Atom]:
        """The atoms that lead to its rows, and those of its conditions."""
        return [*self.chain, *(one for one in self.conditions if isinstance(one, Atom))]


Literal = Atom | Comparison | Aggregation


def text_of(literals: Iterable[Literal]) -> str:
    """A conjunction as text."""
    return ", ".join(map(str, literals))


def fresh_variables(taken: Iterable[Variable]) -> Iterator[Variable]:
    """Variables A, B, ..., Z, A1, B1, ... that are not taken yet."""
    names = frozenset(taken)
    for number in count():
        variable = _variable(number)
        if variable not in names:
            yield variable


@cache
def _variable(number: int) -> Variable:
    """One of A, B, ..., Z, A1, B1, ..., the same object for all queries."""
    return Variable(chr(ord("A") + number % 26) + (str(number // 26) if number >= 26 else ""))
