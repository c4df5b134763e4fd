"""The text of a model file as its fields, checked for format and version."""

from __future__ import annotations

import json
from typing import NoReturn

from petree.storage.values import DamagedFileError, Json, Record, is_whole, require, short

FORMAT = "petree model"
VERSION = 1


def read_fields(text: str, name: str) -> Record:
    """The fields of a model file, as this version has them; `name` is what error messages call it."""
    data = _parse(text, name)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"{name} is not a petree model.")
    version = data.get("version")
    require(is_whole(version) and version >= 1, f"{short(version)} is not a version")
    if version != VERSION:
        raise ValueError(
            f"{name} is a petree model of version {short(version)}, but this petree reads version {VERSION}; "
            "upgrade petree to read it."
        )
    return data


def _parse(text: str, name: str) -> Json:
    try:
        return json.loads(text, parse_constant=_refuse, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{name} is no model file, or was cut off: it is not JSON from line {error.lineno}, column {error.colno} "
            "on. `petree fit` and petree.save write model files."
        ) from None
    except DamagedFileError as damage:
        raise ValueError(f"{name} is not a petree model: {damage}.") from None
    except RecursionError:
        raise ValueError(f"{name} is not a petree model: it is nested too deep.") from None
    except ValueError:  # Python reads so many digits and no more
        raise ValueError(f"{name} is not a petree model: a whole number in it has too many digits.") from None


def _refuse(constant: str) -> NoReturn:
    raise DamagedFileError(f"{constant} is not a number")


def _unique(pairs: list[tuple[str, Json]]) -> Record:
    """The fields of a record; programs differ in which of two fields of one name they take."""
    fields = dict(pairs)
    require(len(fields) == len(pairs), "a record in it has two fields of the same name")
    return fields
