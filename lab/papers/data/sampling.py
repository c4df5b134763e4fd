"""Samples of data sets with fewer classes, merged classes, or another share of a class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lab.experiments.data import DataSet


def frequent_classes(data: DataSet, n_classes: int, n_rows: int, seed: int) -> DataSet:
    """Rows of the most frequent classes, drawn with the shares that these classes have among themselves (CW488 5.3.4).

    Parameters
    ----------
    data : DataSet
    n_classes : int
        Number of classes to keep; of equally frequent ones those that come first by name.
    n_rows : int
        Number of rows to draw; the shares are met to one row.
    seed : int
    """
    _check_classes(data, n_classes)
    classes, counts = np.unique(data.y, return_counts=True)
    kept = np.argsort(-counts, kind="stable")[:n_classes]
    wanted = _whole_numbers(counts[kept] / counts[kept].sum() * n_rows)
    rng = np.random.default_rng([seed, n_classes])
    drawn = [
        _draw(rng, data, data.y == classes[place], number, f"the class {classes[place]}")
        for place, number in zip(kept, wanted.tolist(), strict=True)
    ]
    return replace(data.take(np.sort(np.concatenate(drawn))), name=f"{n_classes} classes")


def _whole_numbers(shares: NDArray[np.float64]) -> NDArray[np.int64]:
    """Numbers that sum to the same, each rounded up or down."""
    whole = np.floor(shares).astype(np.int64)
    left = round(shares.sum()) - int(whole.sum())
    whole[np.argsort(whole - shares, kind="stable")[:left]] += 1
    return whole


def with_sizes(data: DataSet, sizes: Mapping[str, int], seed: int) -> DataSet:
    """A given number of rows of each class.

    Parameters
    ----------
    data : DataSet
    sizes : dict of int
        Number of rows by class; classes that are not named are left out.
    seed : int
    """
    rng = np.random.default_rng([seed, len(sizes)])
    drawn = [_draw(rng, data, data.y == label, size, f"the class {label}") for label, size in sizes.items()]
    return data.take(np.sort(np.concatenate(drawn)))


def with_share(data: DataSet, label: str, share: float, n_rows: int, seed: int) -> DataSet:
    """Rows of which a given share has the class `label` (CW488 5.3.1)."""
    is_label = data.y == label
    n_label = round(share * n_rows)
    rng = np.random.default_rng([seed, n_label])
    drawn = [
        _draw(rng, data, is_label, n_label, f"the class {label}"),
        _draw(rng, data, ~is_label, n_rows - n_label, f"classes other than {label}"),
    ]
    return replace(data.take(np.sort(np.concatenate(drawn))), name=f"{100 * share:g}% {label}")


def merged_classes(data: DataSet, n_classes: int) -> DataSet:
    """The two least frequent classes made one, again and again, until so many are left (F05, Figure 1).

    Of equally frequent classes those that come first by name are merged.
    """
    _check_classes(data, n_classes)
    labels = data.y.astype(object)
    while len(np.unique(labels)) > n_classes:
        classes, counts = np.unique(labels, return_counts=True)
        first, second = classes[np.argsort(counts, kind="stable")[:2]]
        labels[(labels == first) | (labels == second)] = f"{first}+{second}"
    return replace(data, name=f"{n_classes} classes", y=labels.astype(str))


def _check_classes(data: DataSet, n_classes: int) -> None:
    if n_classes > data.n_classes:
        raise ValueError(f"{data.name} has {data.n_classes} classes; ask for as many or fewer, not for {n_classes}.")


def _draw(rng: np.random.Generator, data: DataSet, is_of: NDArray[np.bool_], number: int, of: str) -> NDArray[np.intp]:
    """So many of the rows that are of some class."""
    rows = np.flatnonzero(is_of)
    if number > len(rows):
        raise ValueError(f"{data.name} has {len(rows)} rows of {of}; draw as many or fewer, not {number}.")
    return rng.choice(rows, number, replace=False)
