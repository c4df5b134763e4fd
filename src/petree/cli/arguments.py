"""Arguments that several commands share, and records whose fields are the options of a command."""

from __future__ import annotations

import csv
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

# Text up to the next comma outside brackets.
BETWEEN_COMMAS = re.compile(r"(?:\([^()]*\)|[^,])+")
TABLES = "CSV, ARFF (both also gzipped) or Parquet; - reads CSV from a pipe."
DataFile = Annotated[Path, typer.Argument(help=f"Table or folder of tables: {TABLES}")]
OptionalDataFile = Annotated[Path | None, typer.Argument(help=f"Table or folder of tables: {TABLES}")]
ModelFile = Annotated[Path, typer.Argument(help="Model written by `petree fit` or `petree fit-database`.")]
OF_TABLES = ("types", "missing_values", "encoding")


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """How a table is read."""

    types: Annotated[
        str | None,
        typer.Option(
            help="Column types, such as zip=nominal,born=date (detected): number, nominal, date, date-dmy, date-mdy, "
            "time or duration."
        ),
    ] = None
    missing_values: Annotated[
        str | None, typer.Option(help="Words for missing values, such as -9,none, besides NA, ? and the like.")
    ] = None
    encoding: Annotated[str | None, typer.Option(help="Encoding of a text file, such as cp1252 (detected).")] = None

    def reading(self, known: Mapping[str, str]) -> Reading:
        """How to read; `known` contains column types that options override."""
        from petree.files import Reading

        return Reading({**known, **self.column_types()}, words_of(self.missing_values) or (), self.encoding)

    def column_types(self) -> dict[str, str]:
        """The types that the option gives."""
        return pairs_of("--types", self.types, "zip=nominal")


def refuse(options: object, names: Sequence[str], reason: str) -> None:
    """Raise for the first option of these names that is given."""
    for name in names:
        if vars(options)[name] not in (None, False):
            raise ValueError(f"--{name.replace('_', '-')} {reason}")


def words_of(text: str | None) -> list[str] | None:
    """The words between commas."""
    return None if text is None else [word.strip() for word in text.split(",")]


def parts_of(texts: Sequence[str] | None) -> list[str] | None:
    """The parts between commas of one or more texts; commas inside brackets do not separate."""
    if texts is None:
        return None
    return [part.strip() for text in texts for part in BETWEEN_COMMAS.findall(text) if part.strip()]


def pairs_of(option: str, text: str | None, example: str) -> dict[str, str]:
    """Names and values, as in ``a=2,b=1``; a part that contains a comma can be quoted as in a CSV file."""
    try:
        parts = [part.strip().rpartition("=") for part in next(csv.reader([text or ""], skipinitialspace=True), [])]
    except csv.Error:
        parts = [("", "", "")]
    pairs = {name: value for name, _, value in parts}
    if len(pairs) < len(parts) or not all(name and value for name, value in pairs.items()):
        raise ValueError(f"{option} takes pairs such as {example}, each name once; got {text!r}.")
    return pairs


def numbers_of(option: str, text: str, example: str) -> dict[str, float]:
    """Names and numbers, as in ``a=2,b=1``."""
    numbers = {}
    for name, value in pairs_of(option, text, example).items():
        try:
            numbers[name] = float(value)
        except ValueError:
            raise ValueError(f"{option} of {name!r} must be a number, got {value!r}.") from None
    return numbers


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
