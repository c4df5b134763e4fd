"""Settings of all tests."""

import gc

import pytest
from hypothesis import settings

# Examples run beside other tests, so that their time says nothing; there are many properties, so that few examples of
# each go a long way.
settings.register_profile("petree", deadline=None, max_examples=13)
settings.load_profile("petree")

# Tests that take longest, which begin first, so that no process waits at the end for another.
LONGEST = (
    "core/test_variants.py",
    "core/test_fuzz.py",
    "report/test_browser.py",
    "lab/papers/f05/",
    "lab/papers/test_relational",
    "partitions/test_clusters.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not any(place in item.nodeid for place in LONGEST))


def pytest_collection_finish() -> None:
    """What was collected stays to the end, and need not be looked through for garbage again and again."""
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fuzz-calls", type=int, default=250, help="random calls at the doors of the compiled core")
    parser.addoption("--fuzz-commands", type=int, default=40, help="random command lines")
    parser.addoption("--fuzz-tables", type=int, default=60, help="random files of each format of tables")
    parser.addoption("--fuzz-files", type=int, default=120, help="damaged model files that are read")
