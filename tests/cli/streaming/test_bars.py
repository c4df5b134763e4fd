"""What a terminal shows of long work, and that nothing else does."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from tests.cli.shell import Shell, pets

from petree.cli.streaming.bars import Bar
from petree.estimators.partitioned import classifier
from petree.partitions.watching import Tell


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What bars were begun, of how many steps, all of which must be told of."""
    seen: list[tuple[str, int]] = []
    begin = Bar.begin

    def noted(self: Bar, doing: str, n_steps: int) -> Tell:
        if seen:
            assert self.progress.tasks[self.task].finished or self.progress.tasks[self.task].total is None
        seen.append((doing, n_steps))
        return begin(self, doing, n_steps)

    monkeypatch.setattr(Bar, "begin", noted)
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
        assert shell(*words).code == 0
    return terminal.getvalue()


def test_passes_have_bars_on_a_terminal(
    shell: Shell, folder: None, begun: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = on_terminal(shell, monkeypatch, "code", "folder", "--target", "kind", "--out", "codes")
    assert begun == [("Looking at the data", 2), ("Writing codes", 2)]
    assert "2/2" in seen
    begun.clear()
    monkeypatch.setattr(classifier, "bytes_in_memory", lambda _: 10**18)
    on_terminal(shell, monkeypatch, "fit", "codes", "--target", "kind", "--out", "m.json", "--pruning", "bic")
    assert len(begun) > 2
    assert set(begun) == {("Counting", 2)}
    begun.clear()
    on_terminal(shell, monkeypatch, "predict", "m.json", "folder", "--out", "answers.csv")
    assert begun == [("Predicting", 2)]


def test_nothing_is_drawn_elsewhere(shell: Shell, folder: None, begun: list[tuple[str, int]]) -> None:
    outcome = shell("code", "folder", "--target", "kind", "--out", "codes")
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
    assert begun == [("Predicting", 2)]
    assert pipe.getvalue() == whole
    begun.clear()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", Terminal())
        on_terminal(shell, monkeypatch, "predict", "m.json", "folder")
    assert not begun
