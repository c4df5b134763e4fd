"""Settings of all tests."""

import pytest
from hypothesis import settings

# Examples run beside other tests, so that their time says nothing.
settings.register_profile("petree", deadline=None)
settings.load_profile("petree")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fuzz-calls", type=int, default=600, help="random calls at the doors of the compiled core")
    parser.addoption("--fuzz-files", type=int, default=300, help="damaged model files that are read")
