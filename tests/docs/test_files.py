"""The page of tables and files: its examples give what they say."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "files.md"


def test_examples_give_what_they_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    examples = "\n".join(re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "files", str(PAGE), 0)
    assert len(test.examples) > 10
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
