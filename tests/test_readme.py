"""The README's example prints what the README says."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_the_first_example_prints_what_stands_below_it():
    code, output = re.search(r"```python\n(.*?)```\s+```text\n(.*?)```", README.read_text(), re.S).groups()
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(code, {})
    assert printed.getvalue() == output
