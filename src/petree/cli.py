"""The command ``petree``: learn a tree from a file, predict with it, read it.

Everything but typer is imported inside the commands, so that ``petree --help`` answers at once.
"""

from __future__ import annotations

import contextlib
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from petree.columns import Column
    from petree.files import FileTable

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown")

DataFile = Annotated[Path, typer.Argument(help="Table to read: CSV, ARFF (both also gzipped) or Parquet.")]
ModelFile = Annotated[Path, typer.Argument(help="Model written by `petree fit`.")]
MOST_CLASSES = 10  # in the summary of a fit


class Format(StrEnum):
    """The ways to show a tree."""

    text = "text"
    rules = "rules"
    html = "html"


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        from petree import __version__

        typer.echo(f"petree {__version__}")
        raise typer.Exit()


@app.callback(invoke_without_command=True)
def petree(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Decision trees whose class probabilities can be trusted.

    Begin with `petree demo`, or with a table of your own:

    `petree fit data.csv --target class --out model.json`

    An error is one line; add `--debug` anywhere to see where it arose.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def fit(
    data: DataFile,
    target: Annotated[str, typer.Option(help="Column that holds the class.")],
    out: Annotated[Path, typer.Option(help="Model file to write (JSON).")],
    split: Annotated[str | None, typer.Option(help="Split score, such as gain.")] = None,
    pruning: Annotated[str | None, typer.Option(help="Pruning criterion, such as none.")] = None,
    smoothing: Annotated[str | None, typer.Option(help="Estimate in the leaves, such as laplace.")] = None,
    tests: Annotated[str | None, typer.Option(help="Kind of tests: binary or multiway.")] = None,
    binning: Annotated[str | None, typer.Option(help="Thresholds of numbers, such as quantile.")] = None,
    min_samples_leaf: Annotated[int | None, typer.Option(help="Fewest rows in a leaf.")] = None,
    max_depth: Annotated[int | None, typer.Option(help="Most tests on a path.")] = None,
    min_gain: Annotated[float | None, typer.Option(help="Least score of a split.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of everything random.")] = None,
    jobs: Annotated[int | None, typer.Option(help="Number of threads.")] = None,
    weight: Annotated[str | None, typer.Option(help="Column that holds the weight of each row.")] = None,
) -> None:
    """Learn a tree from a table and write it to a model file.

    Examples:

    `petree fit loans.csv --target repaid --out model.json`

    `petree fit loans.parquet --target repaid --out model.json --tests multiway --min-samples-leaf 20`
    """
    from petree import ProbabilityTreeClassifier
    from petree.files import check_output, read_table
    from petree.storage import save

    check_output(out)
    clock = _Clock()
    with _status(f"Reading {data}"):
        table = read_table(data)
    labels, weights = _labels(table, target), None if weight is None else _weights(table, weight, target)
    features = table.select(name for name in table.names if name not in (target, weight))
    if not features:
        raise ValueError(f"{data} has no column to learn from besides the target; add at least one.")
    clock.lap("reading")
    options: dict[str, Any] = {
        "split": split,
        "pruning": pruning,
        "smoothing": smoothing,
        "tests": tests,
        "binning": binning,
        "min_samples_leaf": min_samples_leaf,
        "max_depth": max_depth,
        "min_gain": min_gain,
        "random_state": seed,
        "n_jobs": jobs,
    }
    model = ProbabilityTreeClassifier(**{name: value for name, value in options.items() if value is not None})
    with _status("Learning"):
        model.fit(features, labels, sample_weight=weights)
    clock.lap("learning")
    save(model, out)
    clock.lap("writing")
    _print_summary(model, features, labels, clock, out)


def _is_missing(values: NDArray[Any]) -> NDArray[np.bool_]:
    import numpy as np

    nothing: Any = None  # compared with each value
    return np.asarray(np.isnan(values) if values.dtype.kind == "f" else values == nothing, bool)


def _labels(table: FileTable, target: str) -> NDArray[Any]:
    """The classes, none missing; whole numbers as integers so that they read as in the file."""
    import numpy as np

    values = table.column(target)
    for row in np.flatnonzero(_is_missing(values))[:1]:
        raise ValueError(f"The target {target!r} is missing in {table.place(row)}; fill it in or remove the row.")
    if values.dtype.kind != "f":
        return values
    is_whole = (values == np.rint(values)) & (np.abs(values) < 2**53)
    for row in np.flatnonzero(~is_whole)[:1]:
        raise ValueError(f"The target {target!r} must hold classes, but {table.place(row)} has {values[row]}.")
    return values.astype(np.int64)


def _weights(table: FileTable, name: str, target: str) -> NDArray[np.float64]:
    import numpy as np

    weights = table.column(name)
    if name == target:
        raise ValueError(f"Column {name!r} cannot be both the target and the weight.")
    if weights.dtype.kind != "f":
        raise ValueError(f"The weight {name!r} of {table.path} must hold numbers only.")
    for row in np.flatnonzero(np.isnan(weights))[:1]:
        raise ValueError(f"The weight {name!r} is missing in {table.place(row)}; fill it in or remove the row.")
    return weights


def _print_summary(
    model: Any, features: dict[str, NDArray[Any]], labels: NDArray[Any], clock: _Clock, out: Path
) -> None:
    n_numbers = sum(values.dtype.kind == "f" for values in features.values())
    classes = [f"{label} ({count})" for label, count in Counter(labels.tolist()).most_common(MOST_CLASSES)]
    n_more = len(model.classes_) - len(classes)
    typer.echo(f"rows      {len(labels)}")
    typer.echo(f"columns   {len(features)} ({n_numbers} of numbers, {len(features) - n_numbers} of text)")
    typer.echo(f"classes   {', '.join(classes)}{f' and {n_more} more' if n_more > 0 else ''}")
    typer.echo(f"tree      {model.get_n_leaves()} leaves, depth {model.get_depth()}")
    typer.echo(f"seconds   {clock}")
    typer.echo(f"written   {out}")


@app.command()
def predict(
    model_file: ModelFile,
    data: DataFile,
    out: Annotated[Path | None, typer.Option(help="CSV file to write, instead of printing.")] = None,
    target: Annotated[str | None, typer.Option(help="Column of true classes: also measure the predictions.")] = None,
) -> None:
    """Predict the class and the probability of each class for every row of a table.

    Columns are found by name, in any order.

    Examples:

    `petree predict model.json new.csv --out predictions.csv`

    `petree predict model.json held_out.csv --target repaid > predictions.csv`
    """
    from petree.files import check_output, read_table, write_text
    from petree.storage import load

    if out is not None:
        check_output(out)
    model = load(model_file)
    text_names = {column.name for column in model.columns_ if _is_text(column)}
    if target is not None and model.classes_.dtype.kind not in "iu":
        text_names.add(target)
    table = read_table(data, text=text_names)
    labels = None if target is None else _known_labels(table, target, model.classes_)
    features = _known_columns(table, model.columns_)
    extra = [name for name in table.names if name not in features and name != target]
    if extra:
        _note(f"ignoring columns that the model does not know: {', '.join(extra)}.")
    predicted, probabilities = model.predict(features), model.predict_proba(features)
    text = _predictions_csv(model.classes_, predicted, probabilities)
    if out is None:
        typer.echo(text, nl=False)
    else:
        write_text(out, text)
    if labels is not None:
        _print_measures(model.classes_, predicted, probabilities, labels)


def _known_labels(table: FileTable, target: str, classes: NDArray[Any]) -> NDArray[np.str_]:
    """The true classes in the model's own spelling."""
    import numpy as np

    labels = _labels(table, target).astype(str)
    for row in np.flatnonzero(~np.isin(labels, classes.astype(str)))[:1]:
        raise ValueError(
            f"The class {str(labels[row])!r} in {table.place(row)} is unknown to the model; "
            f"it knows {', '.join(classes.astype(str))}."
        )
    return labels


def _is_text(column: Column) -> bool:
    """Whether a file holds the column as text; categories can also be numbers."""
    return any(isinstance(category, (str, bool)) for category in column.categories)


def _known_columns(table: FileTable, columns: Sequence[Column]) -> dict[str, NDArray[Any]]:
    """The model's columns of the table, each of the kind that the model learned."""
    missing = [column.name for column in columns if column.name not in table.names]
    if missing:
        raise ValueError(f"{table.path} lacks these columns of the model: {', '.join(missing)}.")
    return {column.name: _known_column(table, column) for column in columns}


def _known_column(table: FileTable, column: Column) -> NDArray[Any]:
    import numpy as np

    values, name = table.column(column.name), column.name
    if _is_missing(values).all():  # a file cannot say of what kind an empty column is
        return np.full(table.n_rows, np.nan)
    if _is_text(column) and values.dtype.kind == "f":
        raise ValueError(f"Column {name!r} of {table.path} holds numbers, but the model learned it as text.")
    if not _is_text(column) and values.dtype.kind != "f":
        row = next((row for row, value in enumerate(values) if not _is_number(value)), 0)
        raise ValueError(
            f"Column {name!r} must hold numbers as in the model, but {table.place(row)} has {values[row]!r}."
        )
    has_truths = any(isinstance(category, bool) for category in column.categories)
    return _to_truths(table, name, values) if has_truths else values


def _to_truths(table: FileTable, name: str, values: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    truths = {"true": True, "false": False, None: None}
    words = [value and value.lower() for value in values]
    for row in [row for row, word in enumerate(words) if word not in truths][:1]:
        raise ValueError(f"Column {name!r} must hold true or false, but {table.place(row)} has {values[row]!r}.")
    return np.array([truths[word] for word in words], object)


def _is_number(value: str | None) -> bool:
    try:
        float(value or "nan")
    except ValueError:
        return False
    return True


def _predictions_csv(classes: NDArray[Any], predicted: NDArray[Any], probabilities: NDArray[np.float64]) -> str:
    import csv
    import io

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")  # it writes a float by repr, hence exactly
    writer.writerow(["predicted", *(f"P({label})" for label in classes)])
    writer.writerows([label, *row] for label, row in zip(predicted.tolist(), probabilities.tolist(), strict=True))
    return stream.getvalue()


def _print_measures(
    classes: NDArray[Any], predicted: NDArray[Any], probabilities: NDArray[np.float64], labels: NDArray[np.str_]
) -> None:
    from petree.demo import log2_likelihood

    bits = log2_likelihood(classes.astype(str), probabilities, labels)
    typer.echo(f"accuracy         {(predicted.astype(str) == labels).mean():.4f}", err=True)
    typer.echo(f"log2 likelihood  {bits:.2f} ({bits / len(labels):.4f} a row)", err=True)


@app.command()
def show(
    model_file: ModelFile,
    form: Annotated[Format, typer.Option("--format", help="How to show the tree.")] = Format.text,
    out: Annotated[Path | None, typer.Option(help="File to write, instead of printing.")] = None,
) -> None:
    """Show a tree as text, as rules or as a page.

    Examples:

    `petree show model.json`

    `petree show model.json --format html --out tree.html`
    """
    from petree import reading
    from petree.files import write_text
    from petree.storage import load

    views = {Format.text: reading.export_text, Format.rules: reading.rules, Format.html: reading.to_html}
    view = views[form](load(model_file))
    text = view if isinstance(view, str) else "\n".join(view)
    if out is None:
        typer.echo(text.rstrip("\n"))
    else:
        write_text(out, text.rstrip("\n") + "\n")


@app.command()
def demo() -> None:
    """Learn two small trees, print and measure them; needs no file and no network.

    Example:

    `petree demo`
    """
    from petree.demo import run

    run()


# -- around the commands --------------------------------------------------------------------------------


class _Clock:
    """Seconds of each part of the work."""

    def __init__(self) -> None:
        self.parts: dict[str, float] = {}
        self.since = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.parts[name], self.since = now - self.since, now

    def __str__(self) -> str:
        return ", ".join(f"{name} {seconds:.2f}" for name, seconds in self.parts.items())


def _note(sentence: str) -> None:
    typer.echo(f"petree: note: {sentence}", err=True)


@contextlib.contextmanager
def _status(doing: str) -> Iterator[None]:
    """A moving line on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{doing} ..."):
        yield


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; every error becomes one line and an exit code (2: bad input, 1: anything else)."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", UserWarning)
            warnings.showwarning = lambda message, *_, **__: _note(str(message))
            code = app([word for word in given if word != "--debug"], prog_name="petree", standalone_mode=False)
    except Exception as error:
        if "--debug" in given:
            traceback.print_exc()
        sentence, code = _explain(error)
        typer.echo(f"petree: {sentence}", err=True)
    sys.exit(code if isinstance(code, int) else 0)


def _explain(error: Exception) -> tuple[str, int]:
    """One line and an exit code."""
    if hasattr(error, "format_message"):  # a mistake in the command line itself, found by typer
        return " ".join(error.format_message().split()), 2
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'system'}: {error.strerror}", 2
    if isinstance(error, (ValueError, TypeError, OSError, ImportError)):
        return " ".join(str(error).split()), 2
    return f"unexpected {type(error).__name__}: {' '.join(str(error).split())} (--debug shows where)", 1
