"""``petree report``: a model as one page to explore."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from petree.cli.arguments import ModelFile
from petree.cli.messages import status
from petree.writing import check_output

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from petree.estimators.base import TreeClassifier


def report(
    model_file: ModelFile,
    out: Annotated[Path, typer.Option(help="HTML file to write.")],
    data: Annotated[Path | None, typer.Option(help="Table of rows to try the model on: CSV, ARFF or Parquet.")] = None,
    target: Annotated[str | None, typer.Option(help="Column of its true classes: also measure the model.")] = None,
) -> None:
    """Make a page to explore a model: its tree, the answer for any row, its rules, and how good it is on a table.

    The page is one file that needs no network. The first 500 rows of the table are in it, with all their values.

    Examples:

    `petree report model.json --out report.html`

    `petree report model.json --data test.csv --target class --out report.html`
    """
    from petree import load, make_report

    if target is not None and data is None:
        raise ValueError("--target names a column of a table; name the table, too, with --data.")
    check_output(out, model_file, *([] if data is None else [data]))
    with status("reading the model"):
        model = load(model_file)
    features = None
    labels = None
    if data is not None:
        with status("reading the table"):
            features, labels = _read_rows(model, model_file, data, target)
    with status("making the page"):
        make_report(model, features, labels, command=_command(model_file, out, data, target)).save(out)


def _read_rows(
    model: TreeClassifier, model_file: Path, data: Path, target: str | None
) -> tuple[dict[str, NDArray[Any]], NDArray[Any] | None]:
    """The columns of the model, and the classes where they are named."""
    from petree import RelationalTreeClassifier
    from petree.cli.arguments import TableOptions
    from petree.cli.matching import known_labels, table_for, tell_of, type_of_target

    if isinstance(model, RelationalTreeClassifier):
        raise ValueError(
            f"{model_file} holds a tree of related tables, which is not tried on one table; leave out --data, or use "
            "petree.make_report with the keys of examples."
        )
    others = {} if target is None else {target: type_of_target(model.classes_)}
    table, features = table_for(model, data, TableOptions(), others)
    labels = None if target is None else _spelled(model.classes_, known_labels(table, target, model.classes_))
    tell_of(table, model, others)
    return features, labels


def _spelled(classes: NDArray[Any], labels: NDArray[np.str_]) -> NDArray[Any]:
    """The model's own labels of these spellings."""
    own = dict(zip(classes.astype(str).tolist(), range(len(classes)), strict=True))
    return classes[[own[label] for label in labels.tolist()]]


def _command(model_file: Path, out: Path, data: Path | None, target: str | None) -> str:
    """The command that makes the page again."""
    options = {"--data": data, "--target": target, "--out": out}
    given = [str(word) for name, value in options.items() if value is not None for word in (name, value)]
    return shlex.join(["petree", "report", str(model_file), *given])
