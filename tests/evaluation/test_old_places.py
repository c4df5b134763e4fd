"""What moved out of `petree.evaluation` is still found there for one version, with a warning."""

from importlib import import_module

import pytest

import petree.evaluation

MOVED = {
    "figures": "petree.experiments.report.figures",
    "tables": "petree.experiments.report.tables",
    "pruning_model": "petree.papers.oates.pruning_model",
    "pruning_plots": "petree.papers.oates.pruning_plots",
}


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_old_places_give_what_stands_in_the_new_ones(old: str, new: str) -> None:
    place = getattr(petree.evaluation, old)
    for name in place.NAMES:
        with pytest.warns(DeprecationWarning, match=rf"petree\.evaluation\.{old}\.{name} is now {new}\.{name}"):
            assert getattr(place, name) is getattr(import_module(new), name)
