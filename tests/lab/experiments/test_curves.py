"""Smaller training parts, and what methods promise beside what happens."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lab.experiments.made import Shares, small_set

from lab.experiments.curves import reliability_curves, size_name, sizes_of_halves, smaller_trials
from lab.experiments.data import DataSet
from lab.experiments.measuring import answer
from lab.experiments.methods import Method, find_method
from lab.experiments.report.figures import reliability_curve
from lab.experiments.trials import Trial, cross_validated


def labelled(labels: str) -> DataSet:
    return DataSet("made", {"size": np.arange(len(labels), dtype=float)}, np.array(list(labels)))


def by_fold(trials: list[Trial]) -> dict[tuple[int, int], list[Trial]]:
    """The trials of each fold, from the fewest rows to all."""
    found = defaultdict(list)
    for trial in trials:
        found[trial.part.run, trial.part.fold].append(trial)
    return found


@pytest.mark.parametrize(
    ("n_learn", "sizes"), [(160, [20, 40, 80, 160]), (159, [39, 79, 159]), (40, [20, 40]), (39, [39]), (5, [5])]
)
def test_halves(n_learn: int, sizes: list[int]) -> None:
    assert sizes_of_halves(n_learn) == sizes


@given(st.integers(0, 5), st.integers(85, 130), st.integers(2, 10))
def test_halves_are_nested_and_of_the_rows_to_learn_from(seed: int, n_rows: int, folds: int) -> None:
    usual = list(cross_validated([small_set(n_rows=n_rows)], 1, folds, seed))
    found = by_fold(list(smaller_trials(usual, seed)))
    fewest = min(len(trial.part.learn) for trial in usual)
    for trial in usual:
        parts = [smaller.part for smaller in found[trial.part.run, trial.part.fold]]
        assert [len(part.learn) for part in parts] == sizes_of_halves(fewest)
        rows = [set(part.learn.tolist()) for part in parts]
        assert all(len(part.learn) == len(these) for part, these in zip(parts, rows, strict=True))
        assert all(less < more for less, more in zip(rows, [*rows[1:], set(range(n_rows))], strict=True))
        assert rows[-1] <= set(trial.part.learn.tolist())
        assert all(part.test is trial.part.test for part in parts)


@given(st.integers(0, 20), st.integers(1, 60), st.integers(1, 20))
def test_halves_are_dealt_by_class(seed: int, n_second: int, n_third: int) -> None:
    """Each class is drawn at even steps, so that it is off by one row, and by its share of what the classes are off."""
    data = labelled("a" * 100 + "b" * n_second + "c" * n_third)
    for usual in cross_validated([data], 1, 2, seed):
        counts = Counter(data.y[usual.part.learn].tolist())
        for smaller in smaller_trials([usual], seed):
            learned = Counter(data.y[smaller.part.learn].tolist())
            for label, count in counts.items():
                share = count / counts.total()
                assert abs(learned[label] - learned.total() * share) <= 1 + 3 * share


def test_a_data_set_is_named_with_its_rows() -> None:
    trials = list(smaller_trials(cross_validated([small_set(n_rows=100)], 1, 2)))
    assert [trial.data.name for trial in trials[:2]] == ["pets, 25 rows", "pets, 50 rows"]
    assert size_name("pets", 25) == "pets, 25 rows"
    assert trials[0].data.digest == small_set(n_rows=100).digest
    assert trials[0].digest != trials[1].digest


@pytest.mark.parametrize(("n_rows", "folds"), [(103, 10), (47, 5), (7, 4)])
def test_every_fold_has_every_size(n_rows: int, folds: int) -> None:
    """Also where folds are of different sizes."""
    data = labelled("ab" * (n_rows // 2) + "a" * (n_rows % 2))
    counts = Counter(trial.data.name for trial in smaller_trials(cross_validated([data], 1, folds)))
    assert set(counts.values()) == {folds}


def test_data_sets_have_sizes_of_their_own() -> None:
    trials = cross_validated([small_set("a", 60), small_set("b", 80)], 1, 2)
    assert {trial.data.name for trial in smaller_trials(trials)} == {"a, 30 rows", "b, 20 rows", "b, 40 rows"}


def test_one_seed_one_choice() -> None:
    usual = list(cross_validated([small_set(n_rows=100)], 2, 2))
    rows = [
        [trial.part.learn.tolist() for trial in smaller_trials(usual, seed) if "25" in trial.data.name]
        for seed in (0, 0, 1)
    ]
    assert rows[0] == rows[1]
    assert all(one != other for one, other in zip(rows[0], rows[2], strict=True))


# -- reliability ---------------------------------------------------------------------------------------------


class Seeded(Shares):
    """Its answers depend on the seed."""

    def fit(self, X: object, y: object) -> Shares:
        self.power = self.random_state or 1.0
        return super().fit(X, y)


def test_reliability_is_of_the_most_probable_class_over_all_trials() -> None:
    methods = [find_method("none"), Method("seeded", Seeded())]
    trials = list(cross_validated([small_set("a"), small_set("b", seed=1)], 2, 2))
    curves = reliability_curves(methods, iter(trials), seed=3, jobs=1)
    assert list(curves) == ["none", "seeded"]
    for method in methods:
        promised, kept = [], []
        for trial in trials:
            probabilities = answer(method, trial, 3 + trial.part.run).probabilities
            for row, truth in zip(probabilities.tolist(), trial.data.y[trial.part.test].tolist(), strict=True):
                promised.append(max(row))
                kept.append(trial.data.classes.tolist()[row.index(max(row))] == truth)
        for found, expected in zip(curves[method.name], reliability_curve(kept, promised), strict=True):
            np.testing.assert_allclose(found, expected)


class Rounds(Shares):
    """Its probabilities sum to a little more than 1, as rounding may make them."""

    def predict_proba(self, X: object) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        answers = super().predict_proba(X)
        return np.eye(answers.shape[1])[np.zeros(len(answers), int)] * np.nextafter(1, 2)


def test_rounding_stops_nobody() -> None:
    curves = reliability_curves([Method("rounds", Rounds())], cross_validated([small_set()], 1, 2), jobs=1)
    assert curves["rounds"].predicted.tolist() == [1.0]
