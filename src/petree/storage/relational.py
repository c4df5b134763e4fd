"""What a model file keeps of a database: the names of tables, columns, keys and links, and no rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from petree.relational import Bias, Database
from petree.relational.relations import (
    KEY,
    MISSING,
    NOMINAL,
    NUMBER,
    Domain,
    Relation,
    RelationColumn,
    is_sorted,
    kind_of,
)
from petree.relational.tables.schema import ForeignKey
from petree.storage.values import is_whole, require

# What a column holds, and values that stand for all of them.
SAMPLES: dict[str, tuple[Any, ...]] = {"number": (), "boolean": (False, True), "text": ("",)}


def stored_parameters(model: Any) -> dict[str, Any]:
    """Parameters of a relational tree without its database; a bias becomes its text."""
    if model.known_labels:
        raise ValueError(
            "A tree with known_labels asks for the classes of its training examples, which a model file does not "
            "keep; pickle the model."
        )
    parameters = {name: value for name, value in model.get_params(deep=False).items() if name != "database"}
    if isinstance(model.bias, Bias):
        parameters["bias"] = str(model.bias)
    return parameters | {"target": model.target_}


# -- writing --------------------------------------------------------------------------------------------------


def write_schema(database: Database) -> dict[str, Any]:
    """A database without its rows, as JSON data."""
    links = [[link.table, link.columns, link.to_table, link.to_columns] for link in database.foreign_keys]
    relations = list(map(_write_relation, database.relations.values()))
    return {"relations": relations, "links": links}


def _write_relation(relation: Relation) -> dict[str, Any]:
    written: dict[str, Any] = {"name": relation.name, "columns": [_write_column(one) for one in relation.columns]}
    written["keys"] = relation.keys
    if relation.time is not None:
        written["time"] = relation.time
    return written | ({"of_examples": True} if relation.of_examples else {})


def _write_column(column: RelationColumn) -> dict[str, Any]:
    """Name and type; the values only of texts that have an order of their own."""
    written: dict[str, Any] = {"name": column.name, "kind": column.kind, "type": kind_of(column.domain)}
    if column.kind == NOMINAL and written["type"] == "text" and not is_sorted(column.domain):
        written["values"] = list(map(str, column.domain.values))
    if column.kind == KEY and (column.codes == MISSING).any():
        written["gaps"] = True
    if written["type"] == "number":
        written["date"] = column.is_date
    return written


# -- reading --------------------------------------------------------------------------------------------------


def read_schema(data: Any) -> Database:
    """The database that `write_schema` wrote, without rows."""
    is_record = isinstance(data, dict) and data.keys() == {"relations", "links"}
    require(is_record and all(isinstance(part, list) for part in data.values()), "its schema is not a record")
    relations = {relation.name: relation for relation in map(_read_relation, data["relations"])}
    require(len(relations) == len(data["relations"]), "two tables of its schema have the same name")
    return Database.from_relations(relations, tuple(_read_link(link, relations) for link in data["links"]))


def _read_relation(data: Any) -> Relation:
    is_record = isinstance(data, dict) and isinstance(data.get("name"), str) and isinstance(data.get("columns"), list)
    require(is_record, "a table of its schema lacks its name or its columns")
    columns = tuple(map(_read_column, data["columns"]))
    keys = data.get("keys")
    are_places = isinstance(keys, list) and all(
        isinstance(key, list) and all(is_whole(place) and 0 <= place < len(columns) for place in key) for key in keys
    )
    require(are_places, f"the keys of table {data['name']!r} are not places of columns")
    time = data.get("time")
    require(time is None or (is_whole(time) and 0 <= time < len(columns)), f"table {data['name']!r} has no such time")
    return Relation(data["name"], columns, 0, tuple(map(tuple, keys)), data.get("of_examples") is True, time)


def _read_column(data: Any) -> RelationColumn:
    is_record = isinstance(data, dict) and isinstance(data.get("name"), str) and data.get("type") in tuple(SAMPLES)
    require(is_record and data.get("kind") in (KEY, NOMINAL, NUMBER), "a column of its schema is damaged")
    values = data.get("values", list(SAMPLES[data["type"]]))
    are_texts = isinstance(values, list) and ("values" not in data or all(isinstance(value, str) for value in values))
    require(are_texts, f"the values of column {data['name']!r} are not a list of texts")
    is_number, is_date = data["type"] == "number", data.get("date")  # which older files do not tell of numbers
    require(is_date is None or isinstance(is_date, bool), f"column {data['name']!r} does not say whether it has dates")
    domain, gaps = Domain(data["name"], values, is_number), np.full(int(data.get("gaps") is True), MISSING, np.int32)
    return RelationColumn(data["name"], domain, gaps, data["kind"], is_date if is_number else False)


def _read_link(data: Any, relations: dict[str, Relation]) -> ForeignKey:
    require(isinstance(data, list) and len(data) == 4, "a link of its schema does not name two places")
    table, columns, to_table, to_columns = data
    for name, places in ((table, columns), (to_table, to_columns)):
        require(isinstance(name, str) and name in relations and isinstance(places, list), "a link leads to no table")
        known = [column.name for column in relations[name].columns]
        require(all(place in known for place in places), f"a link leads to no column of table {name!r}")
    return ForeignKey(table, tuple(columns), to_table, tuple(to_columns))
