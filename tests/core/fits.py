"""A few dozen small fits that go through all compiled loops, and a digest of what each learned and predicts.

Run as a program it prints a digest for each.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import numpy as np
from tests.partitions.made import LITTLE, UNEQUAL, code, make_frame, make_weights

from petree import OptionTreeClassifier, ProbabilityTreeClassifier, RelationalTreeClassifier, core
from petree.binning import MEMBERS as BINNINGS
from petree.partitions.coding.sketches import Sketch
from petree.partitions.engines import use
from petree.pruning import MEMBERS as PRUNINGS
from petree.relational import Database
from petree.smoothing import MEMBERS as SMOOTHINGS
from petree.splitting import MEMBERS as SPLITS

Model = Any


def make_table(n_rows: int = 150, n_classes: int = 3) -> tuple[dict[str, Any], Any]:
    """Numbers of many and of few values, text, and missing values."""
    random = np.random.default_rng(n_rows)
    size = random.normal(size=n_rows)
    size[random.random(n_rows) < 0.1] = np.nan
    colour = random.choice(["red", "green", "blue", "grey", "pink", "black"], n_rows).astype(object)
    colour[random.random(n_rows) < 0.1] = None
    columns = {"size": size, "grade": random.integers(0, 5, n_rows), "colour": colour, "noise": random.random(n_rows)}
    drift = np.nan_to_num(size) + columns["grade"] / 2 + (colour == "red")
    classes = np.digitize(drift + random.normal(0, 0.7, n_rows), np.linspace(0, 3, n_classes + 1)[1:-1])
    return columns, classes


def make_database(n_examples: int = 40) -> tuple[Database, Any]:
    random = np.random.default_rng(n_examples)
    n_atoms = 3 * n_examples
    owners = random.integers(0, n_examples, n_atoms)
    atoms = {
        "molecule": owners,
        "element": random.choice(["c", "n", "o"], n_atoms),
        "charge": random.normal(size=n_atoms).round(1),
    }
    bonded = np.bincount(owners[atoms["element"] == "n"], minlength=n_examples) > 1
    classes = np.where(bonded ^ (random.random(n_examples) < 0.1), "yes", "no")
    molecules = {"id": np.arange(n_examples), "weight": random.random(n_examples), "mutagenic": classes}
    links = ["atom.molecule -> molecule.id"]
    return Database({"molecule": molecules, "atom": atoms}, links=links), np.arange(n_examples)


def _learn(model: Model, n_classes: int = 3, **fitting: Any) -> bytes:
    X, y = make_table(n_classes=n_classes)
    new, _ = make_table(60)
    model.fit(X, y, **fitting)
    return model.predict_proba(X).tobytes() + model.predict_proba(new).tobytes()


def _tree(**parameters: Any) -> Callable[[], bytes]:
    return lambda: _learn(ProbabilityTreeClassifier(random_state=0, n_jobs=1, **parameters))


def _plain(**parameters: Any) -> Callable[[], bytes]:
    """Without inner folds, which take most of the time of a small fit."""
    return _tree(**{"pruning": "none", "smoothing": "laplace", **parameters})


def _sets(**parameters: Any) -> Callable[[], bytes]:
    return _plain(tests="sets", **parameters)


def _weighted(**parameters: Any) -> Callable[[], bytes]:
    weights = np.random.default_rng(0).random(150)
    return lambda: _learn(ProbabilityTreeClassifier(random_state=0, **parameters), 2, sample_weight=weights)


def _directed(**parameters: Any) -> Callable[[], bytes]:
    return _weighted(pruning="none", smoothing="laplace", monotonic_cst={"size": -1}, **parameters)


def _options(**parameters: Any) -> Callable[[], bytes]:
    def learn() -> bytes:
        model = OptionTreeClassifier(**parameters)
        learned = _learn(model)
        lower, upper, _ = model.predict_interval(make_table(60)[0])
        return learned + lower.tobytes() + upper.tobytes() + model.summary(2).export_text().encode()

    return learn


def _explained() -> bytes:
    """What columns contribute, and the nearest leaf of another class."""
    X, y = make_table()
    found = ProbabilityTreeClassifier(pruning="mdl", smoothing="laplace", tests="sets").fit(X, y).explain(X)
    return found.contributions.tobytes() + found.base_values.tobytes() + found.nearest_leaves.tobytes()


def _wide() -> bytes:
    """Columns of more values than a byte can tell apart."""
    random = np.random.default_rng(1)
    columns = {"number": random.normal(size=900), "word": random.integers(0, 300, 900).astype(str).astype(object)}
    y = columns["number"] > random.normal(size=900)
    models = [_wide_tree(name).fit(columns, y) for name in ("quantile", "exact")]
    return b"".join(model.predict_proba(columns).tobytes() for model in models)


def _wide_tree(binning: str) -> Model:
    return ProbabilityTreeClassifier(binning=binning, pruning="none", smoothing="laplace", n_jobs=1)


def _many_values() -> bytes:
    values = np.random.default_rng(2).normal(size=30_000)
    return BINNINGS["quantile"](64).thresholds(values, np.zeros(30_000, np.int64), None, 1).tobytes()


def _alone() -> bytes:
    """Doors that no fit goes through, or only with very much to carry."""
    values, results = np.linspace(0.1, 20, 50), np.empty((4, 50))
    for name, result in zip(("binary_log", "natural_log", "power_of_e", "log_gamma"), results, strict=True):
        getattr(core.numbers, name)(values, result)
    drawn = core.draws.draw_hypergeometric(0.3, 12, 20, 9, np.log(np.arange(1.0, 5.0)), core.NO_STOP)
    wiring = core.trees.Wiring(*(np.array(part, np.int32) for part in ([0, 1, 1, 1], [0, 2], [1, 2])))
    tests = core.prediction.Tests(
        *(np.array(part, kind) for part, kind in zip(([0], [0], [0.5], [0], [0, 0], []), _TEST_TYPES, strict=True))
    )
    stand_ins = core.prediction.Surrogates(tests, np.array([0, 1], np.int32), np.zeros(1, np.uint8))
    router = core.prediction.Router(tests, wiring, np.array([3.0, 1.0, 2.0]), stand_ins)
    shares = core.prediction.shares(router)
    found = core.prediction.find_parts(router, np.array([[0.0], [np.nan]]), core.NO_STOP)
    assert core.permutation.instructions()
    parts = [results, np.array(drawn), *core.trees.depth_first(wiring), shares, *found, _sampled()]
    return b"".join(part.tobytes() for part in parts)


def _sampled() -> Any:
    """The places of sampled rows; a fit needs many rows to ask for them."""
    codes = np.arange(60, dtype=np.uint8).reshape(20, 3)
    keys = np.zeros(20, np.uint64)
    core.content.mix_codes(codes, keys)
    core.content.mix_wide_codes(codes.astype(np.uint32), keys)
    bands = np.empty(20, np.uint8)
    core.content.count_halvings(keys, np.ones(1, np.uint64), bands)
    order = np.arange(20, dtype=np.uint32)[::-1].copy()
    return core.tables.list_sampled(order, bands, np.array([[0, 8], [8, 20]]), 1, np.empty(2, np.int64), core.NO_STOP)


_TEST_TYPES = (np.uint8, np.int32, np.float64, np.int32, np.int32, np.float64)


def _relational(**parameters: Any) -> Callable[[], bytes]:
    def learn() -> bytes:
        database, keys = make_database()
        model = RelationalTreeClassifier(database, "molecule.mutagenic", random_state=0, **parameters).fit(keys)
        return model.predict_proba(keys).tobytes() + model.export_text().encode()

    return learn


def _in_parts() -> bytes:
    """The cells of values that come in two parts."""
    values = np.random.default_rng(0).normal(size=400)
    sketch = Sketch.empty().with_values(values[:150], None).with_values(values[150:], np.ones(250))
    return sketch.cells.tobytes()


def _from_parts() -> bytes:
    """A tree of parts of which few rows fit in memory."""
    frame, classes = make_frame()
    with use(memory=LITTLE):
        model = ProbabilityTreeClassifier().fit(code(frame, classes, make_weights("copies"), UNEQUAL))
    return model.predict_proba(frame).tobytes() + model.export_text().encode()


FITS: dict[str, Callable[[], bytes]] = {
    "default": _tree(),
    **{f"split {name}": _plain(split=name) for name in SPLITS},
    **{f"many ways {name}": _plain(split=name, tests="multiway") for name in SPLITS},
    **{f"sets {name}": _sets(split=name) for name in SPLITS if name != "bayes"},
    "sets permuted": _sets(pruning="permutation"),
    "sets weighted": _weighted(tests="sets"),
    **{f"pruning {name}": _plain(pruning=name) for name in PRUNINGS},
    **{f"smoothing {name}": _tree(smoothing=name, pruning="mdl") for name in SMOOTHINGS},
    **{f"binning {name}": _plain(binning=name) for name in BINNINGS},
    "weighted": _weighted(),
    "weighted without pruning": _weighted(pruning="none", smoothing="laplace"),
    "lookahead": _plain(lookahead=2),
    **{f"directions {name}": _directed(split=name) for name in SPLITS},
    **{f"groups {name}": _plain(split=name, interaction_cst="pairwise") for name in SPLITS},
    "wide columns": _wide,
    "many values": _many_values,
    "options": _options(n_searches=2, max_depth=6),
    "options, best first": _options(n_searches=2, max_depth=4, growing="best_first"),
    "explained": _explained,
    "relational": _relational(),
    "relational without pruning": _relational(pruning="none", smoothing="laplace"),
    "relational with sums": _relational(pruning="none", smoothing="laplace", aggregates=("count", "sum")),
    "alone": _alone,
    "in parts": _in_parts,
    "from parts": _from_parts,
}


def digest(name: str) -> str:
    return hashlib.sha256(FITS[name]()).hexdigest()


if __name__ == "__main__":
    print(json.dumps({"instructions": core.permutation.instructions(), **{name: digest(name) for name in FITS}}))
