"""A fitted estimator as text, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError

from petree.columns import NOMINAL, NUMBER, ORDERED, QUANTITIES, Column
from petree.estimators.base import TreeClassifier
from petree.estimators.fitted import SingleTreeClassifier
from petree.estimators.option import OptionTreeClassifier
from petree.estimators.option.averaged import AveragedTrees
from petree.estimators.relational import RelationalOptionTreeClassifier, RelationalTreeClassifier
from petree.estimators.relational.learner import ExampleLearner
from petree.estimators.replacing import as_it_is
from petree.estimators.stored import Stored
from petree.estimators.tree import ProbabilityTreeClassifier
from petree.storage.answers import Voice, check_computed, check_same, check_told, voices_of, write_voices
from petree.storage.arrays import read_numbers
from petree.storage.invariants import check
from petree.storage.invariants.nodes import do_add_up
from petree.storage.relational import read_schema, stored_parameters, write_schema
from petree.storage.trees import read_tree, write_tree
from petree.storage.tuning import read_certainty, read_sizes, read_tuning, write_certainty, write_sizes, write_tuning
from petree.storage.values import (
    DamagedFileError,
    Json,
    Record,
    as_list,
    as_record,
    as_text,
    encode,
    lines,
    named_lines,
    read_classes,
    read_labels,
    read_value,
    require,
    require_shallow,
    short,
    write_classes,
    write_labels,
    write_value,
)
from petree.storage.versions import FORMAT, VERSION, read_fields

ESTIMATORS: dict[str, type[TreeClassifier]] = {
    "OptionTreeClassifier": OptionTreeClassifier,
    "ProbabilityTreeClassifier": ProbabilityTreeClassifier,
    "RelationalOptionTreeClassifier": RelationalOptionTreeClassifier,
    "RelationalTreeClassifier": RelationalTreeClassifier,
}
FIELDS = {"format", "version", "estimator", "parameters", "classes", "feature_names", "columns", "tree", "answers"}
MORE_FIELDS = {"smoothing", "tuning", "sizes", "certainty", "schema", "base_rates"}
# Of a sentence about a damaged file.
MOST_LETTERS = 300


# -- writing --------------------------------------------------------------------------------------------------


def dumps(model: TreeClassifier) -> str:
    """A fitted estimator as JSON text, one line per node; no training data is in it.

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
        raise TypeError(
            f"A model file holds one of {', '.join(ESTIMATORS)}, not a {kind}; of a pipeline or a search save the "
            "petree model in it, or all of it by joblib."
        )
    model = as_it_is(model)  # another thread may be fitting it
    if not model.__sklearn_is_fitted__():
        raise NotFittedError(f"This {kind} is not fitted yet; call fit before saving it.")
    written = _write_settings(model)
    voices = voices_of(model)
    _check_before_writing(model, written, voices)
    found = vars(model)
    return named_lines(
        {
            "format": encode(FORMAT),
            "version": encode(VERSION),
            "estimator": encode(kind),
            **{name: encode(value) for name, value in written.items() if name != "schema"},
            **({"tuning": encode(write_tuning(found["tuning_"]))} if "tuning_" in found else {}),
            **({"sizes": encode(write_sizes(found["sizes_"]))} if "sizes_" in found else {}),
            **({"certainty": encode(write_certainty(found["certainty_"]))} if "certainty_" in found else {}),
            "classes": encode(write_classes(model.classes_)),
            **({"base_rates": encode(model.base_rates_.tolist())} if _has_other_rates(model) else {}),
            "feature_names": encode("feature_names_in_" in found),
            "columns": lines([_write_column(column) for column in model.columns_]),
            **({"schema": encode(written["schema"])} if "schema" in written else {}),
            "tree": named_lines(write_tree(model.tree_)),
            "answers": write_voices(voices),
        }
    )


def _has_other_rates(model: TreeClassifier) -> bool:
    """Whether a model answers for other base rates than those of its training data."""
    return model._shift().factors is not None


def _write_settings(model: TreeClassifier) -> Record:
    """The parameters, and the smoothing as it is used and the schema of the tables where there are any, as JSON."""
    kind = type(model).__name__
    given = stored_parameters(model) if isinstance(model, ExampleLearner) else model.get_params(deep=False)
    parameters = {name: write_value(value, f"The '{name}' parameter of {kind}") for name, value in given.items()}
    written: Record = {"parameters": parameters}
    if isinstance(model, SingleTreeClassifier):
        written["smoothing"] = write_value(model.smoothing_, f"The smoothing of this {kind}")
    if isinstance(model, ExampleLearner):
        written["schema"] = write_schema(model.scope_.database)
    return written


def _check_before_writing(model: TreeClassifier, written: Record, voices: list[Voice]) -> None:
    """Refuse a model that no file may hold, since it would not be read again."""
    kind = type(model).__name__
    try:
        stored = _as_read(model, written)
        check(stored)
    except DamagedFileError as damage:
        raise ValueError(f"This {kind} cannot be held by a model file: {damage}; pickle the model.") from None
    try:
        check_computed(voices)
        _check_prior(model)
        check_same(voices, _revive(stored)[1])
    except DamagedFileError as damage:
        raise ValueError(
            f"This {kind} cannot be saved as it is now: {damage}; set its parameters right and fit it again."
        ) from None


def _as_read(model: TreeClassifier, written: Record) -> Stored:
    """What will be read of a model whose settings are written so."""
    for name in ("parameters", "smoothing"):
        require_shallow(written.get(name), f"its {name}")
    return Stored(
        parameters=_read_parameters(written["parameters"], type(model)),
        tree=model.tree_,
        columns=model.columns_,
        classes=model.classes_,
        smoothing=read_value(written.get("smoothing")),
        schema=model.scope_.database if isinstance(model, ExampleLearner) else None,
        estimator=type(model).__name__,
        counts_replaced=not do_add_up(model.tree_),
        certainty=vars(model).get("certainty_"),
        sizes=vars(model).get("sizes_"),
        base_rates=model.base_rates_ if _has_other_rates(model) else None,
    )


