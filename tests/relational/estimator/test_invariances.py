"""What must not change a relational model: names of classes, and the order of rows, tables and columns."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from petree import RelationalTreeClassifier
from petree.pruning import Permutation, SubtreeRandomisation
from petree.relational import Database

N = 45
QUICK: dict[str, Any] = {
    "permutation": Permutation(permutations=50),
    "subtree_randomisation": SubtreeRandomisation(permutations=10),
}
Tables = dict[str, dict[str, Any]]


def make_tables() -> Tables:
    random = np.random.default_rng(3)
    owners = random.integers(0, N, 4 * N)
    atoms = {
        "molecule": np.char.add("m", owners.astype(str)),
        "element": random.choice(["c", "n", "o"], 4 * N),
        "charge": random.random(4 * N),
    }
    score = np.bincount(owners[atoms["element"] == "n"], minlength=N) + random.normal(0, 0.7, N)
    molecules = {
        "id": np.char.add("m", np.arange(N).astype(str)),
        "weight": random.random(N),
        "label": np.array(["a", "b", "c"])[np.digitize(score, [0.7, 1.7])],
    }
    return {"molecule": molecules, "atom": atoms}


def answers(name: str, tables: Tables) -> Any:
    """Probabilities of the molecules by name, classes in their order."""
    database = Database(tables, links=["atom.molecule -> molecule.id"])
    model = RelationalTreeClassifier(
        database,
        "molecule.label",
        pruning=QUICK.get(name, name),
        min_samples_leaf=4,
        binning="entropy",  # few thresholds, so that no two tests divide these few examples alike
        random_state=0,
    )
    return model.fit([f"m{number}" for number in range(N)]).predict_proba([f"m{number}" for number in range(N)])


def shuffled(table: dict[str, Any], seed: int) -> dict[str, Any]:
    order = np.random.default_rng(seed).permutation(len(next(iter(table.values()))))
    return {name: values[order] for name, values in table.items()}


@cache
def known(name: str) -> Any:
    return answers(name, make_tables())


# Those that hold out or draw, and one that does not.
NAMES = [
    "default",
    "cost_complexity",
    "mdl",
    "permutation",
    "rand",
    "reduced_error",
    "sampled",
    "subtree_randomisation",
]


@pytest.mark.parametrize("name", NAMES)
def test_other_names_of_the_classes(name: str) -> None:
    """`SafePruning` is none of these: of classes that are equally frequent it takes the first for the prediction."""
    tables = make_tables()
    renamed = {"a": "q", "b": "p", "c": "r"}
    labels = np.array([renamed[label] for label in tables["molecule"]["label"]])
    after = answers(name, {**tables, "molecule": {**tables["molecule"], "label": labels}})
    np.testing.assert_allclose(after[:, [1, 0, 2]], known(name), rtol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_rows_tables_and_columns(name: str) -> None:
    """All at once; of tables and columns up to ties among tests, which go by these orders."""
    tables = {table: shuffled(columns, seed) for seed, (table, columns) in enumerate(make_tables().items())}
    turned = {table: dict(reversed(columns.items())) for table, columns in reversed(tables.items())}
    np.testing.assert_allclose(answers(name, turned), known(name), rtol=1e-9)
