"""The README's examples print what the README says."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
EXAMPLES = re.findall(r"```python\n((?:(?!```).)*)```\s+```text\n(.*?)```", README.read_text(), re.S)


def test_there_are_two_examples():
    assert len(EXAMPLES) == 2


@pytest.mark.parametrize(("code", "output"), EXAMPLES)
def test_an_example_prints_what_stands_below_it(code, output):
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(code, {})
    assert printed.getvalue() == output
