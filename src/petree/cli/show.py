"""``petree show``: a tree for people to read."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from petree.cli.arguments import ModelFile
from petree.cli.output import put
from petree.writing import check_output


class Format(StrEnum):
    """The ways to show a tree."""

    text = "text"
    rules = "rules"
    html = "html"


def show(
    model_file: ModelFile,
    form: Annotated[Format, typer.Option("--format", help="How to show the tree.")] = Format.text,
    level: Annotated[float | None, typer.Option(help="Show intervals of this level in rules, such as 0.9.")] = None,
    out: Annotated[Path | None, typer.Option(help="File to write, instead of printing.")] = None,
) -> None:
    """Show a tree as text, as rules or as a page.

    Examples:

    `petree show model.json`

    `petree show model.json --format rules --level 0.9`

    `petree show model.json --format html --out tree.html`
    """
    from petree import load, reading

    if out is not None:
        check_output(out, model_file)
    if level is not None and form != Format.rules:
        raise ValueError("--level shows intervals in rules; add --format rules.")
    model = load(model_file)
    views = {
        Format.text: lambda: reading.export_text(model),
        Format.rules: lambda: "\n".join(model.rules(level)),
        Format.html: lambda: reading.to_html(model),
    }
    text = views[form]()
    put(text.rstrip("\n") + "\n", out, "The tree")
