"""Slow measures, written from their definitions: sums over all pairs of cases, or over all rows of a bin."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations, product
from typing import Any

from tests.metrics.made import Made

Case = tuple[float, float]  # a score and a weight


def auc(positives: Iterable[Case], negatives: Iterable[Case]) -> float:
    """Share of the pairs in which the positive case has the higher score, ties half; nan without pairs."""
    won = total = 0.0
    for (score, weight), (other, other_weight) in product(list(positives), list(negatives)):
        total += weight * other_weight
        won += weight * other_weight * (1.0 if score > other else 0.5 if score == other else 0.0)
    return won / total if total else math.nan


def cases(made: Made, true: Any, scored: int) -> list[Case]:
    """The cases of one class, with their probability of the class in column `scored`."""
    rows = zip(made.truth, made.probabilities, made.weights, strict=True)
    return [(row[scored], weight) for label, row, weight in rows if label == true]


def weighted_auc(made: Made) -> float:
    """AUC of each class against all others by the weight of the class, over classes where it is defined."""
    areas, shares = [], []
    for column, label in enumerate(made.labels):
        positives = cases(made, label, column)
        negatives = [case for other in made.labels if other != label for case in cases(made, other, column)]
        area = auc(positives, negatives)
        if not math.isnan(area):
            areas.append(area)
            shares.append(sum(weight for _, weight in positives))
    return sum(a * s for a, s in zip(areas, shares, strict=True)) / sum(shares) if shares else math.nan


def hand_till_auc(made: Made) -> float:
    """Mean over ordered pairs of classes that both occur of the AUC of one against the other."""
    places = permutations(range(len(made.labels)), 2)
    areas = [auc(cases(made, made.labels[i], i), cases(made, made.labels[j], i)) for i, j in places]
    return mean([area for area in areas if not math.isnan(area)])


def pairwise_auc(made: Made) -> float:
    """Mean over pairs of classes that both occur of the AUC by how probable one is if it must be one of the two."""
    areas = []
    for i, j in combinations(range(len(made.labels)), 2):
        shares = [round(p[i] / (p[i] + p[j]), 9) if p[i] + p[j] else 0.5 for p in made.probabilities.tolist()]
        rows = list(zip(made.truth.tolist(), shares, made.weights.tolist(), strict=True))
        of_pair = [[(share, weight) for true, share, weight in rows if true == made.labels[place]] for place in (i, j)]
        areas.append(auc(*of_pair))
    return mean([area for area in areas if not math.isnan(area)])


def hand_till_from_counts(leaves: Sequence[Sequence[int]]) -> float:
    """The same, of leaves that are scored by the frequencies of their classes."""

    def of_leaves(counted: int, scored: int) -> list[Case]:
        return [(leaf[scored] / sum(leaf), leaf[counted]) for leaf in leaves if sum(leaf)]

    places = permutations(range(len(leaves[0])), 2)
    areas = [auc(of_leaves(i, i), of_leaves(j, i)) for i, j in places]
    return mean([area for area in areas if not math.isnan(area)])


def calibration_error(promised: Sequence[float], happened: Sequence[bool], weights: Sequence[float], n: int) -> float:
    """Mean distance of the mean promise and the frequency of a bin, by the weight of the bin."""
    error = 0.0
    for place in range(n):
        low, high = place / n, math.inf if place == n - 1 else (place + 1) / n
        rows = [i for i, p in enumerate(promised) if low <= p < high]
        weight = sum(weights[i] for i in rows)
        if weight:
            mean_promise = sum(weights[i] * promised[i] for i in rows) / weight
            frequency = sum(weights[i] * happened[i] for i in rows) / weight
            error += weight / sum(weights) * abs(mean_promise - frequency)
    return error


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else math.nan
