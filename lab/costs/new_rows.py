"""What samples and new rows cost beside one fit of all rows, in processor seconds of one thread.

python -m lab.costs.new_rows                 # samples of 1e6 rows, and 1e5 rows in 100 pieces
python -m lab.costs.new_rows --rows 10000000
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from petree import ProbabilityTreeClassifier

N_COLUMNS = 20
N_VALUES = 200
UNSEEN = 0.2
N_PIECES = 100
PLAIN = {"pruning": "none", "smoothing": "laplace"}
SAMPLED = {
    "gain, depth 8": {"max_depth": 8},
    "gain, depth 12": {"max_depth": 12},
    "bayes, depth 8": {"max_depth": 8, "split": "bayes"},
    "bayes, depth 12": {"max_depth": 12, "split": "bayes"},
}
IN_PIECES: dict[str, dict[str, Any]] = {
    "as it is": {},
    "as it is, fix_ratio=1e6": {"fix_ratio": 1e6},
    "unpruned": PLAIN,
}


class Data(NamedTuple):
    """Rows of one-byte numbers, and classes that eight of the columns tell something of."""

    X: NDArray[np.uint8]
    y: NDArray[np.int8]

    @classmethod
    def make(cls, n_rows: int) -> Data:
        random = np.random.default_rng(0)
        X = random.integers(0, N_VALUES, (n_rows, N_COLUMNS), dtype=np.uint8)
        logit = 1.0 * ((X[:, 0] > 100) & (X[:, 1] > 50))
        for column in range(8):
            logit += np.where(X[:, column] < 100 + 5 * column, 1.0, -1.0) / (1 + column)
        return cls(X, (random.random(n_rows) < 1 / (1 + np.exp(-logit))).astype(np.int8))

    def take(self, first: int, last: int) -> Data:
        return Data(self.X[first:last], self.y[first:last])

    def bits(self, model: ProbabilityTreeClassifier) -> float:
        """Mean log loss of a model on these rows."""
        return float(-np.log2(model.predict_proba(self.X)[np.arange(len(self.y)), self.y]).mean())


def timed(learn: Callable[[], ProbabilityTreeClassifier]) -> tuple[float, ProbabilityTreeClassifier]:
    """Processor seconds, and the model."""
    start = time.process_time()
    model = learn()
    return time.process_time() - start, model


def compare_samples(data: Data, table: Table) -> None:
    """A line for each kind of tree: all rows against samples."""
    n_unseen = int(UNSEEN * len(data.y))
    unseen = data.take(0, n_unseen)
    seen = data.take(n_unseen, len(data.y))
    for name, parameters in SAMPLED.items():
        exact = ProbabilityTreeClassifier(n_jobs=1, **PLAIN, **parameters)
        sampled = ProbabilityTreeClassifier(n_jobs=1, sample_ratio=1000.0, **PLAIN, **parameters)
        one, _ = timed(lambda model=exact: model.fit(seen.X, seen.y))
        other, _ = timed(lambda model=sampled: model.fit(seen.X, seen.y))
        more_bits = unseen.bits(sampled) / unseen.bits(exact) - 1
        table.add_row(name, f"{one:.2f}", f"{other:.2f}", f"{one / other:.2f}", f"{more_bits:+.2%}")


def in_pieces(model: ProbabilityTreeClassifier, data: Data) -> ProbabilityTreeClassifier:
    for rows in np.array_split(np.arange(len(data.y)), N_PIECES):
        model.partial_fit(data.X[rows], data.y[rows], classes=[0, 1])
    return model


def compare_pieces(data: Data, table: Table) -> None:
    """A line for each kind of tree: one fit against pieces."""
    n_unseen = int(UNSEEN * len(data.y))
    unseen = data.take(0, n_unseen)
    seen = data.take(n_unseen, len(data.y))
    kinds: dict[str, dict[str, Any]] = {
        "as it is": {},
        "unpruned": PLAIN,
        "unpruned, fix_ratio=1e6": PLAIN | {"fix_ratio": 1e6},
    }
    for name, parameters in kinds.items():
        one, whole = timed(lambda parameters=parameters: ProbabilityTreeClassifier(n_jobs=1, **parameters).fit(*seen))
        other, model = timed(
            lambda parameters=parameters: in_pieces(ProbabilityTreeClassifier(n_jobs=1, **parameters), seen)
        )
        more_bits = unseen.bits(model) / unseen.bits(whole) - 1
        table.add_row(name, f"{one:.2f}", f"{other:.2f}", f"{other / one:.2f}", f"{more_bits:+.2%}")


def table_of(title: str, *columns: str) -> Table:
    table = Table(title=title)
    for column in columns:
        table.add_column(column)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="Rows of the samples' table.")
    n_rows = parser.parse_args().rows
    samples = table_of(f"sample_ratio=1000, {n_rows} rows", "tree", "all rows", "samples", "times as fast", "bits")
    compare_samples(Data.make(n_rows), samples)
    Console().print(samples)
    pieces = table_of(f"100,000 rows in {N_PIECES} pieces", "tree", "one fit", "pieces", "times as long", "bits")
    compare_pieces(Data.make(int(100_000 / (1 - UNSEEN))), pieces)
    Console().print(pieces)


if __name__ == "__main__":
    main()
