"""``petree predict``: classes and probabilities of the rows of a table."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as short
from typing import TYPE_CHECKING, Annotated, Any

import typer

from petree.cli.arguments import ModelFile, OptionalDataFile, TableOptions, options_of
from petree.cli.databases import RelatedOptions, model_and_keys
from petree.cli.messages import say
from petree.cli.streaming.tables import WrittenColumn, answers_to, check_answers, tables_of, write_answers
from petree.progress import shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from petree.estimators.base import TreeClassifier
    from petree.files import FileTable

# The name that stands for the number of a row, and the level of intervals.
ROW = "row"
LEVEL = 0.9


@dataclass(frozen=True, kw_only=True)
class Options(TableOptions, RelatedOptions):
    """What `petree predict` is asked for."""

    model_file: ModelFile
    data: OptionalDataFile = None
    out: Annotated[
        Path | None, typer.Option(help="File to write instead of printing: CSV, or Parquet if its name ends so.")
    ] = None
    target: Annotated[str | None, typer.Option(help="Column of true classes: also measure the predictions.")] = None
    id: Annotated[str | None, typer.Option(help="Column to write before each prediction; row writes its number.")] = (
        None
    )
    intervals: Annotated[bool, typer.Option("--intervals", help="Also write the 90% interval of each probability.")] = (
        False
    )
    reasons: Annotated[bool, typer.Option("--reasons", help="Also write the leaf of each row and its rule.")] = False
    costs: Annotated[
        Path | None, typer.Option(help="What answers cost, CSV or JSON: predict the class of least expected cost.")
    ] = None
    base_rates: Annotated[
        str | None, typer.Option(help="Rates of all classes to answer for, such as yes=0.02,no=0.98.")
    ] = None

    @property
    def files_of_decision(self) -> tuple[Path, ...]:
        """The files that decisions are read from, which nothing may be written over."""
        return () if self.costs is None else (self.costs,)


@options_of(Options)
def predict(options: Options) -> None:
    """Predict the class and the probability of each class for every row of a table.

    Columns are found by name, in any order, and only those are needed that the tree tests. A tree of related tables
    predicts all examples of its target table. The files of a folder, Parquet or CSV, are read some rows at a time.

    Examples:

    `petree predict model.json new.csv --out predictions.csv`

    `petree predict model.json new.csv --id customer --intervals --reasons`

    `petree predict model.json held_out.csv --target repaid > predictions.csv`

    `petree predict model.json --database sqlite:///molecules.db`

    `petree predict model.json folder/ --out predictions.parquet`

    `petree predict model.json new.csv --costs costs.csv --base-rates yes=0.02,no=0.98`

    A file of costs has the true classes in its first column and the answers in its first line, or is a JSON object
    like {"yes": {"no": 10}, "no": {"yes": 1}}.
    """
    if options.is_related(options.data):
        options.refuse_related(("target", "id", "reasons"))
        _predict_related(options)
    else:
        assert options.data is not None
        predict_some = _predict_folder if options.data.is_dir() else _predict_table
        predict_some(options.data, options)


def _predict_related(options: Options) -> None:
    check_answers(options.out, options.model_file, *options.files_of_decision)
    with shown(f"Reading {options.source}"):
        model, database, keys = model_and_keys(options.model_file, options)
    costs = decide(model, options.costs, options.base_rates)
    table = model.scope_.relations[0]
    key = database.relation(table).keys[0]
    names = [database.relation(table).columns[place].name for place in key]
    columns = [list(keys)] if len(key) == 1 else list(zip(*keys, strict=True))
    named = list(zip(names, columns, strict=True))
    with shown("Predicting"):
        answers = _answers(model, keys, costs, options)
    write_answers([*named, *answers], options.out)


def _predict_table(data: Path, options: Options) -> None:
    from petree.cli.matching import known_labels, model_of_table, table_for, tell_of

    check_answers(options.out, options.model_file, data, *options.files_of_decision)
    model = model_of_table(options.model_file)
    costs = decide(model, options.costs, options.base_rates)
    others = _others(model, options)
    with shown(f"Reading {data}"):
        table, features = table_for(model, data, options, others)
    labels = None if options.target is None else known_labels(table, options.target, model.classes_)
    named = [] if options.id is None else [(options.id, _ids(table, options.id))]
    with shown("Predicting"):
        answers = _answers(model, features, costs, options)
    tell_of(table, model, others)
    write_answers([*named, *answers], options.out)
    if labels is not None:
        measures = _Measures(model)
        measures.add(answers, labels)
        measures.tell()


def _predict_folder(data: Path, options: Options) -> None:
    """The rows of all files, some at a time."""
    from petree.cli.matching import features_for, known_labels, model_of_table, tell_of, types_of

    check_answers(options.out, options.model_file, data, *options.files_of_decision)
    model = model_of_table(options.model_file)
    costs = decide(model, options.costs, options.base_rates)
    others = _others(model, options)
    types = {**others, **types_of(model.columns_, model.required_columns_), **options.told_types()}
    measures = _Measures(model)
    n_rows = 0
    is_apart = options.out is not None or not sys.stdout.isatty()  # no bar among lines on the same terminal
    with answers_to(options.out) as writer, shown(f"Predicting {data}", is_apart):
        for table in tables_of(data, types):
            named = [] if options.id is None else [(options.id, _ids(table, options.id, n_rows))]
            answers = _answers(model, features_for(model, table), costs, options)
            if not n_rows:
                tell_of(table, model, others)
            n_rows += table.n_rows
            writer.write([*named, *answers])
            if options.target is not None:
                measures.add(answers, known_labels(table, options.target, model.classes_))
    if options.target is not None:
        measures.tell()


def _others(model: TreeClassifier, options: Options) -> dict[str, str]:
    """The types of the columns that are read beside those of the model."""
    from petree.cli.matching import type_of_target

    others = {} if options.id is None else {options.id: "nominal"}
    return others | ({} if options.target is None else {options.target: type_of_target(model.classes_)})


def _ids(table: FileTable, name: str, n_before: int = 0) -> list[Any]:
    """What tells the rows apart: a column of the table, or the number of each row."""
    if name == ROW and ROW not in table.places:
        return list(range(n_before + 1, n_before + table.n_rows + 1))
    return list(map(_written, table.column(name).tolist()))


def _written(value: Any) -> Any:
    """An id as the file had it: whole numbers without a point, nothing where it was missing."""
    if value is None or value != value:
        return ""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _answers(model: TreeClassifier, X: Any, costs: NDArray[np.float64] | None, options: Options) -> list[WrittenColumn]:
    """What is written of each row: the class, its probabilities, and what else is asked for."""
    probabilities = model.predict_proba(X)
    answers: list[WrittenColumn] = [("predicted", model.predict(X, costs).tolist())]
    answers += [(f"P({label})", probabilities[:, place].tolist()) for place, label in enumerate(model.classes_)]
    if options.intervals:
        lower, upper, _ = model.predict_interval(X, LEVEL)
        for place, label in enumerate(model.classes_):
            answers += [(f"P({label}) from", lower[:, place].tolist()), (f"P({label}) to", upper[:, place].tolist())]
    return answers + _reasons(model, X) if options.reasons else answers


def _reasons(model: TreeClassifier, X: Any) -> list[WrittenColumn]:
    """The leaf of each row, and the way to it in words."""
    from petree.estimators.fitted import SingleTreeClassifier
    from petree.reading.paths import paths, premise

    if not isinstance(model, SingleTreeClassifier):
        raise ValueError("--reasons is for a single tree, and this is one with options; leave it out.")
    leaves = model.apply(X).tolist()
    rules = {node: premise(path).removeprefix("if ") for node, path in paths(model.tree_)}
    return [("leaf", leaves), ("reason", [rules[leaf] for leaf in leaves])]


class _Measures:
    """How good the predictions of some rows after the other are."""

    def __init__(self, model: TreeClassifier) -> None:
        self.model = model
        self.n_rows = 0
        self.n_right = 0
        self.bits = 0.0

    def add(self, answers: Sequence[WrittenColumn], labels: NDArray[np.str_]) -> None:
        import numpy as np

        from petree.metrics import log2_likelihood

        classes = self.model.classes_
        predicted, *probabilities = (values for _, values in answers[: 1 + len(classes)])
        # Not the accuracy of the most probable classes: class weights can make a model predict another one.
        self.n_right += int((np.array(predicted).astype(str) == labels).sum())
        bits = log2_likelihood(labels, np.column_stack(probabilities), classes.astype(str))
        self.bits += bits * len(labels)
        self.n_rows += len(labels)

    def tell(self) -> None:
        if not self.n_rows:
            say("No rows to measure the predictions by.", err=True)
            return
        say(f"accuracy         {self.n_right / self.n_rows:.4f}", err=True)
        say(f"log2 likelihood  {self.bits:.2f} ({self.bits / self.n_rows:.4f} a row)", err=True)


# -- what is decided by -----------------------------------------------------------------------------------


def decide(model: TreeClassifier, costs: Path | None, base_rates: str | None) -> NDArray[np.float64] | None:
    """Set the base rates of a model that are asked for; what its answers cost as a file says, or None."""
    from petree.estimators.decisions.costs import read_costs
    from petree.files.costs import read_cost_file

    if base_rates is not None:
        model.set_base_rates(_of_classes(_parse_rates(base_rates), model))
    if costs is None:
        return None
    named = {true: _of_classes(own, model) for true, own in read_cost_file(costs).items()}
    try:
        return read_costs(_of_classes(named, model), model.classes_)
    except ValueError as error:
        raise ValueError(f"{costs}: {error}") from None


def _of_classes(named: dict[str, Any], model: TreeClassifier) -> dict[Any, Any]:
    """What is told of classes that were written as text, by the classes themselves."""
    labels = {str(label): label for label in model.classes_.tolist()}
    return {labels.get(name, name): value for name, value in named.items()}


def _parse_rates(text: str) -> dict[str, float]:
    """Names and rates; a part that holds a comma can be quoted as in a CSV file."""
    rates: dict[str, float] = {}
    try:
        for part in next(csv.reader([text], skipinitialspace=True), []):
            name, _, rate = part.rpartition("=")
            if name in rates:
                raise ValueError(f"it names the class {name!r} twice")
            rates[name] = float(rate)
    except (ValueError, csv.Error) as error:
        raise ValueError(
            f"--base-rates must be like yes=0.02,no=0.98, with a rate for every class; got {short(text)}: {error}."
        ) from None
    return rates
