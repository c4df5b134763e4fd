"""What a model file keeps of a database: the names of tables, columns, keys and links, and no rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from petree.estimators.relational.learner import ExampleLearner
from petree.relational import Bias, Database
from petree.relational.relations import (
    KEY,
    MISSING,
    NOMINAL,
    NUMBER,
    BothWays,
    Domain,
    Relation,
    RelationColumn,
    is_sorted,
    kind_of,
)
from petree.relational.tables.schema import ForeignKey
from petree.storage.values import DamagedFileError, Json, Record, as_list, as_record, as_text, is_whole, require

# What a column holds, and values that stand for all of them.
SAMPLES: dict[str, tuple[Any, ...]] = {"number": (), "boolean": (False, True), "text": ("",)}


def stored_parameters(model: ExampleLearner) -> dict[str, Any]:
    """Parameters of a relational tree without its database; a bias becomes its text."""
    if model.get_params(deep=False).get("known_labels"):
        raise ValueError(
            "A tree with known_labels asks for the classes of its training examples, which a model file does not "
            "keep; pickle the model."
        )
    parameters = {name: value for name, value in model.get_params(deep=False).items() if name != "database"}
    if isinstance(model.bias, Bias):
        parameters["bias"] = str(model.bias)
    return parameters | {"target": model.target_}


# -- writing --------------------------------------------------------------------------------------------------


def write_schema(database: Database) -> Record:
    """A database without its rows, as JSON data."""
    links = [[link.table, link.columns, link.to_table, link.to_columns] for link in database.foreign_keys]
    return {"relations": list(map(_write_relation, database.relations.values())), "links": links}


def _write_relation(relation: Relation) -> Record:
    written: Record = {"name": relation.name, "columns": [_write_column(one) for one in relation.columns]}
    written["keys"] = relation.keys
    if relation.time is not None:
        written["time"] = relation.time
    if relation.both_ways is not None:
        written["both_ways"] = list(relation.both_ways)
    return written | ({"of_examples": True} if relation.of_examples else {})


def _write_column(column: RelationColumn) -> Record:
    """Name and type; the values only of texts that have an order of their own."""
    written: Record = {"name": column.name, "kind": column.kind, "type": kind_of(column.domain)}
    is_ordered = column.domain.is_ordered
    if column.kind == NOMINAL and written["type"] == "text" and (is_ordered or not is_sorted(column.domain)):
        written["values"] = list(map(str, column.domain.values))
    if is_ordered:
        written["ordered"] = True
    if column.kind == KEY and (column.codes == MISSING).any():
        written["gaps"] = True
    if written["type"] == "number":
        written["date"] = column.is_date
    return written


# -- reading --------------------------------------------------------------------------------------------------


def read_schema(data: Json) -> Database:
    """The database that `write_schema` wrote, without rows."""
    complaint = "its schema is not a record"
    fields = as_record(data, complaint, ("relations", "links"))
    links = as_list(fields["links"], complaint)
    read = list(map(_read_relation, as_list(fields["relations"], complaint)))
    relations = {relation.name: relation for relation in read}
    require(len(relations) == len(read), "two tables of its schema have the same name")
    return Database.from_relations(relations, tuple(_read_link(link, relations) for link in links))


def _read_relation(data: Json) -> Relation:
    complaint = "a table of its schema lacks its name or its columns"
    fields = as_record(data, complaint)
    name = as_text(fields.get("name"), complaint)
    columns = tuple(map(_read_column, as_list(fields.get("columns"), complaint)))
    complaint = f"the keys of table {name!r} are not places of columns"
    keys = [as_list(key, complaint) for key in as_list(fields.get("keys"), complaint)]
    places = tuple(tuple(_read_place(place, len(columns), complaint) for place in key) for key in keys)
    time = fields.get("time")
    when = None if time is None else _read_place(time, len(columns), f"table {name!r} has no such time")
    both_ways = None if "both_ways" not in fields else _read_both_ways(fields["both_ways"], name, columns)
    return Relation(name, columns, 0, places, fields.get("of_examples") is True, when, both_ways=both_ways)


def _read_both_ways(data: Json, name: str, columns: tuple[RelationColumn, ...]) -> BothWays:
    """The table, and the two columns that change places."""
    complaint = f"table {name!r} does not say which columns of which table change places"
    table, one, other = (as_text(part, complaint) for part in as_list(data, complaint, 3))
    known = {column.name for column in columns}
    require(one != other and {one, other} <= known, complaint)
    return BothWays(table, one, other)


def _read_place(place: Json, n_columns: int, complaint: str) -> int:
    """The place of one of so many columns."""
    if not is_whole(place) or not 0 <= place < n_columns:
        raise DamagedFileError(complaint)
    return place


def _read_column(data: Json) -> RelationColumn:
    complaint = "a column of its schema is damaged"
    fields = as_record(data, complaint)
    name = as_text(fields.get("name"), complaint)
    type_name = as_text(fields.get("type"), complaint)
    kind = as_text(fields.get("kind"), complaint)
    require(type_name in SAMPLES and kind in (KEY, NOMINAL, NUMBER), complaint)
    is_ordered = fields.get("ordered") is True
    require(not is_ordered or (type_name == "text" and "values" in fields), complaint)
    domain = Domain(name, _read_values(fields, name, type_name), type_name == "number", is_ordered)
    is_date = fields.get("date")
    if is_date is not None and not isinstance(is_date, bool):
        raise DamagedFileError(f"column {name!r} does not say whether it has dates")
    gaps = np.full(int(fields.get("gaps") is True), MISSING, np.int32)
    return RelationColumn(name, domain, gaps, kind, is_date if type_name == "number" else False)


def _read_values(fields: Record, name: str, type_name: str) -> list[Any]:
    """The values that a column is known to have, or some of its type that stand for all."""
    if "values" not in fields:
        return list(SAMPLES[type_name])
    complaint = f"the values of column {name!r} are not a list of texts"
    return [as_text(value, complaint) for value in as_list(fields["values"], complaint)]


def _read_link(data: Json, relations: dict[str, Relation]) -> ForeignKey:
    table, columns, to_table, to_columns = as_list(data, "a link of its schema does not name two places", 4)
    return ForeignKey(*_read_end(table, columns, relations), *_read_end(to_table, to_columns, relations))


def _read_end(table: Json, columns: Json, relations: dict[str, Relation]) -> tuple[str, tuple[str, ...]]:
    """Where a link begins or ends: a table, and columns of it."""
    name = as_text(table, "a link leads to no table")
    places = as_list(columns, "a link leads to no table")
    require(name in relations, "a link leads to no table")
    known = {column.name for column in relations[name].columns}
    complaint = f"a link leads to no column of table {name!r}"
    found = tuple(as_text(place, complaint) for place in places)
    require(known.issuperset(found), complaint)
    return name, found
