"""Other libraries on the data of `run.py`: one tree of 8 levels each, in a process of its own.

LightGBM on the workers of a Dask cluster, XGBoost with pages on the disk, and scikit-learn, which needs its rows in
memory, with a sample of them.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from lab.scale.clusters import megabytes_of, warm_up
from lab.scale.rows import N_COLUMNS, ROWS_PER_PART, held_out

DEPTH = 8
# Rows that scikit-learn gets: a quarter, and a million at most.
SHARE = 0.25
MOST_ROWS = 10**6

Predict = Callable[[NDArray[np.uint8]], NDArray[np.float64]]


def load(folder: str, number: int, what: str) -> NDArray[Any]:
    """An array of a part."""
    return np.asarray(np.load(f"{folder}/{number}-{what}.npy"))


def n_parts(n_rows: int) -> int:
    return -(-n_rows // ROWS_PER_PART)


def fit_sklearn(folder: str, n_rows: int, scheduler: str) -> tuple[Predict, int]:
    from sklearn.tree import DecisionTreeClassifier

    share = min(SHARE, MOST_ROWS / n_rows)
    random = np.random.default_rng(0)
    rows = []
    classes = []
    for number in range(n_parts(n_rows)):
        own = load(folder, number, "narrow")
        which = random.random(len(own)) < share
        rows.append(own[which])
        classes.append(load(folder, number, "classes")[which])
    model = DecisionTreeClassifier(max_depth=DEPTH).fit(np.concatenate(rows), np.concatenate(classes))
    return lambda X: model.predict_proba(X)[:, 1], int(model.get_n_leaves())


def fit_xgboost(folder: str, n_rows: int, scheduler: str) -> tuple[Predict, int]:
    import xgboost

    class Parts(xgboost.DataIter):
        """Hands over one part after the other."""

        def __init__(self) -> None:
            self.number = 0
            super().__init__(cache_prefix=f"{folder}/xgboost")

        def next(self, input_data: Callable[..., Any]) -> bool:
            if self.number == n_parts(n_rows):
                return False
            rows = load(folder, self.number, "narrow").astype(np.float32)
            input_data(data=rows, label=load(folder, self.number, "classes"))
            self.number += 1
            return True

        def reset(self) -> None:
            self.number = 0

    data = xgboost.ExtMemQuantileDMatrix(Parts(), max_bin=255)
    parameters = {"max_depth": DEPTH, "eta": 1.0, "nthread": 2, "objective": "binary:logistic", "max_bin": 255}
    model = xgboost.train(parameters, data, num_boost_round=1)
    leaves = sum(line.count("leaf=") for line in model.get_dump())
    return lambda X: model.predict(xgboost.DMatrix(X.astype(np.float32))), leaves


def fit_lightgbm(folder: str, n_rows: int, scheduler: str) -> tuple[Predict, int]:
    import dask.array
    import lightgbm
    from dask import delayed
    from distributed import Client

    def array(what: str, kind: type, width: tuple[int, ...]) -> Any:
        lengths = [min(ROWS_PER_PART, n_rows - first) for first in range(0, n_rows, ROWS_PER_PART)]
        return dask.array.concatenate(
            [
                dask.array.from_delayed(delayed(load)(folder, number, what), (length, *width), kind)
                for number, length in enumerate(lengths)
            ]
        )

    with Client(scheduler_file=scheduler) as client:
        model = lightgbm.DaskLGBMClassifier(
            client=client, n_estimators=1, max_depth=DEPTH, num_leaves=2**DEPTH, learning_rate=1.0, verbose=-1
        )
        model.fit(array("narrow", np.uint8, (N_COLUMNS,)), array("classes", np.uint16, ()))
        local = model.to_local()
    leaves = int(local.booster_.dump_model()["tree_info"][0]["num_leaves"])
    return lambda X: local.predict_proba(X)[:, 1], leaves


PEERS = {"XGBoost": fit_xgboost, "scikit-learn": fit_sklearn, "LightGBM": fit_lightgbm}


def measure(folder: str, n_rows: int, peer: str, scheduler: str) -> dict[str, float]:
    """One fit, in this process."""
    if scheduler:
        warm_up(scheduler, "lab.scale.peers", "lightgbm.dask")
    Path(folder, "begun").touch()
    start = time.perf_counter()
    processor = time.process_time()
    predict, leaves = PEERS[peer](folder, n_rows, scheduler)
    found = {
        "seconds": time.perf_counter() - start,
        "of processor": time.process_time() - processor,
        "MB at most": megabytes_of(),
        "leaves": leaves,
    }
    rows, classes = held_out()
    return {**found, "AUC": float(roc_auc_score(classes, predict(rows)))}


if __name__ == "__main__":
    folder, n_rows, peer, scheduler = sys.argv[1:]
    print(json.dumps(measure(folder, int(n_rows), peer, scheduler)))
