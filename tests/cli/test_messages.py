"""Errors in one line, help with examples, and a start that waits for nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from tests.cli.shell import Shell

from petree import ProbabilityTreeClassifier, __version__, demo
from petree.cli.app import app


@pytest.mark.parametrize(
    "command", [["fit", "absent.csv", "--target", "y", "--out", "m.json"], ["show", "absent.json"]]
)
def test_absent_file(shell: Shell, command: list[str]) -> None:
    line = shell.refused(*command)
    assert command[1] in line
    assert "No such file" in line


def test_damaged_model(shell: Shell) -> None:
    shell.write("model.json", "{")
    assert "model.json" in shell.refused("show", "model.json")


def test_output_that_cannot_be_written(shell: Shell, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.write("out.csv", "old")
    for words in (["fit", "pets.csv", "--target", "kind"], ["predict", str(model), "pets.csv"], ["show", str(model)]):
        assert "there is no directory absent" in shell.refused(*words, "--out", "absent/out.csv")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", "out.csv")

    monkeypatch.setattr(os, "replace", refuse)
    for what, *words in (
        ["The model", "fit", "pets.csv", "--target", "kind"],
        ["The predictions", "predict", str(model), "pets.csv", "--target", "kind"],
        ["The tree", "show", str(model)],
    ):
        line = shell.refused(*words, "--out", "out.csv")
        assert line.startswith(f"petree: {what} could not be written to out.csv (Permission denied); nothing there was")
        assert Path("out.csv").read_text() == "old"
    assert sorted(path.name for path in shell.directory.iterdir()) == ["model.json", "out.csv", "pets.csv"]


def test_unexpected_error_is_one_line_with_code_one(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise KeyError("lost")

    monkeypatch.setattr(demo, "run", fail)
    assert shell("demo") == (1, "", "petree: unexpected KeyError: 'lost' (--debug shows where)\n")


def test_debug_shows_the_traceback_wherever_it_stands(shell: Shell) -> None:
    for words in (["--debug", "show", "absent.json"], ["show", "absent.json", "--debug"]):
        outcome = shell(*words)
        assert outcome.code == 2
        assert outcome.err.startswith("Traceback")
        assert outcome.err.splitlines()[-1] == "petree: absent.json: No such file or directory"


def test_mistyped_command_is_one_line(shell: Shell) -> None:
    assert "Did you mean 'fit'" in shell.refused("fitt")


@pytest.mark.parametrize("command", ["fit", "fit-database", "predict", "show", "report", "export", "demo"])
def test_help_has_an_example(shell: Shell, command: str) -> None:
    outcome = shell(command, "--help")
    assert outcome.code == 0
    assert f"petree {command}" in outcome.out.split("Example")[1]


def test_version_and_bare_command(shell: Shell) -> None:
    assert shell("--version") == (0, f"petree {__version__}\n", "")
    assert "Commands" in shell().out


@pytest.mark.parametrize("words", [["--help"], ["fit", "--help"], ["fit-database", "--help"], ["--version"], ["fitt"]])
def test_answers_at_once_import_nothing_heavy(words: list[str]) -> None:
    program = f"""
import sys
from petree.cli import main
try:
    main({words})
except SystemExit:
    print(sorted({{"numpy", "pyarrow", "scipy", "sklearn"}} & set(sys.modules)))
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"


def test_sentences_of_the_library_are_printed_unchanged(shell: Shell, model: Path) -> None:
    with pytest.raises(ValueError, match="min_samples_leaf") as caught:
        ProbabilityTreeClassifier(min_samples_leaf=1.5).fit({"x": [1, 2]}, ["a", "b"])
    words = ["fit", "pets.csv", "--target", "kind", "--out", "m.json", "--min-samples-leaf", "1.5"]
    assert shell.refused(*words) == f"petree: {caught.value}\n"


def test_no_command_has_more_than_twenty_options_and_flags_take_no_value(shell: Shell) -> None:
    group = typer.main.get_command(app)
    assert list(group.commands) == ["fit", "fit-database", "predict", "show", "report", "export", "demo"]
    for name, command in group.commands.items():
        options = [one for one in command.params if one.param_type_name == "option"]
        assert len(options) <= 20, name
        assert "<bool>" not in shell(name, "--help").out
    assert "<bool>" not in shell("--help").out
