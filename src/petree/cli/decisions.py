"""Costs of answers and base rates as they are given on the command line."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from petree.estimators.base import TreeClassifier

FORMATS = (".csv", ".tsv", ".txt", ".json")


@dataclass(frozen=True)
class Decision:
    """A file of costs, and base rates such as ``yes=0.02,no=0.98``."""

    costs: Path | None = None
    base_rates: str | None = None

    def apply_to(self, model: TreeClassifier) -> NDArray[np.float64] | None:
        """Set the base rates of a model; what its answers cost, or None."""
        from petree.estimators.decisions.costs import read_costs

        if self.base_rates is not None:
            model.set_base_rates(_of_classes(_parse_rates(self.base_rates), model))
        if self.costs is None:
            return None
        named = {true: _of_classes(own, model) for true, own in read_cost_file(self.costs).items()}
        try:
            return read_costs(_of_classes(named, model), model.classes_)
        except ValueError as error:
            raise ValueError(f"{self.costs}: {error}") from None


def _of_classes(named: dict[str, Any], model: TreeClassifier) -> dict[Any, Any]:
    """What is told of classes that were written as text, by the classes themselves."""
    labels = {str(label): label for label in model.classes_.tolist()}
    return {labels.get(name, name): value for name, value in named.items()}


def _parse_rates(text: str) -> dict[str, float]:
    """Names and rates; a part that holds a comma can be quoted as in a CSV file."""
    rates: dict[str, float] = {}
    for part in next(csv.reader([text], skipinitialspace=True), []):
        name, sign, rate = part.rpartition("=")
        number = _number(rate) if sign else None
        if number is None:
            raise ValueError(f"--base-rates must be like yes=0.02,no=0.98, with a rate for every class; got {part!r}.")
        if name in rates:
            raise ValueError(f"--base-rates names the class {name!r} twice.")
        rates[name] = number
    return rates


# -- files of costs ---------------------------------------------------------------------------------------


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
    from petree.files.delimited import read_records

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
        if field.strip():
            costs[answer] = _number(field)
            if costs[answer] is None:
                raise ValueError(f"The cost of answering {answer!r} in {where} must be a number; got {field!r}.")
    return costs


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
