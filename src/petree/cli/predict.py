"""``petree predict``: classes and probabilities of the rows of a table."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from petree.cli.arguments import DataFile, ModelFile
from petree.cli.messages import note
from petree.cli.output import put
from petree.writing import check_output

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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
    from petree import load
    from petree.cli.matching import known_columns, known_labels, text_names
    from petree.files import read_table

    if out is not None:
        check_output(out, model_file, data)
    model = load(model_file)
    table = read_table(data, text_names(model.columns_, model.classes_, target))
    labels = None if target is None else known_labels(table, target, model.classes_)
    features = known_columns(table, model.columns_)
    extra = [name for name in table.names if name not in features and name != target]
    if extra:
        note(f"ignoring columns that the model does not know: {', '.join(extra)}.")
    predicted, probabilities = model.predict(features), model.predict_proba(features)
    put(_to_csv(model.classes_, predicted, probabilities), out, "The predictions")
    if labels is not None:
        _print_measures(model.classes_.astype(str), predicted.astype(str), probabilities, labels)


def _to_csv(classes: NDArray[Any], predicted: NDArray[Any], probabilities: NDArray[np.float64]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")  # it writes a float by repr, hence exactly
    writer.writerow(["predicted", *(f"P({label})" for label in classes)])
    writer.writerows([label, *row] for label, row in zip(predicted.tolist(), probabilities.tolist(), strict=True))
    return stream.getvalue()


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
    typer.echo(f"accuracy         {is_right.mean():.4f}", err=True)
    typer.echo(f"log2 likelihood  {bits * len(labels):.2f} ({bits:.4f} a row)", err=True)
