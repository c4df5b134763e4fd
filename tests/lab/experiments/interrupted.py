"""A small experiment in a process of its own, to be killed: ``python -m tests.lab.experiments.interrupted FILE``."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.lab.experiments.made import small_set

from lab.experiments.methods import find_methods
from lab.experiments.results import ResultsFile
from lab.experiments.running import run
from lab.experiments.trials import cross_validated

METHODS = "tree=sklearn.tree.DecisionTreeClassifier(max_features=1),shares=tests.lab.experiments.made.Shares(power=2)"


def work(path: Path, jobs: int) -> None:
    data_sets = [small_set("a"), small_set("b", seed=1)]
    run(cross_validated(data_sets, 5, 2), find_methods(METHODS), ResultsFile(path), jobs=jobs)


if __name__ == "__main__":
    work(Path(sys.argv[1]), jobs=1)
