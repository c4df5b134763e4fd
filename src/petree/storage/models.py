"""A fitted estimator as text, and back."""

from __future__ import annotations

import json
from math import isfinite
from reprlib import repr as short
from typing import Any, NoReturn

from sklearn.exceptions import NotFittedError

from petree.columns import NOMINAL, NUMBER, ORDERED, Column
from petree.estimators.option import OptionTreeClassifier
from petree.estimators.relational import RelationalTreeClassifier
from petree.estimators.stored import Stored
from petree.estimators.tree import ProbabilityTreeClassifier
from petree.estimators.tuning import Tuning
from petree.storage.relational import read_schema, stored_parameters, write_schema
from petree.storage.trees import read_tree, write_tree
from petree.storage.values import (
    DamagedFileError,
    encode,
    is_number,
    lines,
    named_lines,
    read_classes,
    read_labels,
    read_value,
    require,
    write_classes,
    write_labels,
    write_value,
)

FORMAT = "petree model"
VERSION = 1
ESTIMATORS: dict[str, Any] = {
    "OptionTreeClassifier": OptionTreeClassifier,
    "ProbabilityTreeClassifier": ProbabilityTreeClassifier,
    "RelationalTreeClassifier": RelationalTreeClassifier,
}


def dumps(model: Any) -> str:
    """A fitted estimator as JSON text, one line a node; no training data is in it.

    Parameters
    ----------
    model : fitted petree estimator
        A `random_state` that is a generator is left out, since only fitting draws from it, and of a database all but
        the names of its tables, columns, keys and links.

    Returns
    -------
    str
    """
    kind = type(model).__name__
    if ESTIMATORS.get(kind) is not type(model):
        raise TypeError(f"A model file holds one of {', '.join(ESTIMATORS)}, not a {kind}.")
    if not hasattr(model, "tree_"):
        raise NotFittedError(f"This {kind} is not fitted yet; call fit before saving it.")
    is_relational = isinstance(model, RelationalTreeClassifier)
    given = stored_parameters(model) if is_relational else model.get_params(deep=False)
    parameters = {name: write_value(value, f"The '{name}' parameter of {kind}") for name, value in given.items()}
    return named_lines(
        {
            "format": encode(FORMAT),
            "version": encode(VERSION),
            "estimator": encode(kind),
            "parameters": encode(parameters),
            **_write_smoothing(model),
            **({"tuning": encode(_write_tuning(model.tuning_))} if hasattr(model, "tuning_") else {}),
            "classes": encode(write_classes(model.classes_)),
            "feature_names": encode(hasattr(model, "feature_names_in_")),
            "columns": lines([_write_column(column) for column in model.columns_]),
            **({"schema": encode(write_schema(model.scope_.database))} if is_relational else {}),
            "tree": named_lines(write_tree(model.tree_, model.columns_)),
        }
    )


def _write_smoothing(model: Any) -> dict[str, str]:
    """The smoothing as it is used, where there is one."""
    if not hasattr(model, "smoothing_"):
        return {}
    return {"smoothing": encode(write_value(model.smoothing_, f"The smoothing of this {type(model).__name__}"))}


def _write_tuning(tuning: Tuning) -> dict[str, Any]:
    written = {"names": tuning.names, "tried": tuning.tried, "losses": tuning.losses}
    return written | ({"parts": [_write_tuning(part) for part in tuning.parts]} if tuning.parts else {})


def _write_column(column: Column) -> dict[str, Any]:
    written: dict[str, Any] = {"name": column.name, "kind": column.kind}
    if column.kind != NUMBER:
        written["categories"] = write_labels(column.categories, f"column '{column.name}'")
    return written


def loads(text: str, name: str = "The text") -> Any:
    """The estimator that `dumps` wrote.

    Parameters
    ----------
    text : str
        A model in JSON.
    name : str
        What to call the text in error messages, such as the name of its file.

    Returns
    -------
    fitted petree estimator
    """
    data = _parse(text, name)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"{name} is not a petree model.")
    if isinstance(data.get("version"), int) and data["version"] > VERSION:
        raise ValueError(
            f"{name} is a petree model of version {data['version']}, but this petree reads versions up to {VERSION}; "
            "upgrade petree to read it."
        )
    try:
        return _read_model(data)
    except DamagedFileError as damage:
        raise ValueError(f"{name} is damaged: {damage}.") from None


def _parse(text: str, name: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{name} is not JSON or is cut off: {error.msg} at line {error.lineno}, column {error.colno}."
        ) from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{name} is not a petree model: {error}.") from None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def _read_model(data: dict[str, Any]) -> Any:
    require(data.get("version") == VERSION, f"{short(data.get('version'))} is not a version")
    kind: Any = data.get("estimator")
    require(isinstance(kind, str) and kind in ESTIMATORS, f"{short(kind)} is not an estimator of this petree")
    estimator = ESTIMATORS[kind]
    require(isinstance(data.get("columns"), list), "it lacks its columns")
    require(isinstance(data.get("feature_names"), bool), "it does not say whether its columns had names")
    columns = tuple(_read_column(column) for column in data["columns"])
    require(len({column.name for column in columns}) == len(columns), "two of its columns have the same name")
    classes = read_classes(data.get("classes"))
    tree = read_tree(data.get("tree"), columns, tuple(classes.tolist()))
    parameters = _read_parameters(data.get("parameters"), estimator)
    smoothing, tuning = read_value(data.get("smoothing")), _read_tuning(data.get("tuning"))
    schema = read_schema(data["schema"]) if "schema" in data else None
    stored = Stored(parameters, tree, columns, classes, data["feature_names"], smoothing, tuning, schema)
    try:
        return estimator._from_stored(stored)
    except (TypeError, ValueError) as error:
        raise DamagedFileError(str(error).rstrip(".")) from error


def _read_parameters(parameters: Any, estimator: Any) -> dict[str, Any]:
    require(isinstance(parameters, dict), "it lacks its parameters")
    unknown = parameters.keys() - estimator().get_params(deep=False).keys()
    require(not unknown, f"{estimator.__name__} has no parameter {', '.join(sorted(unknown))}")
    return {name: read_value(value) for name, value in parameters.items()}


def _read_tuning(data: Any) -> Tuning | None:
    return None if data is None else _read_one_tuning(data)


def _read_one_tuning(data: Any) -> Tuning:
    is_record = isinstance(data, dict) and data.keys() - {"parts"} == {"names", "tried", "losses"}
    require(is_record and all(isinstance(field, list) for field in data.values()), "its tuning is not a record")
    names, tried, losses = data["names"], data["tried"], data["losses"]
    require(all(isinstance(name, str) for name in names), "the names in its tuning are not texts")
    require(len(losses) == len(tried) > 0 and _are_finite(losses), "the losses in its tuning are not one a combination")
    are_rows = all(isinstance(row, list) and len(row) == len(names) and _are_finite(row) for row in tried)
    require(are_rows, "a combination in its tuning is not one number a name")
    parts = tuple(_read_one_tuning(part) for part in data.get("parts", []))
    return Tuning(tuple(names), tuple(map(tuple, tried)), tuple(losses), parts)


def _are_finite(values: list[Any]) -> bool:
    return all(is_number(value) and isfinite(value) for value in values)


def _read_column(data: Any) -> Column:
    require(
        isinstance(data, dict) and isinstance(data.get("name"), str) and data.get("kind") in (NUMBER, NOMINAL, ORDERED),
        f"{short(data)} is not a column",
    )
    categories = read_labels(data.get("categories", []), f"column '{data['name']}'")
    return Column(data["name"], data["kind"], tuple(categories))
