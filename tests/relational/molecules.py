"""Eight molecules, of which three are mutagenic."""

from __future__ import annotations

from typing import Any

from petree import RelationalTreeClassifier
from petree.relational import Database

KEYS = range(8)
LINK = "atom.molecule -> molecule.id"


def make_tables() -> dict[str, dict[str, Any]]:
    return {
        "molecule": {"id": list(KEYS), "mutagenic": ["yes", "yes", "yes", "no", "no", "no", "no", "no"]},
        "atom": {
            "molecule": [0, 0, 1, 2, 2, 3, 4, 5, 5, 6],
            "element": ["c", "n", "n", "c", "n", "c", "n", "o", "c", "c"],
            "charge": [0.1, -0.4, -0.3, 0.2, -0.5, -0.3, 0.1, -0.4, 0.0, 0.3],
        },
    }


def make_model(database: Database | None = None, target: str = "molecule.mutagenic", **parameters: Any) -> Any:
    database = Database(make_tables(), links=[LINK]) if database is None else database
    return RelationalTreeClassifier(database, target, **{"pruning": "none", "smoothing": "laplace"} | parameters)
