"""The versions of the format: text as the fields that this version has, from whichever version it is.

From version 2 on every later version reads all since: who changes the format appends an upgrade to `UPGRADES`.
"""

from __future__ import annotations

import json
from typing import NoReturn

from petree.storage.values import DamagedFileError, Json, Record, is_whole, require, short

FORMAT = "petree model"
# What stands for the answers of a file that is too old to have them; no file can hold this very list.
UNTOLD: Json = []


def read_fields(text: str, name: str) -> Record:
    """The fields of a model file, as this version has them; `name` is what error messages call it."""
    data = _parse(text, name)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"{name} is not a petree model.")
    version = data.get("version")
    if isinstance(version, int) and version > VERSION:
        raise ValueError(
            f"{name} is a petree model of version {short(version)}, but this petree reads versions up to {VERSION}; "
            "upgrade petree to read it."
        )
    return _upgraded(data)


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


def _upgraded(data: Record) -> Record:
    """The fields as this version has them."""
    version = data.get("version")
    if not is_whole(version) or version < 1:
        raise DamagedFileError(f"{short(version)} is not a version")
    for upgrade in UPGRADES[version - 1 :]:
        data = upgrade(data)
    return data


def _from_version_1(data: Record) -> Record:
    """Version 1 had no answers, and did not say whether counts had been replaced."""
    require("answers" not in data, "a file of version 1 has no answers")
    tree = data.get("tree")
    if isinstance(tree, dict) and data.get("estimator") != "OptionTreeClassifier":
        tree = {**tree, "counts_replaced": True}
    return {**data, "tree": tree, "answers": UNTOLD}


# Each leads from one version to the next.
UPGRADES = (_from_version_1,)
VERSION = len(UPGRADES) + 1
