"""The commands of the first page run, one after the other, on the file that it writes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pandas as pd
import pytest

from petree.cli import main
from petree.demo import make_loans

PAGE = Path(__file__).parents[2] / "docs" / "start.md"
COMMANDS = re.findall(r"^\$ petree (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def test_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    loans, repaid = make_loans()
    pd.DataFrame(loans).assign(repaid=repaid).to_csv("loans.csv", index=False)
    assert COMMANDS
    for command in COMMANDS:
        with pytest.raises(SystemExit) as end:
            main(shlex.split(command))
        assert end.value.code == 0, command
