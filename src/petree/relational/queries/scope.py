"""What a query can speak of: the rows it has found, its variables, and how one more literal is joined to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from petree.caching import cached_property
from petree.relational.database import Database
from petree.relational.kept import KeptArrays
from petree.relational.queries.terms import Atom, Constant, Literal, Term, Variable, fresh_variables
from petree.relational.relations import Relation, RelationColumn
from petree.words import counted

# Stands for the example in relations whose rows belong to examples without saying so.
EXAMPLE = Variable("$example")

# Bytes of what was found out about values.
MOST_BYTES = 50_000_000

# Where a value can be read: which of the query's rows, and which of its columns.
Place = tuple[int, int]
Places = tuple[Place, ...]
Signature = tuple[tuple[str, ...], tuple[Variable, ...], tuple[Places, ...], tuple[Variable, ...]]


@dataclass(frozen=True)
class Step:
    """How an atom is joined: rows that fit one of the query's rows, then what else must agree.

    Parameters
    ----------
    relation : str
    row : int
        Which of the query's rows it is joined to.
    left, right : tuples of int
        Columns of that row, and of the relation, that are equal.
    is_same : bool
        Whether the row itself is what the atom speaks of, so that nothing is joined.
    agree : tuple of (Place, int)
        Values that a column of the relation must equal.
    repeated : tuple of (int, int)
        Columns of the relation that must equal each other.
    constants : tuple of (int, Constant)
        Columns of the relation that have a value.
    """

    relation: str
    row: int
    left: tuple[int, ...]
    right: tuple[int, ...]
    is_same: bool
    agree: tuple[tuple[Place, int], ...]
    repeated: tuple[tuple[int, int], ...]
    constants: tuple[tuple[int, Constant], ...]

    @property
    def equalities(self) -> list[tuple[Place, int]]:
        """Places of the query, and the columns of the relation that are equal to them."""
        joined = [((self.row, left), right) for left, right in zip(self.left, self.right, strict=True)]
        return [*joined, *self.agree]


@dataclass(frozen=True)
class Scope:
    """The rows of a query, by their relations, and all places at which each variable can be read.

    Row 0 is the example itself. Variables that are `forgotten` lend their names to no others. `lookups` has what was
    found out about values, up to 50 MB; all scopes of one empty query share it, and copies begin without.
    """

    database: Database = field(repr=False, compare=False)
    relations: tuple[str, ...]
    places: Mapping[Variable, tuple[Place, ...]]
    forgotten: tuple[Variable, ...] = ()
    _known: dict[Atom, tuple[Step, Scope | None]] = field(default_factory=dict, repr=False, compare=False)
    _others: dict[Signature, Scope] = field(default_factory=dict, repr=False, compare=False)
    lookups: KeptArrays = field(default_factory=lambda: KeptArrays(MOST_BYTES), repr=False, compare=False)

    @classmethod
    def of_target(cls, database: Database, target: str) -> Scope:
        """The scope of the empty query: the example, known by its key, and what its foreign keys point to."""
        relation = database.relation(target)
        named = [
            *relation.keys[0],
            *(place for key in database.keys_of(target) for place in relation.places(key.columns)),
        ]
        if any(one.of_examples for one in database.relations.values()):
            named = []  # examples are models, which queries never mention
        columns = dict.fromkeys(named)
        places = {variable: ((0, column),) for variable, column in zip(fresh_variables(()), columns, strict=False)}
        return cls(database, (target,), {EXAMPLE: ((0, relation.keys[0][0]),), **places})

    def __reduce__(self) -> tuple[Any, ...]:
        return Scope, (self.database, self.relations, self.places, self.forgotten)

    @cached_property
    def signature(self) -> Signature:
        """All that tells it from other scopes of the database."""
        return self.relations, tuple(self.places), tuple(self.places.values()), self.forgotten

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """All variables, in the order in which they came."""
        return tuple(variable for variable in self.places if variable != EXAMPLE)

    @property
    def named(self) -> tuple[Variable, ...]:
        """All variables whose names are taken."""
        return (*self.variables, *self.forgotten)

    def type_of(self, variable: Variable) -> str:
        """Name of the domain of a variable."""
        return self.column_of(variable).domain.name

    @property
    def n_beside(self) -> int:
        """How many scopes there are of the same empty query."""
        return len(self._others)

    def relation(self, row: int) -> Relation:
        return self.database.relation(self.relations[row])

    def place_of(self, variable: Variable) -> Place:
        """The first place at which a variable can be read."""
        if variable not in self.places:
            raise ValueError(f"The variable {variable} is compared, but no literal before says what it is.")
        return self.places[variable][0]

    def column_at(self, place: Place) -> RelationColumn:
        """The column of a place."""
        return self.relation(place[0]).columns[place[1]]

    def column_of(self, variable: Variable) -> RelationColumn:
        """The column at which a variable is read."""
        return self.column_at(self.place_of(variable))

    def columns_at(self, variable: Variable, row: int) -> tuple[int, ...]:
        """The columns of one row at which a variable can be read."""
        return tuple(column for at, column in self.places.get(variable, ()) if at == row)

    def step(self, atom: Atom) -> Step:
        """How an atom is joined to what is there."""
        known = self._known.get(atom)
        if known is None:
            known = self._known[atom] = self._step(atom), None
        return known[0]

    def most_matches(self, atom: Atom) -> int:
        """The most rows that an atom is joined to, of one answer."""
        step = self.step(atom)
        if step.is_same:
            return 1
        return self.database.link(self.relations[step.row], step.left, step.relation, step.right).most

    def join(self, atom: Atom) -> tuple[Step, Scope]:
        """How an atom is joined to what is there, and the scope once it is part of the query."""
        step, scope = self._known.get(atom, (None, None))
        if step is None or scope is None:  # most atoms are never part of a query
            step = self.step(atom)
            scope = self._extend(atom, step)
            self._known[atom] = step, scope
        return step, scope

    def extend(self, literals: Iterable[Literal]) -> Scope:
        """The scope once some literals are part of the query."""
        scope = self
        for literal in literals:
            scope = scope.join(literal)[1] if isinstance(literal, Atom) else scope
        return scope

    def n_rows_with(self, atoms: Sequence[Atom]) -> int:
        """How many rows the query has once some atoms are part of it."""
        if not atoms:
            return len(self.relations)
        before = self.extend(atoms[:-1])
        is_new = atoms[-1].relation not in before.relations or not before.step(atoms[-1]).is_same
        return len(before.relations) + is_new

    def of_row(self, relation: str, places: Mapping[Variable, Places]) -> Scope:
        """What can be said of a row of a relation by itself."""
        return self._shared((relation,), places, ())

    @cached_property
    def alone(self) -> Scope:
        """What is left where all rows but the example's own are forgotten."""
        own = {one: tuple(place for place in places if place[0] == 0) for one, places in self.places.items()}
        places = {variable: found for variable, found in own.items() if found}
        forgotten = (*self.forgotten, *(one for one, found in own.items() if not found))
        return self._shared(self.relations[:1], places, forgotten)

    @cached_property
    def found(self) -> frozenset[Variable | None]:
        """The variables of rows beside the example's own."""
        return frozenset(self.places.keys() - self.alone.places.keys())

    def _step(self, atom: Atom) -> Step:
        relation = self.database.relation(atom.relation)
        named = named_columns(relation, atom)
        bound = [(term, column) for column, term in named if term in self.places]
        row, pairs, is_same = self._best_row(relation, bound)
        joined = {column for _, column in pairs}
        new: dict[Variable, int] = {}
        repeated = []
        for column, term in named:
            if term not in self.places and new.setdefault(term, column) != column:
                repeated.append((new[term], column))
        return Step(
            atom.relation,
            row,
            tuple(left for left, _ in pairs),
            tuple(right for _, right in pairs),
            is_same,
            tuple((self.place_of(term), column) for term, column in bound if column not in joined),
            tuple(repeated),
            tuple((column + relation.of_examples, term) for column, term in atom.constants),
        )

    def _best_row(
        self, relation: Relation, bound: list[tuple[Variable, int]]
    ) -> tuple[int, list[tuple[int, int]], bool]:
        """The row that an atom is joined to, the columns that are then equal, and whether the atom speaks of that row.

        A row that it speaks of comes first, then the one that knows most of its variables, then the earliest, which
        most others have come from.
        """
        best: tuple[int, list[tuple[int, int]], bool] = (0, [], False)
        for row in range(len(self.relations)):
            pairs = []
            for term, column in bound:
                if here := self.columns_at(term, row):
                    pairs.append((column if column in here else here[0], column))
            is_same = self.relations[row] == relation.name and _is_key(relation, pairs)
            if (is_same, len(pairs)) > (best[2], len(best[1])):
                best = (row, pairs, is_same)
        return best

    def _extend(self, atom: Atom, step: Step) -> Scope:
        row = step.row if step.is_same else len(self.relations)
        relations = self.relations if step.is_same else (*self.relations, atom.relation)
        places = dict(self.places)
        for column, term in named_columns(self.database.relation(atom.relation), atom):
            known = places.get(term, ())
            if (row, column) not in known:
                places[term] = (*known, (row, column))
        return self._shared(relations, places, self.forgotten)

    def _shared(
        self, relations: tuple[str, ...], places: Mapping[Variable, tuple[Place, ...]], forgotten: tuple[Variable, ...]
    ) -> Scope:
        """A scope beside this one, the same for all queries of its form."""
        scope = Scope(self.database, relations, places, forgotten, _others=self._others, lookups=self.lookups)
        return self._others.setdefault(scope.signature, scope)


def named_columns(relation: Relation, atom: Atom) -> list[tuple[int, Variable]]:
    """The columns that an atom has variables for, the example's among them."""
    check_arguments(relation, atom)
    if not relation.of_examples:
        return list(atom.named_places)
    return [(0, EXAMPLE), *((place + 1, variable) for place, variable in atom.named_places)]


def arguments_of(relation: Relation, atom: Atom) -> tuple[Term, ...]:
    """One term a column: where rows belong to examples without saying so, the example comes first."""
    check_arguments(relation, atom)
    return (EXAMPLE, *atom.arguments) if relation.of_examples else atom.arguments


def check_arguments(relation: Relation, atom: Atom) -> None:
    """Raise where an atom has more or fewer arguments than its relation has columns."""
    if len(atom.arguments) != len(relation.written):
        raise ValueError(
            f"{atom} has {counted(len(atom.arguments), 'argument')}, but {relation.name!r} has "
            f"{counted(len(relation.written), 'column')}."
        )


def _is_key(relation: Relation, pairs: list[tuple[int, int]]) -> bool:
    """Whether columns that equal themselves tell the rows apart."""
    same = {left for left, right in pairs if left == right}
    return any(same.issuperset(key) for key in relation.keys)
