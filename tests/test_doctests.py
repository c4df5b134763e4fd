"""Every example in a docstring gives what it says."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import petree

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(petree.__path__, "petree.") if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_say(name):
    failed, _ = doctest.testmod(import_module(name), verbose=False)
    assert failed == 0


def test_there_are_examples_to_run():
    finder = doctest.DocTestFinder()
    examples = [test for name in MODULES for test in finder.find(import_module(name)) if test.examples]
    assert len(examples) >= 8
