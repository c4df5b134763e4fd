"""Commands that take a record of options."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Annotated

from petree.cli.arguments import options_of


@dataclass(frozen=True)
class Options:
    """Two options of a command."""

    name: Annotated[str, "help"]
    times: int = 2


def test_a_command_takes_the_fields_of_its_record() -> None:
    given = []

    @options_of(Options)
    def command(options: Options) -> None:
        """What it does."""
        given.append(options)

    command("a")
    command(name="b", times=3)
    assert given == [Options("a", 2), Options("b", 3)]
    assert command.__doc__ == "What it does."
    parameters = inspect.signature(command).parameters
    assert {name: one.annotation for name, one in parameters.items()} == {"name": Annotated[str, "help"], "times": int}
    assert parameters["times"].default == 2
