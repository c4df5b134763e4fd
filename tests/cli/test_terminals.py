"""Whatever stands in a table, a terminal shows it as text and files keep it."""

from __future__ import annotations

import csv
import io
import re
import sys
from pathlib import Path

import pytest
from tests.cli.shell import Outcome, Shell
from tests.relational.molecules import KEYS, make_model

from petree import storage
from petree.progress import shown

ESCAPE = "\x1b[2J\x1b]0;owned\x07"
TURNED = "\u202egnp.exe\u2066"
NASTY = f"{ESCAPE}{TURNED}\u200b\x9b\x7f[red]x[/red][/]"
CLASSES = (f"yes{NASTY}", f"no{NASTY}")


@pytest.fixture
def table(shell: Shell) -> Path:
    """A column, its categories and the classes with names that move cursors and turn reading directions."""
    return nasty_table(shell)


def nasty_table(shell: Shell) -> Path:
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow([f"size{NASTY}", f"tone{NASTY}", f"kind{NASTY}"])
    lines.writerows(
        [i % 7, f"{'dark' if i % 3 else 'light'}{NASTY}", CLASSES[(i % 3 == 0) != (i % 11 == 0)]] for i in range(60)
    )
    return shell.write(f"pets{NASTY.replace('/', '')}.csv", text.getvalue())


@pytest.fixture
def nasty_model(shell: Shell, table: Path) -> Path:
    outcome = fitted(shell, table)
    assert outcome.code == 0
    return Path(f"model{NASTY.replace('/', '')}.json")


def fitted(shell: Shell, table: Path) -> Outcome:
    out = f"model{NASTY.replace('/', '')}.json"
    return shell("fit", table.name, "--target", f"kind{NASTY}", "--out", out, "--pruning", "chi")


def assert_harmless(outcome: Outcome, *codes: int) -> None:
    assert outcome.code in (codes or (0,)), outcome.err
    for text in (outcome.out, outcome.err):
        assert all(line.isprintable() for line in text.split("\n")), ascii(text)


def on_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "400")
    monkeypatch.setenv("TERM", "dumb")


def test_a_fit_tells_of_its_classes_and_file(shell: Shell, table: Path) -> None:
    outcome = fitted(shell, table)
    assert_harmless(outcome)
    assert r"yes\x1b[2J\x1b]0;owned\x07\u202egnp.exe\u2066\u200b\x9b\x7f[red]x[/red][/] (" in outcome.out


def test_model_files_keep_the_names(nasty_model: Path) -> None:
    model = storage.load(nasty_model)
    assert model.classes_.tolist() == sorted(CLASSES)
    assert [column.name for column in model.columns_] == [f"size{NASTY}", f"tone{NASTY}"]


@pytest.mark.parametrize("words", [(), ("--format", "rules"), ("--why",), ("--format", "html")])
@pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])
def test_a_tree_is_shown(
    shell: Shell, nasty_model: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], terminal: bool
) -> None:
    if terminal:
        on_terminal(monkeypatch)
    outcome = shell("show", nasty_model, *words)
    assert_harmless(outcome)
    assert r"tone\x1b[2J" in outcome.out
    assert "[red]" in outcome.out


def test_predictions_are_shown_on_a_terminal_and_kept_elsewhere(
    shell: Shell, nasty_model: Path, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["predict", nasty_model, table.name, "--target", f"kind{NASTY}"]
    piped = shell(*words)
    assert shell(*words, "--out", "predictions.csv").out == ""
    assert Path("predictions.csv").read_text() == piped.out
    predicted = {line[0] for line in csv.reader(io.StringIO(piped.out))}
    assert predicted - {"predicted"} <= set(CLASSES)
    on_terminal(monkeypatch)
    shown = shell(*words)
    assert_harmless(shown)
    assert r"P(yes\x1b[2J" in shown.out


def test_errors_and_notes(shell: Shell, nasty_model: Path, table: Path) -> None:
    shell.write("other.csv", f"size{NASTY},{NASTY}\n1,2\n")
    shell.write("more.csv", table.read_text().replace("tone", "shade"))
    assert_harmless(shell("predict", nasty_model, "other.csv"), 2)
    assert_harmless(shell("predict", nasty_model, "more.csv"), 2)
    assert_harmless(shell("predict", nasty_model, table.name, "--target", f"size{NASTY}"), 2)
    assert_harmless(shell("predict", nasty_model, table.name, "--out", "predictions.csv"))
    assert_harmless(shell("fit", table.name, "--target", NASTY, "--out", "m.json"), 2)
    assert_harmless(shell("fit", NASTY, "--target", "y", "--out", "m.json"), 2)
    assert_harmless(shell("show", NASTY), 2)
    assert_harmless(shell("show", NASTY, "--debug"), 2)
    assert_harmless(shell(NASTY), 2)
    assert_harmless(shell("show", nasty_model, f"--{NASTY}"), 2)


def test_a_terminal_of_few_characters(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.write("pets.csv", "größe,kind\n" + "1,表\n2,b\n" * 20)
    bytes_seen = io.BytesIO()
    terminal = io.TextIOWrapper(bytes_seen, encoding="ascii", write_through=True)
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdout", terminal)
    assert shell("fit", "pets.csv", "--target", "kind", "--out", "m.json").code == 0
    assert shell("show", "m.json").code == 0
    assert rb"gr\xf6\xdfe < 2: P(\u8868)=" in bytes_seen.getvalue()


def test_what_is_going_on(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    stream.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("COLUMNS", "400")
    with shown(f"Reading [red]x[/] [/] {TURNED}"):
        pass
    assert r"Reading [red]x[/] [/] \u202egnp.exe\u2066 ..." in stream.getvalue()


@pytest.mark.parametrize("is_terminal", [False, True])
def test_how_far_a_relational_fit_has_come(monkeypatch: pytest.MonkeyPatch, is_terminal: bool) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: is_terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("COLUMNS", "200")
    with shown("Learning"):
        make_model(pruning="default").fit(KEYS)
    if is_terminal:
        seen = re.sub(r"\x1b\[[?\d;]*[a-zA-Z]", "", stream.getvalue())
        assert re.search(r"Learning: examples in leaves( \(\d+\))? ━*.* \d/\d \d:\d\d:\d\d", seen)
    else:
        assert stream.getvalue() == ""
