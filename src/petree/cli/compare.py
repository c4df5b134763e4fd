"""``petree compare``: which method suits these data?"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from petree.cli.arguments import Processes, Seed, options_of
from petree.cli.messages import can_draw, check_folder, say, tell
from petree.progress import shown

if TYPE_CHECKING:
    from petree.experiments.data import DataSet
    from petree.files import FileTable

METHODS = "rand,chi,mdl-p,bic-p,tilde-c4.5,none,default,sklearn"


@dataclass(frozen=True)
class Options:
    """What `petree compare` is asked for."""

    data: Annotated[list[Path], typer.Argument(help="Tables to read: CSV, ARFF (both also gzipped) or Parquet.")]
    target: Annotated[str, typer.Option(help="Column that holds the class, in every table.")]
    out: Annotated[Path, typer.Option(help="Folder for results, tables and pictures; a started one goes on.")]
    methods: Annotated[
        str,
        typer.Option(
            help="Presets, pruning criteria, default, option, sklearn, forest, boosting, or import paths of "
            "classifiers with parameters in brackets (which runs the code of their modules); commas between them. "
            "Others are compared with the first."
        ),
    ] = METHODS
    runs: Annotated[int, typer.Option(min=1, max=1000, help="Number of cross-validations.")] = 10
    folds: Annotated[int, typer.Option(min=2, help="Folds of each.")] = 5
    seed: Seed = 0
    jobs: Processes = -1
    learning_curve: Annotated[bool, typer.Option("--learning-curve", help="Learn from smaller parts too.")] = False

    @property
    def command(self) -> str:
        """What makes the same page."""
        numbers = {"--runs": self.runs, "--folds": self.folds, "--seed": self.seed, "--out": self.out}
        words = ["petree", "compare", *map(str, self.data), "--target", self.target, "--methods", self.methods]
        words += [word for name, value in numbers.items() for word in (name, str(value))]
        return shlex.join(words + ["--learning-curve"] * self.learning_curve)


@options_of(Options)
def compare(options: Options) -> None:
    """Compare methods on tables of your own by repeated cross-validation.

    Interrupted work goes on where it stopped, and a new method or table computes itself only.

    Examples:

    `petree compare loans.csv --target repaid --out comparison`

    `petree compare a.csv b.csv --target class --out comparison --methods rand,c4.5,sklearn --runs 2`

    `petree compare loans.csv --target repaid --out comparison --methods
    "rand,forest=sklearn.ensemble.RandomForestClassifier(n_estimators=100)"`
    """
    from rich.console import Console

    from petree.experiments.comparison import Comparison
    from petree.experiments.methods import find_methods
    from petree.files import Reading, read_table
    from petree.locking import locked_folder

    methods = find_methods(options.methods)
    with shown("Reading"):
        tables = [read_table(path, Reading({options.target: "label"})) for path in options.data]
        data_sets = [_data_set(table, options.target) for table in tables]
    _check(data_sets, options)
    pictures = can_draw()
    protocol = (options.runs, options.folds, options.seed, options.jobs)
    with locked_folder(options.out):
        comparison = Comparison(data_sets, methods, options.out, *protocol)
        with shown("Comparing"):
            page = comparison.page(pictures, options.learning_curve, options.command)
            files = page.write(options.out, "comparison")
    page.print(Console())
    for table in tables:
        tell(table)
    say(f"written   {len(files)} files to {options.out}, comparison.html first")


def _data_set(table: FileTable, target: str) -> DataSet:
    from petree.cli.matching import kind_of, training_table
    from petree.experiments.data import DataSet
    from petree.inputs import table_of

    features, labels, _ = training_table(table, target, None)
    for name, values in features.items():
        if kind_of(values) == "dates and times":  # other learners take numbers
            features[name] = table_of({name: values}).arrays[0]
    return DataSet(Path(table.path.name.removesuffix(".gz")).stem, features, labels.astype(str))


def _check(data_sets: list[DataSet], options: Options) -> None:
    names = [data.name for data in data_sets]
    for data in data_sets:
        if names.count(data.name) > 1:
            raise ValueError(f"Two tables are called {data.name!r}; rename one of the files.")
        if data.n_rows < options.folds:
            raise ValueError(
                f"{data.name} has {data.n_rows} rows, too few for {options.folds} folds; take fewer with --folds."
            )
    check_folder(options.out)
