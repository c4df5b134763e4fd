"""Whatever is typed, a command does its work or says in a sentence why not."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("there are neither pipes with names nor alarms", allow_module_level=True)
pytest.importorskip("sqlalchemy")

from tests.fuzzing.command_line import Outcome, complaint_of, complaints, outcome_of


def test_no_command_line_does_anything_but_its_work_or_refuse(request: pytest.FixtureRequest) -> None:
    n_commands = request.config.getoption("--fuzz-commands")
    assert not (found := complaints(0, 0, n_commands)), "\n\n".join(found)


@pytest.mark.parametrize(
    ("outcome", "left", "complaint"),
    [
        (Outcome(0, "", ""), [], ""),
        (Outcome(2, "", "petree: note: so it is.\npetree: x.csv is no table.\n"), [], ""),
        (Outcome(1, "", "petree: unexpected KeyError: 'a' (--debug shows where)\n"), [], "it ended with 1"),
        (Outcome(2, "", "Traceback (most recent\npetree: x.csv is no table.\n"), [], "there is a traceback"),
        (Outcome(2, "", "petree: 'a'\n"), [], "there is no sentence"),
        (Outcome(2, "", "petree: f(): incompatible function arguments.\n"), [], "what it says is for programmers"),
        (Outcome(0, "", "petree: note: \x1b[2J\n"), [], "what it says moves the cursor"),
        (Outcome(0, "", ""), [".petree-0.tmp"], "it left ['.petree-0.tmp']"),
    ],
)
def test_what_is_wrong_is_seen(outcome: Outcome, left: list[str], complaint: str) -> None:
    assert complaint_of([], outcome, left) == complaint


def test_a_command_that_does_not_end_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def go_on(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr("tests.fuzzing.command_line.PATIENCE", 1)
    monkeypatch.setattr("tests.fuzzing.command_line.main", go_on)
    assert "TooLongError" in complaint_of([], outcome_of([]), [])
