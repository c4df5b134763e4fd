"""Several relations, and how to get them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from petree.relational.bias.modes import Bias
from petree.relational.comparisons import ComparisonRule
from petree.relational.in_database import refuse
from petree.relational.kept import KeptArrays
from petree.relational.links import Link, link_between
from petree.relational.reading.schema_pictures import AsksForColumns, schema_dot, schema_mermaid
from petree.relational.relations import ROW, Relation
from petree.relational.tables import lookups
from petree.relational.tables.building import DeclaredKeys, build
from petree.relational.tables.integrity import LinkCheck
from petree.relational.tables.schema import ForeignKey, read_place
from petree.relational.tables.undirected import as_tables, hidden

if TYPE_CHECKING:
    from petree.relational.in_database.server import Server
    from petree.relational.prolog.programs import Files, Options
    from petree.relational.tables.frames import Frame
    from petree.relational.tables.lookups import Keys
    from petree.relational.tables.schema import Link as Relationship
    from petree.relational.tables.schema import Place
    from petree.relational.tables.sql.connections import Address
    from petree.relational.tables.sql.reading import Declarations

__all__ = ["ROW", "Database", "ForeignKey"]

End = tuple[str, tuple[int, ...]]  # a table, and places of its columns


class Declared(TypedDict, total=False):
    """Attributes of a database that may be given along with its relations."""

    conditions: dict[str, ComparisonRule]
    target: str | None
    bias: Bias | None
    settings: Mapping[str, Any]
    checks: tuple[LinkCheck, ...]


class Database:
    """Tables by name, the links between them, and what was declared along with them.

    Parameters
    ----------
    tables : dict
        A data frame, or a dict of arrays, for each name. Text, booleans and categories are nominal; dates are numbers
        of days since the beginning of 1970, and tests speak of them as dates.
    links : sequence
        Which columns point to which: ``"atom.molecule_id -> molecule.id"`` or ``("atom.molecule_id", "molecule.id")``,
        and of several columns ``"visit(clinic, day) -> opening(clinic, day)"`` or ``(("visit", ("clinic", "day")),
        ("opening", ("clinic", "day")))``. What is pointed to must tell the rows of its table apart. Keys that are
        missing fit nothing, nor do those that dangle, of which a warning tells. ``"bond.atom1 -- bond.atom2"`` says
        that both point to the same table and may change places: rows are found from either end.
    keys : dict, optional
        The column, or columns, that tell the rows of a table apart. A table without any, to which nothing points
        either, gets a last column ``#row`` that numbers its rows.
    time : dict, optional
        The column of a table that says since when a row is known: numbers or dates. The table of the examples needs
        one too: tests see no rows later than the time of their example.
    leave_out : sequence, optional
        Columns that are not read, such as ``"atom.note"``.

    Attributes
    ----------
    relations : dict of Relation
    foreign_keys : tuple of ForeignKey
    checks : tuple of LinkCheck
        How many rows of each link point nowhere.
    conditions : dict of ComparisonRule
        Predicates of a Prolog program that compare.
    target : str or None
        The column to predict, like ``"molecule.class"``, where it was declared.
    bias : Bias or None
        What a tree may ask, where it was declared.
    settings : dict
        All else that was declared.
    server : Server or None
        What answers questions where the tables stay in their database.
    kept : dict
        What was found out about the database as a whole, and what fits leave to later ones, up to 500 MB.
    arrays : KeptArrays
        What was found out about its rows, up to 500 MB; copies begin without both.

    Examples
    --------
    >>> from petree.relational.database import Database
    >>> database = Database(
    ...     {
    ...         "molecule": {"id": ["m1", "m2"], "class": ["active", "inactive"]},
    ...         "atom": {"molecule_id": ["m1", "m1", "m2"], "element": ["c", "o", "c"]},
    ...     },
    ...     links=["atom.molecule_id -> molecule.id"],
    ... )
    >>> print(database.report())
    molecule(id, class): 2 rows
    atom(molecule_id, element): 3 rows
    atom.molecule_id -> molecule.id: 3 rows
    """

    def __init__(
        self,
        tables: Mapping[str, Frame],
        links: Iterable[Relationship] = (),
        keys: DeclaredKeys | None = None,
        time: Mapping[str, str] | None = None,
        leave_out: Iterable[Place] = (),
    ) -> None:
        built = build(tables, links, keys, time, leave_out=leave_out)
        self._set(built.relations, built.foreign_keys, checks=built.checks)

    def _set(
        self,
        relations: dict[str, Relation],
        foreign_keys: tuple[ForeignKey, ...] = (),
        conditions: dict[str, ComparisonRule] | None = None,
        target: str | None = None,
        bias: Bias | None = None,
        settings: Mapping[str, Any] | None = None,
        checks: tuple[LinkCheck, ...] = (),
    ) -> None:
        self.relations = relations
        self.foreign_keys = foreign_keys
        self.conditions = conditions or {}
        self.target = target
        self.bias = bias
        self.settings = settings or {}
        self.checks = checks
        self.server: Server | None = None
        self.kept: dict[Any, Any] = {}
        self.arrays = KeptArrays()
        self._links: dict[tuple[Any, ...], Link] = {}

    @classmethod
    def from_relations(
        cls, relations: dict[str, Relation], foreign_keys: tuple[ForeignKey, ...] = (), **declared: Unpack[Declared]
    ) -> Database:
        """A database of relations that are there already."""
        database = cls.__new__(cls)
        database._set(relations, foreign_keys, **declared)
        return database

    @classmethod
    def from_url(
        cls,
        url: Address,
        tables: Iterable[str] | None = None,
        schema: str | None = None,
        *,
        in_database: bool = False,
        **declared: Unpack[Declarations],
    ) -> Database:
        """Tables of a database that SQLAlchemy can reach: SQLite, PostgreSQL, DuckDB.

        Parameters
        ----------
        url : str or Engine
            Like ``"sqlite:///molecules.db"`` or ``"postgresql+psycopg://user@host/name"``.
        tables : sequence of str, optional
            Tables or views to read; all tables unless given.
        schema : str, optional
            Where the tables are, if not where the database looks first.
        in_database : bool, default=False
            Leave the tables there: a `RelationalTreeClassifier` asks for numbers instead of reading all rows.
        links : sequence, optional
            As in `Database`; else, and beside links without a direction, the foreign keys that the database declares.
        keys : dict, optional
            As in `Database`, in addition to, or instead of, the primary keys that the database declares.
        time, leave_out
            As in `Database`.
        """
        from petree.relational.tables.sql.reading import Told, read_sql

        told = Told(tables, schema, **declared)
        if in_database:
            from petree.relational.in_database.opening import open_database

            return open_database(url, told)
        return cls(*read_sql(url, told).with_told(told))

    @classmethod
    def from_ace(cls, path: str | Path) -> Database:
        """The application of a folder of ACE's files, or of its settings file (``.s``), with target and bias."""
        from petree.relational.prolog.ace import read_ace

        return read_ace(path)

    @classmethod
    def from_prolog(cls, paths: Files, target: str, **declared: Unpack[Options]) -> Database:
        """Facts and rules of Prolog files; `petree.relational.prolog.programs` tells what can be declared."""
        from petree.relational.prolog.programs import read_prolog

        return read_prolog(paths, target, **declared)

    def to_sql(self, url: Address) -> None:
        """Write every relation as a table into the database of a SQLAlchemy URL or engine."""
        refuse(self, "to_sql")
        from petree.relational.tables.sql.writing import write_sql

        write_sql(*as_tables(self.relations, self.foreign_keys), url)

    # -- relations and links ---------------------------------------------------------------------------------------

    def relation(self, name: str) -> Relation:
        """A relation by its name."""
        if name not in self.relations:
            known = ", ".join(self.relations)
            raise ValueError(f"The database has no table {name!r}; it has {known}.")
        return self.relations[name]

    def link(self, left: str, left_columns: Sequence[int], right: str, right_columns: Sequence[int]) -> Link:
        """Rows of the right relation that agree with each row of the left one in these columns; made once."""
        refuse(self, "A link")
        key = (left, tuple(left_columns), right, tuple(right_columns))
        if key not in self._links:
            self._links[key] = link_between(self.relation(left), left_columns, self.relation(right), right_columns)
        return self._links[key]

    def keys_of(self, table: str) -> list[ForeignKey]:
        """The foreign keys of a table."""
        return [key for key in self.foreign_keys if key.table == table]

    def ends(self, key: ForeignKey) -> tuple[End, End]:
        """Both ends of a foreign key: the tables, and the places of their columns."""
        here = self.relation(key.table).places(key.columns)
        there = self.relation(key.to_table).places(key.to_columns)
        return (key.table, here), (key.to_table, there)

    def report(self) -> str:
        """The tables, and how many rows of each link point nowhere."""
        lines = [relation.described() for relation in self.relations.values()]
        return "\n".join([*lines, *map(str, self.checks)])

    def to_mermaid(self, model: AsksForColumns | None = None) -> str:
        """The tables and their links in Mermaid's language; what a fitted tree asks for is marked, if one is given."""
        return schema_mermaid(self.relations, self.foreign_keys, {} if model is None else model.asked_columns())

    def to_graphviz(self, model: AsksForColumns | None = None) -> str:
        """The same picture in Graphviz's language."""
        return schema_dot(self.relations, self.foreign_keys, {} if model is None else model.asked_columns())

    # -- examples --------------------------------------------------------------------------------------------------

    def examples(self, table: str) -> Relation:
        """A relation with its rows in memory."""
        return self.relation(table) if self.server is None else self.server.examples(self.relation(table))

    def keys(self, table: str) -> NDArray[Any] | list[tuple[Any, ...]]:
        """The key of every row of a table: an array, or tuples where the key has several columns."""
        return lookups.key_values(self.examples(table))

    def rows(self, table: str, keys: Keys) -> NDArray[np.int32]:
        """The rows of a table with these keys: an array or a series; of several columns tuples or a 2D array."""
        return lookups.rows_of_keys(self.examples(table), keys)

    def labels(self, column: str) -> NDArray[Any]:
        """The values of a column such as ``"molecule.class"``, which must have one in every row."""
        names = {name: relation.names for name, relation in self.relations.items()}
        table, columns = read_place(column, names)
        return lookups.label_values(self.examples(table), columns[0])

    def hiding(self, table: str, column: str) -> Database:
        """The same without a column of a table, such as the class, and the links of that column; made once."""
        key = ("hiding", table, column)
        if key not in self.kept:
            other = self.with_relations(hidden(self.relations, table, column))
            other._links = {}  # columns have moved
            kept = (one for one in self.foreign_keys if one.table != table or column not in one.columns)
            other.foreign_keys = tuple(kept)
            self.kept[key] = other
        return self.kept[key]

    def with_relations(self, relations: dict[str, Relation]) -> Database:
        """The same with other relations whose keys are where they were, so that links need not be found again."""
        other = copy(self)
        other.relations = relations
        other.checks = ()
        other._links = dict(self._links)  # its own, since it may have relations that this one has not
        return other

    # -- copies ----------------------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_links": {}, "kept": {}, "arrays": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state | {"arrays": KeptArrays()})

    def __sklearn_clone__(self) -> Database:
        """Clones of an estimator share the database."""
        return self
