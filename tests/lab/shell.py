"""The commands of the laboratory as a test types them."""

from __future__ import annotations

from importlib import import_module

from tests.cli import shell
from tests.cli.shell import Outcome

from lab.command_line import run

__all__ = ["Outcome", "Shell"]


class Shell(shell.Shell):
    """Runs a command inside this process, in a directory of its own."""

    prefix = "error: "

    def run(self, words: list[str]) -> None:
        name, *arguments = words
        run(getattr(import_module(f"lab.{name}"), name), arguments)
