"""``python -m lab.compare``: methods side by side on tables of your own."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console

from lab.command_line import Processes, Seed, can_draw, check_folder, note, run, say
from lab.experiments.comparison import Comparison
from lab.experiments.data import DataSet
from lab.experiments.methods import find_methods
from petree.files import FileTable, Reading, read_table
from petree.inputs import table_of
from petree.locking import locked_folder
from petree.progress import shown

METHODS = "rand,chi,mdl-p,bic-p,tilde-c4.5,none,default,sklearn"


def compare(
    data: Annotated[list[Path], typer.Argument(help="Tables to read: CSV, ARFF (both also gzipped) or Parquet.")],
    target: Annotated[str, typer.Option(help="Column that holds the class, in every table.")],
    out: Annotated[Path, typer.Option(help="Folder for results, tables and pictures; existing results are resumed.")],
    methods: Annotated[
        str,
        typer.Option(
            help="Presets, pruning criteria, default, option, sklearn, forest, boosting, or import paths of "
            "classifiers with parameters in brackets (which runs the code of their modules), separated by commas. "
            "The others are compared with the first."
        ),
    ] = METHODS,
    runs: Annotated[int, typer.Option(min=1, max=1000, help="Number of cross-validations.")] = 10,
    folds: Annotated[int, typer.Option(min=2, help="Number of folds of each.")] = 5,
    seed: Seed = 0,
    jobs: Processes = -1,
    learning_curve: Annotated[bool, typer.Option("--learning-curve", help="Learn from smaller parts too.")] = False,
) -> None:
    """Compare methods on tables of your own by repeated cross-validation.

    Interrupted work is resumed, and adding a method or a table computes only the new results.

    Examples:

    `python -m lab.compare loans.csv --target repaid --out comparison`

    `python -m lab.compare a.csv b.csv --target class --out comparison --methods rand,c4.5,sklearn --runs 2`

    `python -m lab.compare loans.csv --target repaid --out comparison --methods
    "rand,forest=sklearn.ensemble.RandomForestClassifier(n_estimators=100)"`
    """
    numbers = {"--runs": runs, "--folds": folds, "--seed": seed, "--out": out}
    words = ["python", "-m", "lab.compare", *map(str, data), "--target", target, "--methods", methods]
    words += [word for name, value in numbers.items() for word in (name, str(value))]
    command = shlex.join(words + ["--learning-curve"] * learning_curve)
    chosen = find_methods(methods)
    with shown("Reading"):
        tables = [read_table(path, Reading({target: "label"})) for path in data]
        data_sets = [data_set_of(table, target) for table in tables]
    _check(data_sets, folds)
    check_folder(out)
    pictures = can_draw()
    with locked_folder(out):
        comparison = Comparison(data_sets, chosen, out, runs, folds, seed, jobs)
        with shown("Comparing"):
            page = comparison.page(pictures, learning_curve, command)
            files = page.write(out, "comparison")
    page.print(Console())
    for sentence in (sentence for table in tables for sentence in table.notes):
        note(sentence)
    say(f"written   {len(files)} files to {out}, comparison.html first")


def data_set_of(table: FileTable, target: str) -> DataSet:
    """Return the table of a file as a data set; dates and times become numbers, as other learners need them."""
    labels = table.column(target)
    for row in np.flatnonzero(labels == None)[:1]:  # noqa: E711
        raise ValueError(f"The target {target!r} is missing in {table.place(row)}; fill it in or remove the row.")
    if len(set(labels)) == 1:
        raise ValueError(
            f"The target {target!r} of {table.path} has only one class, {str(labels[0])!r}; at least two are needed to "
            "learn."
        )
    features = table.without(target)
    if not features:
        raise ValueError(f"{table.path} has no column to learn from besides the target; add at least one.")
    columns = {name: _plain(name, values) for name, values in features.items()}
    return DataSet(Path(table.path.name.removesuffix(".gz")).stem, columns, labels.astype(str))


def _plain(name: str, values: np.ndarray) -> np.ndarray:
    is_text = values.dtype.kind == "O" and all(value is None or isinstance(value, str) for value in values)
    return values if is_text or values.dtype.kind == "f" else table_of({name: values}).arrays[0]


def _check(data_sets: list[DataSet], folds: int) -> None:
    names = [data.name for data in data_sets]
    for data in data_sets:
        if names.count(data.name) > 1:
            raise ValueError(f"Two tables are called {data.name!r}; rename one of the files.")
        if data.n_rows < folds:
            raise ValueError(f"{data.name} has {data.n_rows} rows, too few for {folds} folds; take fewer with --folds.")


if __name__ == "__main__":
    run(compare)
