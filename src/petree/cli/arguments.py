"""The arguments that several commands take, and commands of many: a record has them as its fields."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import Annotated, ParamSpec, TypeVar, get_type_hints

import typer

Fields = ParamSpec("Fields")
Record = TypeVar("Record")

DataFile = Annotated[Path, typer.Argument(help="Table to read: CSV, ARFF (both also gzipped) or Parquet.")]
OptionalDataFile = Annotated[
    Path | None, typer.Argument(help="Table to read: CSV, ARFF (both also gzipped) or Parquet.", show_default=False)
]
DatabaseUrl = Annotated[
    str | None, typer.Option("--database", help="Related tables instead: an address such as sqlite:///x.db.")
]
AceFolder = Annotated[Path | None, typer.Option("--ace", help="Facts and settings of ACE instead: their folder.")]
ModelFile = Annotated[Path, typer.Argument(help="Model written by `petree fit`.")]
# More than any machine has cores; long work would start as many as are asked for.
MOST_JOBS = 1000
Processes = Annotated[int, typer.Option("--jobs", max=MOST_JOBS, help="Number of processes; -1 takes all cores.")]
# Every library takes a seed up to here, and the numbers of some runs beyond.
LARGEST_SEED = 2**31 - 1
Seed = Annotated[int, typer.Option("--seed", min=0, max=LARGEST_SEED, help="Seed of everything random.")]


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
