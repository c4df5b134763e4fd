"""Which rows learn and which are asked: repeated stratified cross-validation and random splits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray


class TrainTest(NamedTuple):
    """One division of the rows: the number of its run and its fold, the rows to learn from and those to answer for."""

    run: int
    fold: int
    learn: NDArray[np.intp]
    test: NDArray[np.intp]


def cross_validation(y: ArrayLike, runs: int, folds: int, seed: int = 0) -> Iterator[TrainTest]:
    """The parts of `runs` times `folds`-fold stratified cross-validation.

    In every run the rows of each class are shuffled and dealt to the folds in turn, the next class going on where the
    one before ended, so that folds differ by one row at most, in all and in each class.
    """
    labels = np.asarray(y)
    _check(runs=(runs, 1), folds=(folds, 2), seed=(seed, 0))
    if folds > len(labels):
        raise ValueError(f"{folds} folds need as many rows, but there are {len(labels)}; take fewer folds.")
    for run in range(runs):
        numbers = deal(labels, folds, np.random.default_rng([seed, run]))
        for fold in range(folds):
            yield TrainTest(run, fold, np.flatnonzero(numbers != fold), np.flatnonzero(numbers == fold))


def deal(labels: NDArray[Any], folds: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """The fold of each row."""
    shuffled = rng.permutation(len(labels))
    codes = np.unique(labels, return_inverse=True)[1]
    numbers = np.empty(len(labels), np.intp)
    numbers[shuffled[np.argsort(codes[shuffled], kind="stable")]] = np.arange(len(labels)) % folds
    return numbers


def random_splits(n_rows: int, n_learn: int, runs: int, seed: int = 0) -> Iterator[TrainTest]:
    """Parts of `n_learn` random rows to learn from; the others are asked."""
    _check(runs=(runs, 1), n_learn=(n_learn, 1), seed=(seed, 0))
    if n_learn >= n_rows:
        raise ValueError(f"{n_learn} rows to learn from leave none of {n_rows} to ask; take fewer.")
    for run in range(runs):
        order = np.random.default_rng([seed, run]).permutation(n_rows)
        yield TrainTest(run, 0, np.sort(order[:n_learn]), np.sort(order[n_learn:]))


def _check(**numbers: tuple[int, int]) -> None:
    """Refuse a number that is below its least value."""
    for name, (number, least) in numbers.items():
        if number < least:
            raise ValueError(f"{name} must be at least {least}, got {number}.")
