"""``petree predict``: classes and probabilities of the rows of a table."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from reprlib import repr as short
from typing import TYPE_CHECKING, Annotated, Any

import typer

from petree.cli.arguments import AceFolder, DatabaseUrl, ModelFile, OptionalDataFile
from petree.cli.databases import is_relational, read_database
from petree.cli.messages import note, say
from petree.cli.output import put
from petree.words import visible
from petree.writing import check_output, csv_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from petree.estimators.base import TreeClassifier


def predict(
    model_file: ModelFile,
    data: OptionalDataFile = None,
    database: DatabaseUrl = None,
    ace: AceFolder = None,
    out: Annotated[Path | None, typer.Option(help="CSV file to write, instead of printing.")] = None,
    target: Annotated[str | None, typer.Option(help="Column of true classes: also measure the predictions.")] = None,
    costs: Annotated[
        Path | None, typer.Option(help="What answers cost, CSV or JSON: predict the class of least expected cost.")
    ] = None,
    base_rates: Annotated[
        str | None, typer.Option(help="Rates of all classes to answer for, such as yes=0.02,no=0.98.")
    ] = None,
) -> None:
    """Predict the class and the probability of each class for every row of a table.

    Columns are found by name, in any order. A tree of related tables predicts all examples of its target table.

    Examples:

    `petree predict model.json new.csv --out predictions.csv`

    `petree predict model.json held_out.csv --target repaid > predictions.csv`

    `petree predict model.json --database sqlite:///molecules.db`

    `petree predict model.json new.csv --costs costs.csv --base-rates yes=0.02,no=0.98`

    A file of costs has the true classes in its first column and the answers in its first line, or is a JSON object
    like {"yes": {"no": 10}, "no": {"yes": 1}}.
    """
    decision = Decision(costs, base_rates)
    if is_relational(data, database, ace):
        if target is not None:
            raise ValueError("--target is for predictions of one table; leave it out with --database and --ace.")
        _predict_related(model_file, database, ace, out, decision)
    else:
        assert data is not None
        _predict_table(model_file, data, out, target, decision)


def _predict_related(model_file: Path, url: str | None, ace: Path | None, out: Path | None, decision: Decision) -> None:
    from petree import RelationalTreeClassifier, load

    if out is not None:
        check_output(out, model_file, *decision.files)
    model = load(model_file)
    if not isinstance(model, RelationalTreeClassifier):
        raise ValueError(f"{model_file} holds a tree of one table; name the table to predict.")
    costs = decision.apply_to(model)
    model.database = read_database(url, ace)
    table = model.scope_.relations[0]
    keys = model.database.keys(table)
    key = model.database.relation(table).keys[0]
    names = [model.database.relation(table).columns[place].name for place in key]
    columns = [list(keys)] if len(key) == 1 else list(zip(*keys, strict=True))
    named = dict(zip(names, columns, strict=True))
    predicted = model.predict(keys, costs)
    put(_to_csv(model.classes_, predicted, model.predict_proba(keys), named), out, "The predictions")


def _predict_table(model_file: Path, data: Path, out: Path | None, target: str | None, decision: Decision) -> None:
    from petree import RelationalTreeClassifier, load
    from petree.cli.matching import known_columns, known_labels, text_names
    from petree.files import read_table

    if out is not None:
        check_output(out, model_file, data, *decision.files)
    model = load(model_file)
    if isinstance(model, RelationalTreeClassifier):
        raise ValueError(f"{model_file} holds a tree of related tables; name them with --database or --ace.")
    costs = decision.apply_to(model)
    table = read_table(data, text_names(model.columns_, model.classes_, target))
    labels = None if target is None else known_labels(table, target, model.classes_)
    features = known_columns(table, model.columns_)
    extra = [name for name in table.names if name not in features and name != target]
    if extra:
        note(f"ignoring columns that the model does not know: {', '.join(map(visible, extra))}.")
    predicted = model.predict(features, costs)
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


# -- what is decided by -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Decision:
    """A file of costs, and base rates such as ``yes=0.02,no=0.98``."""

    costs: Path | None = None
    base_rates: str | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that are read, which nothing may be written over."""
        return () if self.costs is None else (self.costs,)

    def apply_to(self, model: TreeClassifier) -> NDArray[np.float64] | None:
        """Set the base rates of a model; what its answers cost, or None."""
        from petree.estimators.decisions.costs import read_costs
        from petree.files.costs import read_cost_file

        if self.base_rates is not None:
            model.set_base_rates(_of_classes(_parse_rates(self.base_rates), model))
        if self.costs is None:
            return None
        named = {true: _of_classes(own, model) for true, own in read_cost_file(self.costs).items()}
        try:
            return read_costs(_of_classes(named, model), model.classes_)
        except ValueError as error:
            raise ValueError(f"{self.costs}: {error}") from None


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
