"""The page of decisions: its examples give what they say."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "decisions.md"


def test_examples_give_what_they_say() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.attempted > 8
    assert result.failed == 0
