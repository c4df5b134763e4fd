"""What is kept of a model, in a file of its own kind."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

import petree
from lab.same_models.plans import Made, Plan, plan_all

Numbers = dict[str, NDArray[np.float64]]
Record = dict[str, Any]


def record(plan: Plan) -> tuple[Record, Numbers]:
    """What is kept of one model: its description with what must be the same, and its numbers."""
    made = plan.make()
    numbers = Numbers()
    known = {"name": plan.name, "members": dict(plan.members), "text": describe(made)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made.model.fit(made.cases.X, made.cases.y, **made.settings)
            known |= read(made, numbers)
        except Exception as error:  # a refusal is a result like any other
            known["error"] = one_line(f"{type(error).__name__}: {error}")
            numbers = Numbers()
    return known, numbers


def describe(made: Made) -> str:
    """The estimator with its parameters, and its data, on one line."""
    text = repr(made.model.set_params(database=None) if made.cases.database else made.model)
    made.model.set_params(**({"database": made.cases.database} if made.cases.database else {}))
    return one_line(f"{text} on {made.cases.text}, with {', '.join(made.settings) or 'nothing else'}")


def one_line(text: str) -> str:
    """A text without line ends, and without places in memory."""
    return re.sub(r" at 0x[0-9a-f]+", "", " ".join(text.split()))


def read(made: Made, numbers: Numbers) -> Record:
    """What must be the same of a fitted model; its numbers are put beside."""
    model = made.model
    probe = made.cases.probe
    conditions = hashlib.sha256()
    counts = hashlib.sha256()
    numbers["answers"] = model.predict_proba(probe)
    read_tree(model.tree_, conditions, counts, numbers)
    if isinstance(model, petree.OptionTreeClassifier):
        shares = model.shares_
        summary = model.summary(made.max_leaves)
        numbers |= {"evidence": shares.log_evidence, "stay": shares.stay, "go": shares.go}
        numbers["summary answers"] = summary.predict_proba(probe)
        numbers["summary nodes"] = summary.node_probabilities_
        read_tree(summary.tree_, conditions, counts, {})
        numbers["interval"] = np.hstack(model.predict_interval(probe)[:2])
        return {"conditions": conditions.hexdigest(), "counts": counts.hexdigest()}
    numbers["nodes"] = model.node_probabilities_
    numbers["interval"] = np.hstack(model.predict_interval(probe)[:2])
    if hasattr(model, "tuning_"):
        numbers["losses"] = np.array(model.tuning_.losses)
    return {
        "conditions": conditions.hexdigest(),
        "counts": counts.hexdigest(),
        "leaves": hashlib.sha256(model.apply(probe).astype(np.int64).tobytes()).hexdigest(),
        "smoothing": one_line(repr(model.smoothing_)),
    }


def read_tree(tree: petree.Tree, conditions: Any, counts: Any, numbers: Numbers) -> None:
    """Add a tree to what must be the same, with the tree before pruning and what was cut of it."""
    tests = tree.conditions
    texts = [
        [tests.columns, tree.classes],
        [tests.extras[int(tests.value[k])] for k in np.flatnonzero(is_extra(tests))],
    ]
    conditions.update(repr(texts).encode())
    for array in (
        tests.kind, tests.column, np.where(is_extra(tests), 0, tests.value), tests.missing,
        tree.split_start, tree.child_start, tree.children,
    ):  # fmt: skip
        conditions.update(np.ascontiguousarray(array).tobytes())
    for array in (tree.counts, tree.sizes, tree.n_tests):
        counts.update(np.ascontiguousarray(array).tobytes())
    numbers["counts"] = tree.counts
    for name, values in {**tree.annotations, **tree.split_annotations}.items():
        numbers[name] = np.asarray(values, np.float64)
    log = tree.pruning_log
    if log is not None:
        grown: Numbers = {}
        read_tree(log.grown, conditions, counts, grown)
        for array in (log.nodes, log.cut, log.verdicts.accepted):
            conditions.update(np.ascontiguousarray(array).tobytes())
        numbers |= {f"{name} before pruning": values for name, values in grown.items()}
        numbers |= {"statistic": log.verdicts.statistic, "threshold": log.verdicts.threshold}


def is_extra(tests: Any) -> NDArray[np.bool_]:
    """Which conditions are texts or sets of categories, kept beside the arrays."""
    return np.isin(tests.kind, (petree.conditions.IN, petree.conditions.QUERY))


@cache
def plans() -> list[Plan]:
    """All models, once a process."""
    return plan_all()


def record_number(number: int) -> tuple[Record, Numbers]:
    return record(plans()[number])


def record_all(numbers: Sequence[int], n_processes: int) -> Iterator[tuple[Record, Numbers]]:
    """The models of these numbers in their order, whichever process fits them."""
    if n_processes == 1:
        yield from map(record_number, numbers)
        return
    with multiprocessing.get_context("spawn").Pool(n_processes) as pool:
        yield from pool.imap(record_number, numbers, chunksize=8)


def write(path: Path, found: Iterable[tuple[Record, Numbers]]) -> list[Record]:
    """Keep all models in one file: a text for what they are, and one long array of their numbers."""
    records = []
    parts = [np.empty(0)]
    for known, numbers in found:
        records.append({**known, "shapes": {name: values.shape for name, values in numbers.items()}})
        parts += [np.ascontiguousarray(values, np.float64).ravel() for values in numbers.values()]
    versions = {one.__name__: one.__version__ for one in (petree, np, scipy, pd)} | {"python": sys.version.split()[0]}
    text = json.dumps({"versions": versions, "records": records})
    np.savez_compressed(path, text=np.frombuffer(text.encode(), np.uint8), numbers=np.concatenate(parts))
    return records


def read_file(path: Path) -> tuple[dict[str, str], dict[str, tuple[Record, Numbers]]]:
    """The versions that a file was made with, and its models by name."""
    with np.load(path) as arrays:
        known = json.loads(arrays["text"].tobytes())
        line = arrays["numbers"]
    models = {}
    start = 0
    for one in known["records"]:
        numbers: Numbers = {}
        for name, shape in one["shapes"].items():
            size = int(np.prod(shape))
            numbers[name], start = line[start : start + size].reshape(shape), start + size
        models[one["name"]] = (one, numbers)
    return known["versions"], models
