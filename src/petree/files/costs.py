"""Files that say what answers cost: a matrix in CSV, or an object in JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from petree.files.delimited import read_records

FORMATS = (".csv", ".tsv", ".txt", ".json")


def read_cost_file(path: Path) -> dict[str, dict[str, Any]]:
    """What each answer costs by true class, as a file tells: ``{true: {answer: cost}}``."""
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(f"{path} is of no format that costs are read from; its name must end in {', '.join(FORMATS)}.")
    try:
        return _from_json(path) if suffix == ".json" else _from_csv(path)
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not UTF-8 text; save it as UTF-8 and try again.") from None


def _from_json(path: Path) -> dict[str, dict[str, Any]]:
    try:
        costs = json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise ValueError(f"{path} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}.") from None
    except RecursionError:
        raise ValueError(f"{path} is nested too deep for a file of costs.") from None
    if not isinstance(costs, dict) or not all(isinstance(own, dict) for own in costs.values()):
        raise ValueError(f'{path} must hold costs like {{"yes": {{"no": 10}}, "no": {{"yes": 1}}}}.')
    return costs


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of an object, none of them twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("A file of costs names a class twice in one object; name it once.")
    return fields


def _from_csv(path: Path) -> dict[str, dict[str, Any]]:
    """True classes in the first column, answers in the first line; the corner is anything, and a blank is left out."""
    records = read_records(path)
    answers = next(records, (0, [""]))[1][1:]
    if len(set(answers)) < len(answers):
        raise ValueError(f"{path} has two columns for one answer; each class has one.")
    costs: dict[str, dict[str, Any]] = {}
    for line, fields in records:
        if len(fields) != len(answers) + 1 or fields[0] in costs:
            raise ValueError(
                f"Line {line} of {path} must have one true class that no other line has, and a cost for each of "
                f"{len(answers)} answers."
            )
        costs[fields[0]] = _costs_of_line(answers, fields[1:], f"line {line} of {path}")
    return costs


def _costs_of_line(answers: Sequence[str], fields: Sequence[str], where: str) -> dict[str, Any]:
    costs = {}
    for answer, field in zip(answers, fields, strict=True):
        try:
            if field.strip():
                costs[answer] = float(field)
        except ValueError:
            raise ValueError(f"The cost of answering {answer!r} in {where} must be a number; got {field!r}.") from None
    return costs
