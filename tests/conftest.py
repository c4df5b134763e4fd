"""Settings of all tests."""

import pytest
from hypothesis import settings

# Examples run beside other tests, so that their time says nothing; there are many properties, so that few examples of
# each go a long way.
settings.register_profile("petree", deadline=None, max_examples=13)
settings.load_profile("petree")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fuzz-calls", type=int, default=250, help="random calls at the doors of the compiled core")
    parser.addoption("--fuzz-commands", type=int, default=40, help="random command lines")
    parser.addoption("--fuzz-tables", type=int, default=60, help="random files of each format of tables")
    parser.addoption("--fuzz-files", type=int, default=120, help="damaged model files that are read")
