"""``petree show``: a tree for people to read."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Any

import typer

from petree.cli.arguments import ModelFile, options_of
from petree.cli.messages import note, put
from petree.cli.trees import on_command_line
from petree.exports import EXPORTS
from petree.writing import check_output

if TYPE_CHECKING:
    from petree.estimators.base import TreeClassifier

    Format = str
else:
    Format = StrEnum("Format", {name: name for name, one in EXPORTS.items() if one.in_files and one.package is None})


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of `petree show`."""

    model_file: ModelFile
    form: Annotated[Format, typer.Option("--format", help="Format of the tree.")] = "text"
    level: Annotated[float | None, typer.Option(help="Level of credible intervals in rules, such as 0.9 (none).")] = (
        None
    )
    max_depth: Annotated[
        int | None,
        typer.Option(help="Number of levels in the text (all; on the screen the first of a tree of over 50 leaves)."),
    ] = None
    top_classes: Annotated[
        int | None, typer.Option(min=0, help="Number of most frequent classes per node in the text (all).")
    ] = None
    label: Annotated[
        str | None, typer.Option(help="Class whose probability the leaves show, in text and rules (the most probable).")
    ] = None
    dialect: Annotated[str | None, typer.Option(help="SQL dialect: sqlite, postgresql or duckdb (sqlite).")] = None
    why: Annotated[bool, typer.Option("--why", help="Reasons for each pruned branch instead of the tree.")] = False
    out: Annotated[Path | None, typer.Option(help="File to write (the screen).")] = None

    def given(self) -> dict[str, Any]:
        """The options of the format."""
        names = ("level", "dialect", "max_depth", "top_classes", "label")
        given = {name: vars(self)[name] for name in names if vars(self)[name] is not None}
        is_wide = self.out is None and sys.stdout.isatty() and "width" in EXPORTS[self.form].options
        return given | ({"width": get_terminal_size().columns} if is_wide else {})


@options_of(Options)
def show(options: Options) -> None:
    """Show a tree as text, as rules or as a page, or why it was pruned; of related tables also as Prolog or SQL.

    Examples:

    `petree show model.json`

    `petree show model.json --max-depth 3`

    `petree show model.json --format rules --level 0.9`

    `petree show model.json --format rules --label yes`

    `petree show model.json --format html --out tree.html`

    `petree show model.json --format sql --dialect postgresql`

    `petree show model.json --why`
    """
    from petree import load

    if options.out is not None:
        check_output(options.out, options.model_file)
    if options.why and (options.form != "text" or options.given().keys() - {"width"}):
        raise ValueError("--why lists what was pruned, not the tree. Leave out the options of formats.")
    model = _single_tree(load(options.model_file), options.why)
    if options.why:
        written = "\n".join(model.why())
    elif options.form == "text" and options.max_depth is None and options.out is None:
        written = _first_levels(model, options.given())
    else:
        written = model.export(options.form, **options.given())
    put(written if isinstance(written, bytes) else written.rstrip("\n") + "\n", options.out, "The tree")


def _single_tree(model: TreeClassifier, why: bool) -> Any:
    """The model, or of a tree with options the most probable tree of few leaves."""
    if not model.tree_.is_dag:
        return model
    if why:
        raise ValueError("This is a tree with options, of which nothing was pruned; leave out --why.")
    note(f"a tree of {model.tree_.n_nodes} nodes with options; what is shown is its most probable tree of few leaves.")
    return model.summary()


def _first_levels(model: TreeClassifier, given: dict[str, Any]) -> str:
    """Return a tree as text: of a large one its first levels, its number of leaves and the loss of smaller trees."""
    from petree.reading.large import describe_size, first_levels

    shown = on_command_line(model._view())
    depth = first_levels(shown)
    lines = describe_size(shown, depth, whole=f"--max-depth {shown.tree.depth}")
    return "\n".join([model.export("text", **{**given, "max_depth": depth}), *([""] if lines else []), *lines])
