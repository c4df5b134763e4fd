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
from petree.cli.messages import in_options, note, put
from petree.cli.trees import on_command_line
from petree.exports import EXPORTS
from petree.words import visible
from petree.writing import check_output

if TYPE_CHECKING:
    from petree.estimators.base import TreeClassifier

    Format = str
else:
    Format = StrEnum("Format", {name: name for name, one in EXPORTS.items() if one.in_files and one.package is None})

# In fewer characters a table of five columns is one of single words.
LEAST_FOR_TABLES = 90


@dataclass(frozen=True, kw_only=True)
class Options:
    """What `petree show` is asked for."""

    model_file: ModelFile
    form: Annotated[Format, typer.Option("--format", help="How to show the tree.")] = "text"
    level: Annotated[float | None, typer.Option(help="Show intervals of this level, such as 0.9 in rules.")] = None
    max_depth: Annotated[
        int | None,
        typer.Option(
            help="Number of levels shown as text (default: all, or without --out the first of a tree of more than 50 "
            "leaves)."
        ),
    ] = None
    top_classes: Annotated[
        int | None, typer.Option(min=0, help="Show so many classes of each node as text, the most frequent ones.")
    ] = None
    label: Annotated[
        str | None, typer.Option("--class", help="Show the probability of this class in all leaves, as text or rules.")
    ] = None
    dialect: Annotated[str, typer.Option(help="Whose SQL: sqlite, postgresql or duckdb.")] = "sqlite"
    why: Annotated[bool, typer.Option("--why", help="Show what was pruned, and why, instead of the tree.")] = False
    out: Annotated[Path | None, typer.Option(help="File to write, instead of printing.")] = None

    def check(self) -> None:
        """Refuse what does not go together."""
        takes = EXPORTS[self.form].options
        if self.level is not None and "level" not in takes:
            able = [name for name, one in EXPORTS.items() if one.in_files and "level" in one.options]
            raise ValueError(f"--level shows intervals in {', '.join(able)}; add --format {' or '.join(able)}.")
        if self.max_depth is not None and (self.why or self.form != "text"):
            raise ValueError("--max-depth shows the upper levels of a tree as text; leave out --format and --why.")
        if self.top_classes is not None and (self.why or self.form != "text"):
            raise ValueError("--top-classes is for a tree as text; leave out --format and --why.")
        if self.label is not None and (self.why or "label" not in takes):
            raise ValueError("--class is for a tree as text or rules; leave out --why, and --format or say rules.")
        if self.why and self.form != "text":
            raise ValueError("--why shows what was pruned, which has one form only; leave out --format.")

    def told(self) -> dict[str, Any]:
        """What the format is told, of what it can be."""
        width = get_terminal_size().columns if self.out is None and sys.stdout.isatty() else None
        words = {name: vars(self)[name] for name in ("dialect", "max_depth", "top_classes", "label")}
        return {name: value for name, value in (words | {"width": width}).items() if name in EXPORTS[self.form].options}


@options_of(Options)
def show(options: Options) -> None:
    """Show a tree as text, as rules or as a page, or why it was pruned; of related tables also as Prolog or SQL.

    Examples:

    `petree show model.json`

    `petree show model.json --max-depth 3`

    `petree show model.json --format rules --level 0.9`

    `petree show model.json --format rules --class yes`

    `petree show model.json --format html --out tree.html`

    `petree show model.json --format sql --dialect postgresql`

    `petree show model.json --why`
    """
    from petree import load

    if options.out is not None:
        check_output(options.out, options.model_file)
    options.check()
    model = _single_tree(load(options.model_file), options.why)
    if options.why and options.out is None and sys.stdout.isatty():
        _print_reasons(model)
        return
    if options.why:
        written = "\n".join(_why(model))
    elif options.form == "text" and options.max_depth is None and options.out is None:
        written = _first_levels(model, options.told())
    else:
        written = model.export(options.form, options.level, **options.told())
    put(written if isinstance(written, bytes) else written.rstrip("\n") + "\n", options.out, "The tree")


def _single_tree(model: TreeClassifier, why: bool) -> Any:
    """The model, or of a tree with options the most probable tree of few leaves."""
    if not model.tree_.is_dag:
        return model
    if why:
        raise ValueError("This is a tree with options, of which nothing was pruned; leave out --why.")
    note(f"a tree of {model.tree_.n_nodes} nodes with options; what is shown is its most probable tree of few leaves.")
    return model.summary()


def _first_levels(model: TreeClassifier, told: dict[str, Any]) -> str:
    """Return a tree as text: of a large one its first levels, its number of leaves and the loss of smaller trees."""
    from petree.reading.large import describe_size, first_levels

    shown = on_command_line(model._view())
    depth = first_levels(shown)
    lines = describe_size(shown, depth, whole=f"--max-depth {shown.tree.depth}")
    return "\n".join([model.export("text", **{**told, "max_depth": depth}), *([""] if lines else []), *lines])


def _why(model: TreeClassifier) -> list[str]:
    """What `why` tells; of its sentences one speaks of parameters, which are options here."""
    from petree.reading.why import UNDIVIDED

    return [in_options(line) if line == UNDIVIDED else line for line in model.why()]


def _print_reasons(model: TreeClassifier) -> None:
    """Why nodes were pruned, as a table as wide as the screen, or on a narrow one as sentences.

    Pipes and files get one line per node.
    """
    from rich.console import Console
    from rich.table import Table

    from petree import reading

    told = reading.reasons(model)
    if told is None or not told.reasons:
        put("\n".join(_why(model)) + "\n", None, "The tree")
        return
    screen = Console(markup=False, emoji=False, highlight=False)
    if screen.width < LEAST_FOR_TABLES:
        screen.print("\n\n".join(map(visible, model.why())))
        return
    if told.notes:
        put("\n".join(told.notes) + "\n", None, "The tree")
    table = Table(title=f"Pruned by {told.criterion}", title_justify="left", show_lines=True)
    for name in ("where", "what stood there", *told.names, "verdict"):
        table.add_column(name, justify="right" if name in told.names else "left", overflow="fold")
    for reason in told.reasons:
        table.add_row(reason.where, reason.subject, *reason.numbers(), reason.verdict)
    screen.print(table)
