"""The pages of methods and of pruning criteria: every member is there, and the examples give what they say."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from petree import pruning, smoothing, splitting

PAGE = Path(__file__).parents[2] / "docs" / "methods.md"
TEXT = PAGE.read_text(encoding="utf-8")
CRITERIA = (PAGE.parent / "pruning-criteria.md").read_text(encoding="utf-8")


def test_examples_give_what_they_say() -> None:
    examples = "\n".join(re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "methods", str(PAGE), 0)
    assert len(test.examples) > 50
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


@pytest.mark.parametrize("family", [splitting, pruning, smoothing], ids=lambda family: family.__name__)
def test_every_member_is_there(family: object) -> None:
    aliases = family.MEMBERS  # type: ignore[attr-defined]
    assert [alias for alias in aliases if f"`{alias}`" not in TEXT] == []


def test_every_criterion_is_in_the_table_of_criteria() -> None:
    rows = [line.split("|")[1:3] for line in CRITERIA.splitlines() if line.startswith("| `")]
    named = [(alias, kind) for row in rows for alias, kind in zip(*(cell.split(",") for cell in row), strict=True)]
    found = {alias.strip(" `"): kind.strip(" `") for alias, kind in named}
    assert found == {alias: member.__name__ for alias, member in pruning.MEMBERS.items()}
