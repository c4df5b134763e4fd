"""Parameters and labels as JSON, each number and each type exactly as it was."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from importlib import import_module
from reprlib import Repr
from typing import Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

# What JSON can hold: whatever is read from a file is of this type until it was checked.
Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
Record: TypeAlias = dict[str, Json]

# Only these packages may provide parts: a model file must not be able to run anything else.
FAMILIES = ("petree.bayes", "petree.binning", "petree.pruning", "petree.smoothing", "petree.splitting")
_LABEL_TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
_LABEL_TYPES += ["float16", "float32", "float64", "str", "object"]

# Lists and records inside each other in a parameter, and digits of a whole number that is a label.
MOST_NESTING = 50
MOST_DIGITS = 100

encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def lines(rows: Iterable[Json]) -> str:
    """A JSON list with one line per entry."""
    return "[\n" + ",\n".join(map(encode, rows)) + "\n]"


def named_lines(fields: Mapping[str, str]) -> str:
    """A JSON object with one line per field; the fields are JSON already."""
    return "{\n" + ",\n".join(f"{encode(name)}: {text}" for name, text in fields.items()) + "\n}"


class DamagedFileError(ValueError):
    """What is wrong inside a model file; the reader adds the name of the file."""


_brief = Repr()
_brief.maxlevel = 3


def short(value: Json) -> str:
    """A value as a sentence about a damaged file may show it, whatever it is."""
    return _brief.repr(value)[:200]


def require(is_right: bool, complaint: str) -> None:
    """Raise unless something holds of a model file."""
    if not is_right:
        raise DamagedFileError(complaint)


def as_record(data: Json, complaint: str, names: Collection[str] | None = None) -> Record:
    """A JSON object, with exactly these fields where they are named."""
    if not isinstance(data, dict) or (names is not None and data.keys() != set(names)):
        raise DamagedFileError(complaint)
    return data


def as_list(data: Json, complaint: str, length: int | None = None) -> list[Json]:
    """A JSON list, of this length where one is given."""
    if not isinstance(data, list) or (length is not None and len(data) != length):
        raise DamagedFileError(complaint)
    return data


def as_text(data: Json, complaint: str) -> str:
    """A JSON string."""
    if not isinstance(data, str):
        raise DamagedFileError(complaint)
    return data


def is_whole(value: Json) -> TypeGuard[int]:
    """Whether this is an integer of ordinary size (JSON allows any)."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def is_number(value: Json) -> TypeGuard[float]:
    """Whether this is a number of ordinary size."""
    return isinstance(value, float) or is_whole(value)


def require_shallow(value: Json, what: str) -> None:
    """Refuse lists and records that are too deep inside each other for whoever reads them."""
    level = [value]
    depth = 0
    while level := [inner for outer in level for inner in _inside(outer)]:
        depth += 1
        require(depth <= MOST_NESTING, f"{what} are nested more than {MOST_NESTING} deep")


def _inside(value: Json) -> Iterable[Json]:
    return value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()


@runtime_checkable
class Listable(Protocol):
    """What numpy arrays and scalars and pandas columns have."""

    def tolist(self) -> Any:
        """The values as Python's own."""


# -- parameters ---------------------------------------------------------------------------------------------------


