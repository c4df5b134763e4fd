"""Samples of data sets with fewer classes, merged classes, or another share of a class."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from petree.experiments.data import DataSet


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
    classes, counts = np.unique(data.y, return_counts=True)
    kept = np.argsort(-counts, kind="stable")[:n_classes]
    wanted = _whole_numbers(counts[kept] / counts[kept].sum() * n_rows)
    rng = np.random.default_rng([seed, n_classes])
    drawn = [
        rng.choice(np.flatnonzero(data.y == classes[place]), number, replace=False)
        for place, number in zip(kept, wanted.tolist(), strict=True)
    ]
    return replace(data.take(np.sort(np.concatenate(drawn))), name=f"{n_classes} classes")


def _whole_numbers(shares: np.ndarray[tuple[int], np.dtype[np.float64]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Numbers that sum to the same, each rounded up or down."""
    whole = np.floor(shares).astype(np.int64)
    left = round(shares.sum()) - int(whole.sum())
    whole[np.argsort(whole - shares, kind="stable")[:left]] += 1
    return whole


def with_share(data: DataSet, label: str, share: float, n_rows: int, seed: int) -> DataSet:
    """Rows of which a given share has the class `label` (CW488 5.3.1)."""
    is_label = data.y == label
    n_label = round(share * n_rows)
    rng = np.random.default_rng([seed, n_label])
    drawn = [
        rng.choice(np.flatnonzero(is_label), n_label, replace=False),
        rng.choice(np.flatnonzero(~is_label), n_rows - n_label, replace=False),
    ]
    return replace(data.take(np.sort(np.concatenate(drawn))), name=f"{100 * share:g}% {label}")


def merged_classes(data: DataSet, n_classes: int) -> DataSet:
    """The two least frequent classes made one, again and again, until so many are left (F05, Figure 1).

    Of equally frequent classes those that come first by name are merged.
    """
    labels = data.y.astype(object)
    while len(np.unique(labels)) > n_classes:
        classes, counts = np.unique(labels, return_counts=True)
        first, second = classes[np.argsort(counts, kind="stable")[:2]]
        labels[(labels == first) | (labels == second)] = f"{first}+{second}"
    return replace(data, name=f"{n_classes} classes", y=labels.astype(str))
