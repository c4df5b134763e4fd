"""The arguments that several commands take, and commands of many: a record has them as its fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ParamSpec, TypeVar, get_type_hints

import typer

if TYPE_CHECKING:
    from petree.files import Reading

Fields = ParamSpec("Fields")
Record = TypeVar("Record")

# Up to the next comma that stands in no brackets.
BETWEEN_COMMAS = re.compile(r"(?:\([^()]*\)|[^,])+")
TABLES = "CSV, ARFF (both also gzipped) or Parquet; - reads CSV from a pipe."
OptionalDataFile = Annotated[Path | None, typer.Argument(help=f"Table to read: {TABLES}", show_default=False)]
ModelFile = Annotated[Path, typer.Argument(help="Model written by `petree fit`.")]
# More than any machine has cores; long work would start as many as are asked for.
MOST_JOBS = 1000
Processes = Annotated[int, typer.Option("--jobs", max=MOST_JOBS, help="Number of processes; -1 takes all cores.")]
# Every library takes a seed up to here, and the numbers of some runs beyond.
LARGEST_SEED = 2**31 - 1
Seed = Annotated[int, typer.Option("--seed", min=0, max=LARGEST_SEED, help="Seed of everything random.")]

# -- how a table is to be read ----------------------------------------------------------------------------------

PANEL = "How to read the table (what is not said is guessed, and told)"


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """How a table is to be read."""

    types: Annotated[
        str | None,
        typer.Option(
            rich_help_panel=PANEL,
            help="What columns hold, such as zip=nominal,born=date: number, nominal (categories), date, date-dmy, "
            "date-mdy, time or duration.",
        ),
    ] = None
    missing_values: Annotated[
        str | None,
        typer.Option(
            rich_help_panel=PANEL,
            help="More words for what is missing, besides NA, ? and the like: such as -9,none; commas between.",
        ),
    ] = None
    encoding: Annotated[
        str | None, typer.Option(rich_help_panel=PANEL, help="Of a text file, such as utf-8 or cp1252.")
    ] = None

    def reading(self, known: Mapping[str, str]) -> Reading:
        """How to read; `known` has the types of columns of which nothing is said."""
        from petree.files import Reading

        return Reading({**known, **self.told_types()}, words_of(self.missing_values) or (), self.encoding)

    def refuse_related(self, others: Sequence[str]) -> None:
        """Refuse options of one table, these and all that say how to read it, where there are related tables."""
        for name in (*others, "types", "missing_values", "encoding"):
            if vars(self)[name] not in (None, False):
                option = "--" + name.replace("_", "-")
                raise ValueError(f"{option} is for one table; leave it out with related tables.")

    def told_types(self) -> dict[str, str]:
        """The types that are said."""
        return pairs_of("--types", self.types, "zip=nominal")


def words_of(text: str | None) -> list[str] | None:
    """What stands between commas."""
    return None if text is None else [word.strip() for word in text.split(",")]


def parts_of(texts: Sequence[str] | None) -> list[str] | None:
    """What stands between commas in one or more texts; commas inside of brackets divide nothing."""
    if texts is None:
        return None
    return [part.strip() for text in texts for part in BETWEEN_COMMAS.findall(text) if part.strip()]


def pairs_of(option: str, text: str | None, example: str) -> dict[str, str]:
    """Names and values, as in ``a=2,b=1``."""
    parts = [part.rpartition("=") for part in words_of(text) or ()]
    for name, sign, value in parts:
        if not name or not sign or not value:
            raise ValueError(f"{option} takes pairs such as {example}, with commas between them; got {text!r}.")
    return {name: value for name, _, value in parts}


def options_of(record: Callable[Fields, Record]) -> Callable[[Callable[[Record], None]], Callable[Fields, None]]:
    """Decorate a command that takes one record, made of dataclass fields, so that typer sees these as its options."""

    kinds = get_type_hints(record, include_extras=True)

    def decorate(command: Callable[[Record], None]) -> Callable[Fields, None]:
        @wraps(command)
        def call(*arguments: Fields.args, **options: Fields.kwargs) -> None:
            command(record(*arguments, **options))

        fields = [one.replace(annotation=kinds[name]) for name, one in signature(record).parameters.items()]
        vars(call)["__signature__"] = Signature(fields)
        return call

    return decorate
