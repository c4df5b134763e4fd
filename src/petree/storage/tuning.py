"""What inner folds have told, as JSON: values of "auto" parameters, sizes, and what the cases of a leaf are worth."""

from __future__ import annotations

from itertools import pairwise
from math import isfinite

from petree.estimators.intervals.certainty import Certainty
from petree.estimators.tuning.finish import Tuning
from petree.reading.large import SizeLosses
from petree.storage.values import (
    Json,
    Record,
    as_list,
    as_record,
    as_text,
    is_number,
    is_whole,
    read_value,
    require,
    write_value,
)


def write_tuning(tuning: Tuning) -> Record:
    """A record of lists."""
    written: Record = {"names": tuning.names, "tried": tuning.tried, "losses": tuning.losses}
    written |= {"priors": tuning.priors} if tuning.priors else {}
    return written | ({"parts": [write_tuning(part) for part in tuning.parts]} if tuning.parts else {})


def read_tuning(data: Json) -> Tuning:
    """What `write_tuning` wrote."""
    complaint = "its tuning is not a record"
    fields = {name: as_list(field, complaint) for name, field in as_record(data, complaint).items()}
    require(fields.keys() - {"parts", "priors"} == {"names", "tried", "losses"}, complaint)
    names = tuple(as_text(name, "the names in its tuning are not texts") for name in fields["names"])
    losses = _read_finite(fields["losses"], "the losses in its tuning are not one a combination")
    require(len(losses) == len(fields["tried"]) > 0, "the losses in its tuning are not one a combination")
    priors = _read_finite(fields.get("priors", []), "the priors in its tuning are not one a combination")
    require(len(priors) in (0, len(losses)), "the priors in its tuning are not one a combination")
    complaint = "a combination in its tuning is not one number a name"
    tried = tuple(_read_finite(as_list(row, complaint, len(names)), complaint) for row in fields["tried"])
    parts = tuple(read_tuning(part) for part in fields.get("parts", []))
    return Tuning(names, tried, losses, parts, priors)


def _read_finite(values: list[Json], complaint: str) -> tuple[float, ...]:
    """Numbers that are all finite."""
    numbers = tuple(value for value in values if is_number(value) and isfinite(value))
    require(len(numbers) == len(values), complaint)
    return numbers


def write_certainty(certainty: Certainty) -> Record:
    """A record of two numbers."""
    return {name: write_value(value, "The certainty") for name, value in vars(certainty).items()}


def read_certainty(data: Json) -> Certainty:
    """What `write_certainty` wrote."""
    complaint = "its certainty is not a record of two numbers"
    numbers = {name: read_value(value) for name, value in as_record(data, complaint, ("each", "most")).items()}
    require(all(map(is_number, numbers.values())), complaint)
    return Certainty(**{name: float(value) for name, value in numbers.items()})


def write_sizes(sizes: SizeLosses) -> Record:
    """Return a record of two lists."""
    return {"n_leaves": sizes.n_leaves, "bits": sizes.bits}


def read_sizes(data: Json) -> SizeLosses:
    """Return what `write_sizes` wrote."""
    complaint = "its sizes are not a record of two lists"
    fields = as_record(data, complaint, ("n_leaves", "bits"))
    sizes = as_list(fields["n_leaves"], complaint)
    n_leaves = tuple(size for size in sizes if is_whole(size))
    is_descending = all(size < before for before, size in pairwise(n_leaves))
    require(
        is_descending and len(n_leaves) == len(sizes) and n_leaves[-1:] == (1,),
        "its sizes do not descend to a single leaf",
    )
    bits = as_list(fields["bits"], complaint, len(sizes))
    return SizeLosses(n_leaves, _read_finite(bits, "the bits of its sizes are not finite numbers"))
