"""``petree predict``: classes and probabilities of the rows of a table."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from petree.cli.arguments import AceFolder, DatabaseUrl, ModelFile, OptionalDataFile
from petree.cli.databases import is_relational, read_database
from petree.cli.messages import say
from petree.cli.output import put
from petree.writing import check_output, csv_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def predict(
    model_file: ModelFile,
    data: OptionalDataFile = None,
    database: DatabaseUrl = None,
    ace: AceFolder = None,
    out: Annotated[Path | None, typer.Option(help="CSV file to write, instead of printing.")] = None,
    target: Annotated[str | None, typer.Option(help="Column of true classes: also measure the predictions.")] = None,
) -> None:
    """Predict the class and the probability of each class for every row of a table.

    Columns are found by name, in any order. A tree of related tables predicts all examples of its target table.

    Examples:

    `petree predict model.json new.csv --out predictions.csv`

    `petree predict model.json held_out.csv --target repaid > predictions.csv`

    `petree predict model.json --database sqlite:///molecules.db`
    """
    if is_relational(data, database, ace):
        if target is not None:
            raise ValueError("--target is for predictions of one table; leave it out with --database and --ace.")
        _predict_related(model_file, database, ace, out)
    else:
        assert data is not None
        _predict_table(model_file, data, out, target)


def _predict_related(model_file: Path, url: str | None, ace: Path | None, out: Path | None) -> None:
    from petree import RelationalTreeClassifier, load

    if out is not None:
        check_output(out, model_file)
    model = load(model_file)
    if not isinstance(model, RelationalTreeClassifier):
        raise ValueError(f"{model_file} holds a tree of one table; name the table to predict.")
    model.database = read_database(url, ace)
    table = model.scope_.relations[0]
    keys = model.database.keys(table)
    key = model.database.relation(table).keys[0]
    names = [model.database.relation(table).columns[place].name for place in key]
    columns = [list(keys)] if len(key) == 1 else list(zip(*keys, strict=True))
    named = dict(zip(names, columns, strict=True))
    put(_to_csv(model.classes_, model.predict(keys), model.predict_proba(keys), named), out, "The predictions")


def _predict_table(model_file: Path, data: Path, out: Path | None, target: str | None) -> None:
    from petree import RelationalTreeClassifier, load
    from petree.cli.matching import known_columns, known_labels, tell_ignored, text_names
    from petree.files import read_table

    if out is not None:
        check_output(out, model_file, data)
    model = load(model_file)
    if isinstance(model, RelationalTreeClassifier):
        raise ValueError(f"{model_file} holds a tree of related tables; name them with --database or --ace.")
    table = read_table(data, text_names(model.columns_, model.classes_, target))
    labels = None if target is None else known_labels(table, target, model.classes_)
    features = known_columns(table, model.columns_)
    tell_ignored(table, features, target)
    predicted = model.predict(features)
    probabilities = model.predict_proba(features)
    put(_to_csv(model.classes_, predicted, probabilities), out, "The predictions")
    if labels is not None:
        _print_measures(model.classes_.astype(str), predicted.astype(str), probabilities, labels)


def _to_csv(
    classes: NDArray[Any],
    predicted: NDArray[Any],
    probabilities: NDArray[np.float64],
    keys: dict[str, list[Any]] | None = None,
) -> str:
    """One line per row; `keys` are columns that come first."""
    keys = keys or {}
    head = [*keys, "predicted", *(f"P({label})" for label in classes)]
    before = zip(*keys.values(), strict=True) if keys else ((),) * len(predicted)
    rows = zip(before, predicted.tolist(), probabilities.tolist(), strict=True)
    return csv_text(chain([head], ([*key, label, *row] for key, label, row in rows)))


def _print_measures(
    classes: NDArray[np.str_],
    predicted: NDArray[np.str_],
    probabilities: NDArray[np.float64],
    labels: NDArray[np.str_],
) -> None:
    from petree.evaluation import log2_likelihood

    # Not the accuracy of the most probable classes: class weights can make a model predict another one.
    is_right = predicted == labels
    bits = log2_likelihood(labels, probabilities, classes)
    say(f"accuracy         {is_right.mean():.4f}", err=True)
    say(f"log2 likelihood  {bits * len(labels):.2f} ({bits:.4f} a row)", err=True)
