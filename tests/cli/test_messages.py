"""Errors in one line, help with examples, and a start that waits for nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.shell import Shell

from petree import __version__, demo
from petree.cli import messages
from petree.relational import nodes

TOO_MANY = (
    "Some tests about other rows of tx were left out, since these were too many to look at; no other test is affected."
)


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


@pytest.mark.parametrize("command", ["fit", "predict", "show", "demo"])
def test_help_has_an_example(shell: Shell, command: str) -> None:
    outcome = shell(command, "--help")
    assert outcome.code == 0
    assert f"petree {command}" in outcome.out.split("Example")[1]


def test_version_and_bare_command(shell: Shell) -> None:
    assert shell("--version") == (0, f"petree {__version__}\n", "")
    assert "Commands" in shell().out


@pytest.mark.parametrize("words", [["--help"], ["fit", "--help"], ["--version"], ["fitt"]])
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


@pytest.mark.parametrize(
    ("of_python", "of_options"),
    [
        ("leave it out (ignore=), or not.", "leave it out (--ignore), or not."),
        ("by --ignore (ignore=)", "by --ignore (ignore=)"),
        ("set sample_ratio=None, or another", "leave out --sample-ratio, or another"),
        ("set missing='branch'.", "set --treat-missing branch."),
        ("With honest=True rows", "With --honest rows"),
        ("give more memory by petree.partitions.use(memory=...), or", "give more memory by --memory, or"),
        ("fit with aggregates=() to get", "fit with --aggregates '' to get"),
        ("max_depth=3 is deep", "--max-depth 3 is deep"),
        ("zip=nominal", "zip=nominal"),
        ("name its column in time=.", "name its column in --time."),
        (
            "name it in keys= or in leave_out=, or declare a bias that asks for it.",
            "name it in --keys or in --leave-out.",
        ),
        ("To go on without it, pass leave_out=['a b.c'].", "To go on without it, pass --leave-out 'a b.c'."),
        ("apart, like keys={'visit': 'id'}.", "apart, like --keys 'visit.id'."),
        ("Without y the target must name the", "--target must name the"),
        ("into memory (Database.from_url without in_database).", "into memory (without --in-database)."),
        ("as dates (as pandas.to_datetime makes them, or petree.read of a file), and", "as dates, and"),
        ("The 'max_links' parameter must be", "--max-links must be"),
        (nodes.remarks_on(["tx(A)"])[0], TOO_MANY),
    ],
)
def test_sentences_of_the_library_speak_of_options(of_python: str, of_options: str) -> None:
    assert messages.in_options(of_python) == of_options