def _check_prior(model: TreeClassifier) -> None:
    """An option tree is read with the prior among its parameters, which may have changed since it was fitted."""
    if not isinstance(model, AveragedTrees):
        return
    try:
        now = write_value(model.resolved_prior(), "The prior")
    except (TypeError, ValueError) as error:
        raise DamagedFileError(str(error).rstrip(".")) from None
    require(now == write_value(model.prior_, "The prior"), "its prior is another than the one it was fitted with")


def _write_column(column: Column) -> Record:
    written: Record = {"name": column.name, "kind": column.kind}
    if column.quantity:
        written["quantity"] = column.quantity
    if column.decimal:
        written["decimal"] = column.decimal
    if column.kind != NUMBER:
        written["categories"] = write_labels(column.categories, f"column '{column.name}'")
    return written


# -- reading --------------------------------------------------------------------------------------------------


def loads(text: str, name: str = "The text") -> Any:
    """The estimator that `dumps` wrote; everything in the text is checked before anything is done with it.

    Parameters
    ----------
    text : str
        A model in JSON, of this version of the format.
    name : str
        What to call the text in error messages, such as the name of its file.

    Returns
    -------
    fitted petree estimator
    """
    try:
        return _read_model(read_fields(text, name))
    except DamagedFileError as damage:
        raise ValueError(f"{name} is damaged: {_shortened(str(damage))}.") from None


def _read_model(data: Record) -> TreeClassifier:
    complaint = f"{short(data.get('estimator'))} is not an estimator of this petree"
    kind = as_text(data.get("estimator"), complaint)
    require(kind in ESTIMATORS, complaint)
    for name in sorted(FIELDS - data.keys()):
        require(False, f"it lacks its {name}")
    unknown = sorted(data.keys() - FIELDS - MORE_FIELDS)
    require(not unknown, f"it has fields that no model has: {short(unknown)}")
    for name in ("parameters", "smoothing", "tuning", "sizes", "certainty", "schema", "classes", "columns"):
        require_shallow(data.get(name), f"its {name}")
    stored = _read_stored(kind, data)
    check(stored)
    return _revived(stored, data["answers"])


def _read_stored(kind: str, data: Record) -> Stored:
    columns = tuple(_read_column(column) for column in as_list(data["columns"], "it lacks its columns"))
    has_names = data["feature_names"]
    require(isinstance(has_names, bool), "it does not say whether its columns had names")
    classes = read_classes(data["classes"])
    return Stored(
        parameters=_read_parameters(data["parameters"], ESTIMATORS[kind]),
        tree=read_tree(data["tree"], columns, tuple(classes.tolist())),
        columns=columns,
        classes=classes,
        feature_names=has_names is True,
        smoothing=read_value(data.get("smoothing")),
        tuning=None if data.get("tuning") is None else read_tuning(data["tuning"]),
        schema=read_schema(data["schema"]) if "schema" in data else None,
        estimator=kind,
        counts_replaced=as_record(data["tree"], "").get("counts_replaced") is True,
        certainty=read_certainty(data["certainty"]) if "certainty" in data else None,
        sizes=read_sizes(data["sizes"]) if "sizes" in data else None,
        base_rates=read_numbers(data["base_rates"], len(classes), "base rates") if "base_rates" in data else None,
    )


def _revived(stored: Stored, answers: Json) -> TreeClassifier:
    """The fitted estimator; it must answer as the file says."""
    model, voices = _revive(stored)
    check_computed(voices)
    check_told(answers, voices)
    return model


def _revive(stored: Stored) -> tuple[TreeClassifier, list[Voice]]:
    """The fitted estimator, whose own checks find bad parameters, and its voices."""
    try:
        with np.errstate(all="ignore"):  # numbers that are not finite are found in the answers
            model = ESTIMATORS[stored.estimator]._from_stored(stored)
            return model, voices_of(model)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise DamagedFileError(str(error).rstrip(".")) from error


def _shortened(sentence: str) -> str:
    """A sentence without the middle, where what it tells of is long."""
    half = MOST_LETTERS // 2
    return sentence if len(sentence) <= MOST_LETTERS else f"{sentence[:half]} ... {sentence[-half:]}"


def _read_parameters(data: Json, estimator: type[TreeClassifier]) -> dict[str, Any]:
    parameters = as_record(data, "it lacks its parameters")
    unknown = parameters.keys() - estimator().get_params(deep=False).keys() | parameters.keys() & {"database"}
    require(not unknown, f"{estimator.__name__} has no parameter {', '.join(sorted(unknown))[:100]}")
    return {name: read_value(value) for name, value in parameters.items()}


def _read_column(data: Json) -> Column:
    complaint = f"{short(data)} is not a column"
    fields = as_record(data, complaint)
    name = as_text(fields.get("name"), complaint)
    kind = as_text(fields.get("kind"), complaint)
    known = {"name", "kind", "categories", "quantity", "decimal"}
    require(kind in (NUMBER, NOMINAL, ORDERED) and fields.keys() <= known, complaint)
    quantity = as_text(fields.get("quantity", ""), complaint)
    require(not quantity or (quantity in QUANTITIES and kind == NUMBER), complaint)
    decimal = as_text(fields.get("decimal", ""), complaint)
    require(decimal in ("", ".", ",") and (not decimal or (kind == NUMBER and not quantity)), complaint)
    categories = tuple(read_labels(fields.get("categories", []), f"column '{name}'"))
    return Column(name, kind, categories, quantity, decimal)