def write_value(value: Any, owner: str) -> Json:
    """A parameter as JSON data; `owner` names it in the error message."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(float(value))}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Listable):  # numpy arrays and scalars, pandas columns
        return write_value(value.tolist(), owner)
    if isinstance(value, (set, frozenset)):
        value = sorted(value, key=str)
    if isinstance(value, (list, tuple)):
        return [write_value(item, owner) for item in value]
    if isinstance(value, dict):
        values = [write_value(item, owner) for item in value.values()]
        return {"dict": [list(item) for item in zip(write_labels(value, owner), values, strict=True)]}
    if isinstance(value, (np.random.RandomState, np.random.Generator)):
        return None  # only fit draws from it
    if isinstance(value, BaseEstimator):
        return _write_part(value, owner)
    raise ValueError(
        f"{owner} is a {type(value).__name__}, which a model file cannot hold; "
        "use a string, a number, a list, a dictionary or one of petree's own parts, or pickle the model."
    )


def _write_part(part: BaseEstimator, owner: str) -> Record:
    kind = type(part)
    family = ".".join(kind.__module__.split(".")[:2])
    if family not in FAMILIES or getattr(import_module(family), kind.__name__, None) is not kind:
        raise ValueError(
            f"{owner} is a {kind.__name__} from outside petree, which a model file cannot hold; pickle the model."
        )
    parameters = part.get_params(deep=False).items()
    written = {name: write_value(value, f"{owner}, in its '{name}',") for name, value in parameters}
    return {"part": f"{family}.{kind.__name__}", "parameters": written}


def read_value(value: Json) -> Any:
    """The parameter that `write_value` wrote."""
    if isinstance(value, list):
        return [read_value(item) for item in value]
    if not isinstance(value, dict):
        is_plain = value is None or isinstance(value, bool | str) or (is_number(value) and math.isfinite(value))
        require(is_plain, f"{short(value)} is too large a number")
        return value
    if value.keys() == {"float"} and value["float"] in ("inf", "-inf", "nan"):
        return float(str(value["float"]))
    if value.keys() == {"dict"}:
        return _read_dictionary(value["dict"])
    fields = as_record(value, f"{short(value)} is not a parameter", ("part", "parameters"))
    return _read_part(fields["part"], fields["parameters"])


def _read_dictionary(items: Json) -> dict[Any, Any]:
    complaint = f"{short(items)} is not a list of keys and values"
    pairs = [as_list(item, complaint, 2) for item in as_list(items, complaint)]
    keys = read_labels([key for key, _ in pairs], "a dictionary")
    return {key: read_value(value) for key, (_, value) in zip(keys, pairs, strict=True)}


def _read_part(path: Json, parameters: Json) -> Any:
    family, _, name = path.rpartition(".") if isinstance(path, str) else ("", "", "")
    part = getattr(import_module(family), name, None) if family in FAMILIES else None
    if not (isinstance(part, type) and issubclass(part, BaseEstimator) and part.__module__.startswith(family)):
        raise DamagedFileError(f"{short(path)} is not a part of this petree")
    given = as_record(parameters, f"the parameters of {path} are not given by name")
    try:
        return part(**{name: read_value(value) for name, value in given.items()})
    except TypeError:
        raise DamagedFileError(f"{path} does not take the parameters {', '.join(given)}") from None


# -- labels -------------------------------------------------------------------------------------------------------


def _is_label(label: Json) -> bool:
    if isinstance(label, int):
        return abs(label) < 10**MOST_DIGITS
    return isinstance(label, str) or (isinstance(label, float) and math.isfinite(label))


def write_labels(labels: Iterable[Any], owner: str) -> list[Any]:
    """Class labels or categories: texts, whole numbers, finite numbers and truth values."""
    written = [label.item() if isinstance(label, np.generic) else label for label in labels]
    for label in written:
        if not _is_label(label):
            raise ValueError(
                f"The label {label!r} of {owner} cannot be held by a model file, which knows texts, finite numbers "
                "and truth values; turn the labels into texts before fitting, or pickle the model."
            )
    return written


def read_labels(labels: Json, owner: str) -> list[Any]:
    """The labels that `write_labels` wrote."""
    complaint = f"the labels of {owner} are not a list of texts and finite numbers"
    read = as_list(labels, complaint)
    require(all(map(_is_label, read)), complaint)
    return list(read)


def write_classes(classes: NDArray[Any]) -> Record:
    """Class labels, and their type."""
    kind = "str" if classes.dtype.kind == "U" else classes.dtype.name
    if kind not in _LABEL_TYPES:
        raise ValueError(
            f"Class labels of type {classes.dtype} cannot be held by a model file; "
            "turn them into texts or numbers before fitting, or pickle the model."
        )
    return {"type": kind, "labels": write_labels(classes.tolist(), "the classes")}


def read_classes(data: Json) -> NDArray[Any]:
    """The classes that `write_classes` wrote."""
    fields = as_record(data, "the classes lack their type or labels", ("type", "labels"))
    labels = read_labels(fields["labels"], "the classes")
    kind = fields["type"]
    require(kind in _LABEL_TYPES, f"{short(kind)} is not a type of class labels")
    require(len(labels) > 0 and len(set(labels)) == len(labels), "the classes are not distinct")
    try:
        with np.errstate(over="ignore"):
            classes = np.array(labels, dtype=str(kind))
    except (ValueError, OverflowError):
        classes = np.array([])
    require(classes.tolist() == labels, f"the class labels are not of type {kind}")
    return classes
