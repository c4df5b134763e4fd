"""``petree report``: a model as one page to explore."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from petree.cli.arguments import TABLES, ModelFile, TableOptions, options_of
from petree.cli.databases import OF_DATABASES, RelatedOptions
from petree.progress import shown
from petree.writing import check_output

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from petree.estimators.base import TreeClassifier
    from petree.estimators.relational.examples import ExampleReader

# Rows or keys, and their classes where they are named.
Cases: TypeAlias = "tuple[Any, NDArray[Any] | None]"


@dataclass(frozen=True, kw_only=True)
class Options(TableOptions, RelatedOptions):
    """What `petree report` is asked for."""

    model_file: ModelFile
    out: Annotated[Path, typer.Option(help="HTML file to write.")]
    data: Annotated[Path | None, typer.Option(help=f"Table of rows to try the model on: {TABLES}")] = None
    target: Annotated[
        str | None,
        typer.Option(help="Column of the true classes: also measure the model. Of related tables like molecule.class."),
    ] = None

    def check(self) -> None:
        """Raise for options that do not go together, before anything long begins."""
        given = [value for value in (self.data, self.source) if value is not None]
        if given:
            self.is_related(self.data)
        else:
            self.check_options()
        if self.target is not None and not given:
            raise ValueError("--target names a column of a table; name the table, too, with --data or --database.")
        if self.data is None:
            self.refuse_related(())
        check_output(self.out, self.model_file, *([] if self.data is None else [self.data]))

    @property
    def command(self) -> str:
        """The command that makes the page again."""
        related = ("database", *OF_DATABASES, "ace")
        names = ("data", *related, "target", "types", "missing_values", "encoding", "out")
        given = [
            str(word)
            for name in names
            for value in _each(vars(self)[name])
            for word in (f"--{name.replace('_', '-')}", value)
        ]
        return shlex.join(["petree", "report", str(self.model_file), *given])


def _each(value: Any) -> list[Any]:
    """The values that an option was given: none, one or several."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


@options_of(Options)
def report(options: Options) -> None:
    """Make a page to explore a model: its tree, the answer for any row, its rules, and how good it is on a table.

    The page is one file that needs no network. The first 500 rows of the table are in it, with all their values; of
    related tables the first 500 examples, with the rows behind their answers.

    Examples:

    `petree report model.json --out report.html`

    `petree report model.json --data test.csv --target class --out report.html`

    `petree report model.json --database sqlite:///molecules.db --target molecule.class --out report.html`
    """
    options.check()
    from petree import load, make_report

    with shown(f"Reading {options.model_file}"):
        model = load(options.model_file)
    with shown("Reading the data"):
        X, y = _read_cases(model, options)
    with shown("Making the page"):
        page = make_report(model, X, y, command=options.command)
    page.save(options.out)


def _read_cases(model: TreeClassifier, options: Options) -> Cases:
    """What a model is tried on, if anything is named."""
    from petree.estimators.relational.examples import ExampleReader

    is_related = isinstance(model, ExampleReader)
    if is_related and options.data is not None:
        raise ValueError(
            f"{options.model_file} holds a tree of related tables, which is not tried on one table; name them with "
            "--database or --ace."
        )
    if options.source is not None:
        if not isinstance(model, ExampleReader):
            raise ValueError(f"{options.model_file} holds a tree of one table; name the table with --data.")
        return _read_examples(model, options)
    return (None, None) if options.data is None else _read_rows(model, options.data, options)


def _read_examples(model: ExampleReader, options: Options) -> Cases:
    """The keys of all examples of the tables, and their classes; a folder of ACE itself says where these are."""
    from petree.estimators.relational.target import read_target

    table = model.scope_.relations[0]
    database = options.read()
    model.database = database
    target = options.target or database.target
    if target is None:
        return database.keys(table), None
    if read_target(target, database)[0] != table or target in database.relations:
        raise ValueError(f"--target must name a column of {table!r}, the table of the examples: such as {table}.class.")
    return database.keys(table), database.labels(target)


def _read_rows(model: TreeClassifier, data: Path, options: Options) -> Cases:
    """The columns of the model, and the classes where they are named."""
    from petree.cli.matching import known_labels, table_for, tell_of, type_of_target

    target = options.target
    others = {} if target is None else {target: type_of_target(model.classes_)}
    table, features = table_for(model, data, options, others)
    labels = None if target is None else _spelled(model.classes_, known_labels(table, target, model.classes_))
    tell_of(table, model, others)
    return features, labels


def _spelled(classes: NDArray[Any], labels: NDArray[np.str_]) -> NDArray[Any]:
    """The model's own labels of these spellings."""
    own = dict(zip(classes.astype(str).tolist(), range(len(classes)), strict=True))
    return classes[[own[label] for label in labels.tolist()]]
