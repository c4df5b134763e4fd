"""What commands show of long work: a bar on a terminal, lines on the error stream elsewhere."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from tests.cli.shell import Shell, pets

from petree import progress
from petree.estimators.partitioned import classifier
from petree.progress import Bar, Lines


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What bars were begun, of how many steps, all of which must be reported."""
    seen: list[tuple[str, int]] = []
    bars: list[Bar | None] = [None]
    show = Bar.__call__

    def noted(self: Bar, doing: str, done: int, total: int, item: str = "") -> None:
        if done == 0:
            assert self is not bars[-1] or self.progress.tasks[self.task].finished
            bars.append(self)
            seen.append((doing, total))
        show(self, doing, done, total, item)

    monkeypatch.setattr(Bar, "__call__", noted)
    return seen


@pytest.fixture
def folder(shell: Shell) -> None:
    Path("folder").mkdir()
    for name in ("a", "b"):
        shell.write(f"folder/{name}.csv", pets())


def on_terminal(shell: Shell, monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """What a terminal sees beside the output."""
    terminal = Terminal()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", terminal)
        patched.setenv("TERM", "xterm")
        patched.setenv("COLUMNS", "200")
        outcome = shell(*words)
        assert outcome.code == 0, terminal.getvalue()
    return terminal.getvalue()


def test_passes_have_bars_on_a_terminal(
    shell: Shell, folder: None, begun: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(classifier, "bytes_in_memory", lambda _: 10**18)
    words = ("--target", "kind", "--out", "m.json", "--pruning", "bic", "--memory", "256MB")
    seen = on_terminal(shell, monkeypatch, "fit", "folder", *words)
    assert begun[:2] == [("looking at the data", 2), ("writing codes", 2)]
    assert "2/2" in seen
    assert len(begun) > 4
    assert set(begun[2:]) == {("counting", 2)}
    begun.clear()
    on_terminal(shell, monkeypatch, "predict", "m.json", "folder", "--out", "answers.csv")
    assert begun == [("files", 2)]


def test_nothing_is_drawn_elsewhere(shell: Shell, folder: None, begun: list[tuple[str, int]]) -> None:
    outcome = shell("fit", "folder", "--target", "kind", "--out", "m.json")
    assert not begun
    assert "\x1b" not in outcome.out + outcome.err


def test_no_bar_among_answers(
    shell: Shell, folder: None, begun: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shell("fit", "folder", "--target", "kind", "--out", "m.json").code == 0
    whole = shell("predict", "m.json", "folder").out
    pipe = io.StringIO()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", pipe)
        on_terminal(shell, monkeypatch, "predict", "m.json", "folder")
    assert begun == [("files", 2)]
    assert pipe.getvalue() == whole
    begun.clear()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", Terminal())
        on_terminal(shell, monkeypatch, "predict", "m.json", "folder")
    assert not begun


def lines_of(shell: Shell, monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    """The lines of a log if one was written after every report."""
    lines: list[str] = []
    receive = Lines.__call__

    def noted(self: Lines, doing: str, done: int, total: int, item: str = "") -> None:
        receive(self, doing, done, total, item)
        lines.append(self.line())

    monkeypatch.setattr(Lines, "__call__", noted)
    assert shell(*words).code == 0
    return [line.rpartition(", ")[0] for line in lines]


def test_intervals_of_option_trees_report_rows(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.write("pets.csv", pets(40))
    assert shell("fit", "pets.csv", "--target", "kind", "--out", "m.json", "--option-tree").code == 0
    lines = lines_of(shell, monkeypatch, "predict", "m.json", "pets.csv", "--intervals")
    assert lines[0].startswith("petree: Predicting: rows x classes 0 of ")
    assert len(lines) > 1


def test_lines_go_to_the_error_stream(shell: Shell, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet = shell("predict", "model.json", "pets.csv")
    monkeypatch.setattr(progress, "SECONDS", 1e-9)
    assert shell("predict", "model.json", "pets.csv").out == quiet.out
