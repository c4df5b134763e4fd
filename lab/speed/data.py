"""The tables of the benchmark: rows at random, labels by a fixed teacher tree, one label in ten wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

N_FEATURES = 20
N_VALUES = 8
NOISE = 0.1
CHUNK = 100_000

# Deep enough that no greedy learner finds the teacher: 1e5 rows then give unpruned trees of 1e4 leaves and more.
NUMERIC_DEPTH = 10
NOMINAL_DEPTH = 6

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class Case:
    """One table of the benchmark."""

    rows: int
    classes: int = 2
    nominal: bool = False

    @property
    def name(self) -> str:
        kind = f"nominal features of {N_VALUES} values" if self.nominal else "numeric features"
        return f"{size_name(self.rows)} rows x {N_FEATURES} {kind}, {self.classes} classes"

    @property
    def warm_up(self) -> Case:
        """A small table of the same kind."""
        return Case(10_000, self.classes, self.nominal)


def size_name(rows: int) -> str:
    """1e5 for 100000, and the plain number where it is no power of ten."""
    zeros = len(str(rows)) - 1
    return f"1e{zeros}" if rows == 10**zeros else str(rows)


class Teacher:
    """A full binary tree with random tests and random classes; the same for every number of rows."""

    def __init__(self, classes: int, nominal: bool) -> None:
        random = np.random.default_rng([1, classes, nominal])
        self.nominal = nominal
        self.depth = NOMINAL_DEPTH if nominal else NUMERIC_DEPTH
        self.n_leaves = 2**self.depth
        self.features = random.integers(N_FEATURES, size=self.n_leaves)
        self.thresholds = 0.7 * random.standard_normal(self.n_leaves)
        self.subsets = random.random((self.n_leaves, N_VALUES)) < 0.5
        self.leaf_classes = random.integers(classes, size=self.n_leaves)

    def label(self, X: FloatArray) -> IntArray:
        rows = np.arange(len(X))
        nodes = np.ones(len(X), np.int64)
        for _ in range(self.depth):
            values = X[rows, self.features[nodes]]
            if self.nominal:
                nodes = 2 * nodes + self.subsets[nodes, values.astype(np.intp)]
            else:
                nodes = 2 * nodes + (values < self.thresholds[nodes])
        classes: IntArray = self.leaf_classes[nodes - self.n_leaves]
        return classes


def make(case: Case, part: int = 0) -> tuple[FloatArray, IntArray]:
    """The table and the labels of a case; part 0 to learn from, part 1 new rows to predict.

    Nominal values are codes 0 to 7 as floats. The table is filled chunk by chunk, so that making it needs no
    more memory than the table itself.
    """
    teacher = Teacher(case.classes, case.nominal)
    X = np.empty((case.rows, N_FEATURES))
    y = np.empty(case.rows, np.int64)
    for start in range(0, case.rows, CHUNK):
        random = np.random.default_rng([2, part, start])
        chunk = slice(start, min(start + CHUNK, case.rows))
        _fill(X[chunk], case.nominal, random)
        y[chunk] = _with_noise(teacher.label(X[chunk]), case.classes, random)
    return X, y


def _fill(X: FloatArray, nominal: bool, random: np.random.Generator) -> None:
    if nominal:
        X[:] = random.integers(N_VALUES, size=X.shape)
    else:
        random.standard_normal(out=X)


def _with_noise(y: IntArray, classes: int, random: np.random.Generator) -> IntArray:
    """One label in ten replaced by another class."""
    others = (y + random.integers(1, classes, size=len(y))) % classes
    return np.where(random.random(len(y)) < NOISE, others, y)
