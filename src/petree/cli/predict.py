"""``petree predict``: classes and probabilities of the rows of a table, or of the examples of a database."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from petree.cli.arguments import ModelFile, OptionalDataFile, TableOptions, numbers_of, options_of, refuse
from petree.cli.databases import DatabaseOptions
from petree.cli.messages import say
from petree.cli.tables import WrittenColumn, check_answers, tables_of, writer_to
from petree.progress import shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from petree.estimators.base import TreeClassifier
    from petree.files import FileTable

# Columns that identify the rows, what the model takes, and the true classes if they are given.
Batch: TypeAlias = "tuple[list[WrittenColumn], Any, NDArray[np.str_] | None]"
# The name that stands for the number of a row, and the level of intervals.
ROW = "row"
LEVEL = 0.9


@dataclass(frozen=True, kw_only=True)
class Predictions:
    """What is predicted, and what is written."""

    model_file: ModelFile
    data: OptionalDataFile = None
    out: Annotated[Path | None, typer.Option(help="File to write, CSV or Parquet by its name (CSV on the screen).")] = (
        None
    )
    target: Annotated[str | None, typer.Option(help="Column of true classes, to measure the predictions (none).")] = (
        None
    )
    id: Annotated[
        str | None, typer.Option(help="Column to write before each prediction; row writes row numbers (none).")
    ] = None
    intervals: Annotated[bool, typer.Option("--intervals", help="90% credible interval of each probability.")] = False
    reasons: Annotated[bool, typer.Option("--reasons", help="Leaf of each row and its rule.")] = False
    costs: Annotated[
        Path | None, typer.Option(help="File of misclassification costs, CSV or JSON, to predict the cheapest class.")
    ] = None
    base_rates: Annotated[
        str | None,
        typer.Option(help="Class priors of the rows, such as yes=0.02,no=0.98 (those of the training data)."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Options(DatabaseOptions, TableOptions, Predictions):
    """The options of `petree predict`."""


@options_of(Options)
def predict(options: Options) -> None:
    """Predict the class and the probability of each class for every row of a table.

    Columns are found by name, in any order; only those that the tree tests are needed. A relational tree predicts all
    examples of its target table. The files of a folder, Parquet or CSV, are read in batches.

    Examples:

    `petree predict model.json new.csv --out predictions.csv`

    `petree predict model.json new.csv --id customer --intervals --reasons`

    `petree predict model.json held_out.csv --target repaid > predictions.csv`

    `petree predict model.json --database sqlite:///molecules.db`

    `petree predict model.json folder/ --out predictions.parquet`

    `petree predict model.json new.csv --costs costs.csv --base-rates yes=0.02,no=0.98`

    A file of costs lists the true classes in its first column and the predicted ones in its first line, or is a JSON
    object like {"yes": {"no": 10}, "no": {"yes": 1}}.
    """
    from petree import load

    options.check_source(options.data, ("target", "id", "reasons"))
    inputs = [path for path in (options.model_file, options.data, options.costs) if path is not None]
    check_answers(options.out, *inputs)
    model = load(options.model_file)
    costs = decide(model, options.costs, options.base_rates)
    measures = _Measures(model)
    batches = _examples(model, options) if options.data is None else _rows(model, options.data, options)
    is_apart = options.out is not None or not sys.stdout.isatty()  # no bar among lines on the same terminal
    with writer_to(options.out) as writer, shown("Predicting", is_apart):
        for named, X, labels in batches:
            answers = _answers(model, X, costs, options)
            writer.write([*named, *answers])
            if labels is not None:
                measures.add(answers, labels)
    if options.target is not None:
        measures.tell()


def _examples(model: Any, options: Options) -> Iterator[Batch]:
    """All examples of a database."""
    from petree.cli.matching import check_kind

    check_kind(model, options.model_file, is_relational=True)
    model.database = options.open(str(options.database))
    table = model.scope_.relations[0]
    keys = model.database.keys(table)
    relation = model.database.relation(table)
    names = [relation.columns[place].name for place in relation.keys[0]]
    columns = [list(keys)] if len(names) == 1 else list(zip(*keys, strict=True))
    yield list(zip(names, columns, strict=True)), keys, None


def _rows(model: TreeClassifier, data: Path, options: Options) -> Iterator[Batch]:
    """The rows of a file, or of all files of a folder in batches."""
    from petree.cli.matching import check_kind, features_for, known_labels, read_for, tell_of, type_of_target, types_of

    check_kind(model, options.model_file, is_relational=False)
    others = {} if options.id is None else {options.id: "nominal"}
    others |= {} if options.target is None else {options.target: type_of_target(model.classes_)}
    if data.is_dir():
        refuse(options, ("missing_values", "encoding"), "is for a single file; leave it out with a folder.")
        tables = tables_of(data, {**others, **types_of(model), **options.column_types()})
    else:
        tables = iter([read_for(model, data, options, others)])
    n_rows = 0
    for table in tables:
        named: list[WrittenColumn] = [] if options.id is None else [(options.id, _ids(table, options.id, n_rows))]
        features = features_for(model, table)
        labels = None if options.target is None else known_labels(table, options.target, model.classes_)
        if not n_rows:
            tell_of(table, model, others)
        n_rows += table.n_rows
        yield named, features, labels


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
    """Measures of predictions, batch by batch."""

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


def decide(model: TreeClassifier, costs: Path | None, base_rates: str | None) -> NDArray[np.float64] | None:
    """Set the base rates of a model that are given, and return the costs of a file, if any."""
    from petree.cli.matching import by_labels
    from petree.estimators.decisions.costs import read_costs
    from petree.files.costs import read_cost_file

    labels = model.classes_.tolist()
    if base_rates is not None:
        model.set_base_rates(by_labels(numbers_of("--base-rates", base_rates, "yes=0.02,no=0.98"), labels))
    if costs is None:
        return None
    named = {true: by_labels(own, labels) for true, own in read_cost_file(costs).items()}
    try:
        return read_costs(by_labels(named, labels), model.classes_)
    except ValueError as error:
        raise ValueError(f"{costs}: {error}") from None
