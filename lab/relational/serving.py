"""The relational trees of one version of petree, which an interpreter of its own runs.

For each line of a set and a kind on standard input it answers with the processor seconds of a fit on one thread and the
number of nodes; with a third word, 0, 1 or 2, of a fit without that third of the examples, as in cross-validation. It
needs nothing of the other benchmarks, since an older version has others.

What a tree asks unless told may differ between versions. The kind "declared" is told: what the links let one ask, with
nothing looked ahead and no bound of rows, at thresholds by quantiles, so that both versions grow the same tree where
they have the same data (the trains are drawn by each version itself).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from time import process_time
from typing import Any
from warnings import simplefilter

from lab.papers.data.generators import trains_database
from lab.papers.data.relational_data import load
from petree import RelationalTreeClassifier
from petree.relational import Database

UNPRUNED = {"pruning": "none", "smoothing": "laplace"}
# Without a bound of rows there is more to ask at each level, and the larger set has no end of levels.
DEPTH = 10
N_PARTS = 3
KINDS: dict[str, dict[str, Any]] = {
    "unpruned": UNPRUNED,
    "default": {},
    "declared": UNPRUNED | {"binning": "quantile", "max_depth": DEPTH},
}


def serve() -> None:
    known: dict[tuple[str, str], Database] = {}
    for line in sys.stdin:
        name, kind, *left_out = line.split()
        if (name, kind) not in known:
            known.clear()  # one at a time, and of each kind one that nobody has asked
            known[name, kind] = trains_database(25_000, 0) if name == "trains" else load(name)
        database = known[name, kind]
        keys = [
            key
            for place, key in enumerate(database.keys(database.target.rpartition(".")[0]))
            if str(place % N_PARTS) not in left_out
        ]
        model = RelationalTreeClassifier(database, random_state=0, n_jobs=1, **KINDS[kind])
        if kind == "declared":
            declare(model, database, keys)
        start = process_time()
        model.fit(keys)
        print(json.dumps([process_time() - start, model.tree_.n_nodes]), flush=True)


def declare(model: RelationalTreeClassifier, database: Database, keys: Sequence[Any]) -> None:
    """Tell a model what to ask, in words that versions have in common."""
    bias = RelationalTreeClassifier(database, max_depth=1, **UNPRUNED).fit(keys).bias_
    modes = tuple(mode for mode in bias.modes if getattr(mode, "known", None) is None)
    model.set_params(bias=replace(bias, modes=modes, lookaheads=(), max_links=None))


if __name__ == "__main__":
    simplefilter("ignore")
    serve()
