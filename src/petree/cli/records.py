"""Commands of many options: a record has them as its fields, and the command takes the record."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Signature, signature
from typing import ParamSpec, TypeVar, get_type_hints

Fields = ParamSpec("Fields")
Record = TypeVar("Record")


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
