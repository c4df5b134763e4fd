"""``petree export``: a tree for other programs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from petree.cli.arguments import ModelFile
from petree.cli.messages import put
from petree.exports import EXPORTS
from petree.progress import shown
from petree.writing import check_output

if TYPE_CHECKING:
    Format = str
else:
    Format = StrEnum("Format", {name: name for name, one in EXPORTS.items() if one.in_files})


def export(
    model_file: ModelFile,
    to: Annotated[Format, typer.Option("--to", help="Format to write.")],
    dialect: Annotated[
        str | None, typer.Option(help="SQL dialect: sqlite, postgresql, duckdb, or any other of sqlglot (sqlite).")
    ] = None,
    table: Annotated[str | None, typer.Option(help="Table of the rows that SQL predicts (data).")] = None,
    key: Annotated[str | None, typer.Option(help="Column in the result of SQL that identifies rows (none).")] = None,
    out: Annotated[Path | None, typer.Option(help="File to write (the screen).")] = None,
) -> None:
    """Write a tree as a program that gives the same probabilities, or as a picture's text.

    Examples:

    `petree export model.json --to sql --dialect duckdb --table applicants --key id`

    `petree export model.json --to onnx --out model.onnx`

    `petree export model.json --to python --out model.py`

    `petree export model.json --to dot | dot -Tsvg > tree.svg`
    """
    from petree import load

    if out is not None:
        check_output(out, model_file)
    options = {"dialect": dialect, "table": table, "key": key}
    with shown(f"Writing {model_file} as {to}"):
        model = load(model_file)
        written = model.export(to, **{name: value for name, value in options.items() if value is not None})
    put(written if isinstance(written, bytes) else written.rstrip("\n") + "\n", out, "The tree")
