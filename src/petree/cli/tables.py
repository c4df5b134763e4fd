"""The options that say how a table is to be read, where guessing would go wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from petree.cli.messages import note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from petree.files import FileTable, Reading

KINDS = ("numbers", "dates and times", "text")
PANEL = "How to read the table (what is not said is guessed, and told)"


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """How a table is to be read."""

    types: Annotated[
        str | None,
        typer.Option(
            rich_help_panel=PANEL,
            help="What columns hold, such as zip=nominal,born=date: number, nominal, date, date-dmy, date-mdy, time "
            "or duration.",
        ),
    ] = None
    missing_values: Annotated[
        str | None, typer.Option(rich_help_panel=PANEL, help="Words for what is missing, such as NA,-; commas between.")
    ] = None
    encoding: Annotated[
        str | None, typer.Option(rich_help_panel=PANEL, help="Of a text file, such as utf-8 or cp1252.")
    ] = None

    def reading(self, known: Mapping[str, str]) -> Reading:
        """How to read; `known` has the types of columns of which nothing is said."""
        from petree.files import Reading

        return Reading({**known, **self.told_types()}, words_of(self.missing_values), self.encoding)

    def told_types(self) -> dict[str, str]:
        """The types that are said."""
        return pairs_of("--types", self.types, "zip=nominal")


def words_of(text: str | None) -> list[str] | None:
    """What stands between commas."""
    return None if text is None else [word.strip() for word in text.split(",")]


def pairs_of(option: str, text: str | None, example: str) -> dict[str, str]:
    """Names and values, as in ``a=2,b=1``."""
    parts = [part.rpartition("=") for part in words_of(text) or ()]
    for name, sign, value in parts:
        if not name or not sign or not value:
            raise ValueError(f"{option} takes pairs such as {example}, with commas between them; got {text!r}.")
    return {name: value for name, _, value in parts}


def tell(table: FileTable) -> None:
    """Say what was guessed of a table."""
    for sentence in table.notes:
        note(sentence)


def kind_of(values: NDArray[Any]) -> str:
    """What a column of a file holds: one of `KINDS`."""
    if values.dtype.kind == "f":
        return "numbers"
    is_text = values.dtype.kind == "O" and all(value is None or isinstance(value, str) for value in values)
    return "text" if is_text else "dates and times"
