"""Files that version 1 of the format wrote are read, and answer as they did then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from petree.relational import Database
from petree.storage import dumps, load, loads

FILES = Path(__file__).parent / "version_1"
ROWS = {"size": [1.5, None], "colour": ["blue", "violet"], "grade": ["low", "high"]}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("table", [[1 / 6, 4 / 6, 1 / 6], [0.4375, 0.375, 0.1875]]),
        (
            "options",
            [
                [0.11368634091297969, 0.7978189784505928, 0.08849468063642756],
                [0.33145632357635973, 0.3323109861195144, 0.33623269030412606],
            ],
        ),
    ],
)
def test_trees_of_a_table(name: str, expected: Any) -> None:
    model = load(FILES / f"{name}.json")
    assert model.classes_.tolist() == ["maybe", "no", "yes"]
    np.testing.assert_allclose(model.predict_proba(ROWS), expected, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(loads(dumps(model)).predict_proba(ROWS), model.predict_proba(ROWS))


def test_class_weights_are_read() -> None:
    assert load(FILES / "table.json").predict(ROWS).tolist() == ["no", "no"]


def test_a_tree_of_related_tables() -> None:
    atoms = {"molecule": [1, 1, 2], "element": ["cl", "c", "o"], "charge": [0.5, 0.1, 0.2]}
    tables = {"molecule": {"id": [1, 2], "class": ["toxic", "safe"]}, "atom": atoms}
    model = load(FILES / "related_tables.json", Database(tables, links=["atom.molecule -> molecule.id"]))
    assert model.rules() == [
        "if some atom (B) of the molecule has element = cl then P(toxic)=0.75 (n=2)",
        "if no atom of the molecule has element = cl then P(safe)=0.80 (n=3)",
    ]
    np.testing.assert_allclose(model.predict_proba([1, 2]), [[0.25, 0.75], [0.8, 0.2]], rtol=0, atol=1e-12)
