"""``petree explain``: why rows get their predictions."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from petree.cli.arguments import ModelFile, OptionalDataFile, TableOptions, options_of
from petree.cli.databases import RelatedOptions, model_and_keys
from petree.cli.messages import put
from petree.progress import shown
from petree.words import counted, visible

if TYPE_CHECKING:
    from petree.estimators.explaining import Explanation, Explanations

# Rows that are explained where none are named.
FIRST_ROWS = 3
LARGEST = 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class Options(TableOptions, RelatedOptions):
    """What `petree explain` is asked for."""

    model_file: ModelFile
    data: OptionalDataFile = None
    row: Annotated[
        list[int] | None,
        typer.Option(min=1, max=LARGEST, help="Row to explain, counted from 1 without the header; may be repeated."),
    ] = None
    columns: Annotated[list[str] | None, typer.Option(help="Column whose contribution to show; may be repeated.")] = (
        None
    )
    level: Annotated[float, typer.Option(help="Level of the interval.")] = 0.9


@options_of(Options)
def explain(options: Options) -> None:
    """Explain predictions: path, interval, nearest other verdict, and what each column contributes.

    Without `--row` the first three rows are explained. Rows are counted from 1; the line of the file stands beside.

    Examples:

    `petree explain model.json new.csv`

    `petree explain model.json new.csv --row 12 --row 30 --columns income --columns home`

    `petree explain model.json --database sqlite:///molecules.db --row 1`
    """
    if options.is_related(options.data):
        options.refuse_related(())
        headings, explained = _explain_related(options)
    else:
        assert options.data is not None
        headings, explained = _explain_table(options.data, options)
    columns = options.columns
    _check_columns(explained[0], columns)
    if sys.stdout.isatty():
        for heading, one in zip(headings, explained, strict=True):
            _print(heading, one, columns)
        return
    told = [one.told(heading, columns) for heading, one in zip(headings, explained, strict=True)]
    put("\n\n".join(told) + "\n", None, "The explanation")


def _explain_table(data: Path, options: Options) -> tuple[list[str], Explanations]:
    """What stands above each row that is explained, and why it is answered as it is."""
    from petree.cli.matching import model_of_table, table_for, tell_of

    with shown(f"Reading {data}"):
        model = model_of_table(options.model_file)
        table, features = table_for(model, data, options, {})
    places = _places(options.row, table.n_rows, str(data))
    chosen = {name: values[places] for name, values in features.items()}
    headings = [visible(f"row {place + 1} ({table.place(place)})") for place in places]
    tell_of(table, model, ())
    return headings, model.explain(chosen, options.level)


def _explain_related(options: Options) -> tuple[list[str], Explanations]:
    with shown(f"Reading {options.source}"):
        model, _, keys = model_and_keys(options.model_file, options)
    places = _places(options.row, len(keys), f"the table {model.scope_.relations[0]}")
    chosen = [keys[place] for place in places]
    headings = [visible(f"row {place + 1} (key {key})") for place, key in zip(places, chosen, strict=True)]
    return headings, model.explain(chosen, options.level)


def _places(row: list[int] | None, n_rows: int, where: str) -> list[int]:
    """The rows that are asked for, counted from 0."""
    numbers = row or range(1, min(n_rows, FIRST_ROWS) + 1)
    for number in numbers:
        if number > n_rows:
            raise ValueError(f"There is no row {number}: {where} has {counted(n_rows, 'row')}, counted from 1.")
    return [number - 1 for number in numbers]


def _check_columns(one: Explanation, columns: Sequence[str] | None) -> None:
    """Raise for a column whose contribution nobody can tell."""
    for name in columns or ():
        if not one.contributions:
            raise ValueError("Contributions of columns are not defined for this model; leave out --columns.")
        if name not in one.contributions:
            known = ", ".join(map(visible, one.contributions))
            raise ValueError(f"The model has no column {name!r}; its columns are {known}.")


def _print(heading: str, one: Explanation, columns: list[str] | None) -> None:
    """One row on the screen."""
    from rich.console import Console

    console = Console(markup=False, emoji=False, highlight=False)
    console.print(f"{heading}: {one.verdict}")
    if one.steps:
        console.print(_table("test", "probability", one.steps))
    for line in one.rows_behind:
        console.print(line)
    if one.nearest is not None:
        console.print(f"nearest other verdict: {one.nearest}")
    if one.base_value is not None:
        console.print(f"{one.subject}:")
        console.print(_table("column", "contribution", one.largest(columns)))
    console.print()


def _table(left: str, right: str, pairs: list[tuple[str, str]]) -> object:
    from rich.table import Table

    table = Table()
    table.add_column(left, overflow="fold")
    table.add_column(right, justify="right")
    for pair in pairs:
        table.add_row(*pair)
    return table
