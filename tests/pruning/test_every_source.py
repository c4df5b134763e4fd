"""Every criterion prunes trees of one table and of several, or refuses in a sentence."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from petree import ProbabilityTreeClassifier, RelationalTreeClassifier
from petree.pruning import MEMBERS, ErrorBased, Permutation, Rand
from petree.relational import Database

N_ROWS = 40
CRITERIA = {
    **{name: member() for name, member in MEMBERS.items()},
    "collapsing": ErrorBased(collapsing=True),
    "raising": ErrorBased(raising=True),
    "choosing": Permutation(when="pre", permutations=20),
    "labels": Rand(permutations=20, randomise="labels"),
    "while growing": Rand(permutations=20, when="pre"),
}
# What a criterion cannot do, with the beginning of what it says.
REFUSALS = {("several tables", "raising"): "A branch cannot be raised where tests are queries"}


@cache
def labels() -> Any:
    return np.array(["yes", "no"])[np.random.default_rng(0).integers(0, 2, N_ROWS)]


def fit_one(pruning: Any) -> Any:
    random = np.random.default_rng(1)
    X = {"number": random.normal(size=N_ROWS).round(1), "letter": random.choice(list("xyz"), N_ROWS)}
    return ProbabilityTreeClassifier(pruning=pruning, smoothing="laplace").fit(X, labels())


@cache
def database() -> Database:
    random = np.random.default_rng(2)
    owners = np.repeat(np.arange(N_ROWS), 2)
    atoms = {"molecule": owners, "element": random.choice(list("chn"), 2 * N_ROWS)}
    molecules = {"id": np.arange(N_ROWS), "class": labels()}
    return Database({"molecule": molecules, "atom": atoms}, links=["atom.molecule -> molecule.id"])


def fit_several(pruning: Any) -> Any:
    model = RelationalTreeClassifier(database(), "molecule.class", pruning=pruning, smoothing="laplace")
    return model.fit(np.arange(N_ROWS))


SOURCES = {"one table": fit_one, "several tables": fit_several}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_every_criterion_on_every_source(criterion: str, source: str) -> None:
    sentence = REFUSALS.get((source, criterion))
    if sentence is not None:
        with pytest.raises(ValueError, match=sentence):
            SOURCES[source](CRITERIA[criterion])
        return
    tree = SOURCES[source](CRITERIA[criterion]).tree_
    assert tree.counts[0].sum() <= N_ROWS
    assert tree.n_leaves <= SOURCES[source]("none").tree_.n_leaves
