"""``petree report``: a model as one page to explore."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from petree.cli.arguments import OF_TABLES, TABLES, ModelFile, TableOptions, options_of, refuse
from petree.cli.databases import DatabaseOptions
from petree.progress import shown
from petree.writing import check_output

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from petree.estimators.base import TreeClassifier

# Rows or keys, and their classes if they are given.
Cases: TypeAlias = "tuple[Any, NDArray[Any] | None]"


@dataclass(frozen=True, kw_only=True)
class Options(TableOptions, DatabaseOptions):
    """The options of `petree report`."""

    model_file: ModelFile
    data: Annotated[Path | None, typer.Option(help=f"Table of rows to predict (none): {TABLES}")] = None
    target: Annotated[
        str | None,
        typer.Option(help="Column of true classes, to measure the model (none); of a database like molecule.class."),
    ] = None
    out: Annotated[Path, typer.Option(help="HTML file to write.")]

    def check(self) -> None:
        """Raise for options that exclude each other, before long work begins."""
        if self.data is not None or self.database is not None:
            self.check_source(self.data)
        else:
            self.check_options()
            refuse(self, ("target", *OF_TABLES), "is for data; name them with --data or --database.")
        check_output(self.out, *(path for path in (self.model_file, self.data) if path is not None))

    @property
    def command(self) -> str:
        """The command that makes the page again."""
        words = ["petree", "report", str(self.model_file)]
        for name, value in vars(self).items():
            option = f"--{name.replace('_', '-')}"
            if value is True:
                words.append(option)
            elif value and name != "model_file":
                words += [
                    word for one in (value if isinstance(value, list) else [value]) for word in (option, str(one))
                ]
        return shlex.join(words)


@options_of(Options)
def report(options: Options) -> None:
    """Make a page to explore a model: its tree, the prediction of any row, its rules, and how good it is on a table.

    The page is one file that needs no network. It contains the first 500 rows of the table, or of a database the first
    500 examples with the rows behind their predictions.

    Examples:

    `petree report model.json --out report.html`

    `petree report model.json --data test.csv --target class --out report.html`

    `petree report model.json --database sqlite:///molecules.db --target molecule.class --out report.html`
    """
    options.check()
    from petree import load, make_report
    from petree.cli.matching import check_kind

    with shown(f"Reading {options.model_file}"):
        model = load(options.model_file)
    X, y = None, None
    with shown("Reading the data"):
        if options.data is not None or options.database is not None:
            check_kind(model, options.model_file, is_relational=options.data is None)
            X, y = _read_examples(model, options) if options.data is None else _read_rows(model, options.data, options)
    with shown("Making the page"):
        page = make_report(model, X, y, command=options.command)
    page.save(options.out)


def _read_examples(model: Any, options: Options) -> Cases:
    """The keys of all examples of the database, and their classes if they are named."""
    from petree.estimators.relational.target import read_target

    table, target = model.scope_.relations[0], options.target
    database = model.database = options.open(str(options.database))
    if target is None:
        return database.keys(table), None
    if read_target(target, database)[0] != table or target in database.relations:
        raise ValueError(f"--target must name a column of {table!r}, the table of the examples: such as {table}.class.")
    return database.keys(table), database.labels(target)


def _read_rows(model: TreeClassifier, data: Path, options: Options) -> Cases:
    """The columns of the model, and the classes if they are named."""
    from petree.cli.matching import features_for, known_labels, read_for, tell_of, type_of_target

    target, classes = options.target, model.classes_
    others = {} if target is None else {target: type_of_target(classes)}
    table = read_for(model, data, options, others)
    features = features_for(model, table)
    labels = None
    if target is not None:  # in the model's own type
        own = {str(label): place for place, label in enumerate(classes)}
        labels = classes[[own[label] for label in known_labels(table, target, classes)]]
    tell_of(table, model, others)
    return features, labels
