"""The command line as a test types it."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

import pytest

from petree import cli


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


class Shell:
    """Runs petree inside this process, in a directory of its own."""

    prefix = "petree: "

    def __init__(self, capsys: pytest.CaptureFixture[str], directory: Path) -> None:
        self.capsys, self.directory = capsys, directory

    def __call__(self, *words: str | Path) -> Outcome:
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            self.run([str(word) for word in words])
        assert isinstance(stop.value.code, int)
        return Outcome(stop.value.code, *self.capsys.readouterr())

    def run(self, words: list[str]) -> None:
        cli.main(words)

    def refused(self, *words: str | Path) -> str:
        """The one line that bad input gives."""
        outcome = self(*words)
        assert (outcome.code, outcome.out) == (2, "")
        assert outcome.err.startswith(self.prefix)
        assert outcome.err.count("\n") == 1
        return outcome.err

    def write(self, name: str, content: str) -> Path:
        path = self.directory / name
        path.write_text(content, encoding="utf-8", newline="")
        return path

    def rows(self, text: str) -> list[dict[str, str]]:
        return list(csv.DictReader(text.splitlines()))


def pets(n_rows: int = 60) -> str:
    """Cats are light or unknown in weight and never brown; dogs are heavy; a code that only looks like a number."""
    lines = ["weight,colour,code,kind"]
    for i in range(n_rows):
        is_cat = i % 2 == 0
        weight = "" if i % 10 == 0 else str((3 if is_cat else 20) + i % 3 / 10)
        colour = "NA" if i % 7 == 0 else ("black" if is_cat else "brown")
        lines.append(f"{weight},{colour},{'x' if i % 13 == 1 else i % 4},{'cat' if is_cat else 'dog'}")
    return "\n".join(lines) + "\n"
