"""The page on trees from elsewhere: its examples give what they say."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "trees-from-elsewhere.md"


def test_examples_give_what_they_say() -> None:
    examples = "\n".join(re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "trees", str(PAGE), 0)
    assert len(test.examples) > 10
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
