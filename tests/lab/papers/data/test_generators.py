"""The generated sets have the probabilities of their definitions, worked out exactly where that is possible."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from lab.experiments.data import DataSet
from lab.papers.data import generators
from lab.papers.data.generators import led7, led24, rand30, trains, waveform40

Generator = Callable[[int, int], DataSet]


def bits_of(data: DataSet) -> NDArray[np.bool_]:
    return np.column_stack(list(data.columns.values())) == "1"


def is_near(counted: float, chance: float, size: int) -> bool:
    """Whether a share of `size` cases is within five standard errors of its chance."""
    return abs(counted - chance) < 5 * np.sqrt(chance * (1 - chance) / size)


@pytest.mark.parametrize(
    ("make", "n_nominal", "n_numeric", "n_classes"),
    [
        (rand30, 30, 0, 2),
        (led7, 7, 0, 10),
        (led24, 24, 0, 10),
        (waveform40, 0, 40, 3),
    ],
)
def test_shape_and_seed(make: Generator, n_nominal: int, n_numeric: int, n_classes: int) -> None:
    data = make(500, 3)
    kinds = [values.dtype.kind for values in data.columns.values()]
    assert (kinds.count("O"), kinds.count("f"), data.n_classes, data.n_rows) == (n_nominal, n_numeric, n_classes, 500)
    assert {type(label) for label in data.y} == {str}
    assert all({type(value) for value in values} == {str} for values in data.columns.values() if values.dtype == object)
    assert make(500, 3).digest == data.digest != make(500, 4).digest


# -- rand30 ----------------------------------------------------------------------------------------------


def test_rand30_is_fair_and_independent() -> None:
    data = rand30(20_000, 0)
    bits, y = bits_of(data), data.y == "1"
    assert all(is_near(share, 0.5, 20_000) for share in [*bits.mean(axis=0), y.mean()])
    assert all(is_near((column == y).mean(), 0.5, 20_000) for column in bits.T)


# -- LED -------------------------------------------------------------------------------------------------


def led_posterior() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Every pattern of seven segments: its probability with each digit."""
    patterns = np.array(list(product([False, True], repeat=7)))
    n_faults = (patterns[:, None, :] != generators.SEGMENTS).sum(axis=2)
    joint = 0.1 * generators.NOISE**n_faults * (1 - generators.NOISE) ** (7 - n_faults)
    return joint, joint.sum(axis=1)


def test_bayes_accuracy_and_likelihood_of_led() -> None:
    joint, marginal = led_posterior()
    assert marginal.sum() == pytest.approx(1)
    assert joint.max(axis=1).sum() == pytest.approx(0.740022, abs=5e-7)
    assert (joint * np.log2(joint / marginal[:, None])).sum() == pytest.approx(-1.109036, abs=5e-7)


@pytest.mark.parametrize("make", [led7, led24])
def test_led_inverts_a_tenth_of_the_segments(make: Generator) -> None:
    data = make(20_000, 1)
    digits = data.y.astype(int)
    is_faulty = bits_of(data)[:, :7] != generators.SEGMENTS[digits]
    assert all(is_near(share, 0.1, 20_000) for share in is_faulty.mean(axis=0))
    assert all(is_near(share, 0.1, 20_000) for share in np.bincount(digits) / 20_000)


def test_the_other_attributes_of_led24_say_nothing_of_the_digit() -> None:
    data = led24(20_000, 2)
    noise = bits_of(data)[:, 7:]
    assert noise.shape[1] == 17
    for digit in range(10):
        shares = noise[data.y == str(digit)].mean(axis=0)
        assert all(is_near(share, 0.5, int((data.y == str(digit)).sum())) for share in shares)


# -- waveform --------------------------------------------------------------------------------------------


def bayes_errors(waves: NDArray[np.float64], y: NDArray[np.int64]) -> float:
    """Share of rows whose class is not the likeliest, the likelihood being a mean over the mixing shares."""
    shares = (np.arange(200) + 0.5) / 200
    likelihoods = []
    for first, second in generators.PAIRS:
        offset = waves - generators.WAVES[second]
        step = generators.WAVES[first] - generators.WAVES[second]
        squares = (offset**2).sum(axis=1)[:, None] - 2 * np.outer(offset @ step, shares) + shares**2 * (step @ step)
        likelihoods.append(np.exp(-squares / 2).mean(axis=1))
    return float((np.argmax(likelihoods, axis=0) != y).mean())


def test_bayes_error_of_waveform() -> None:
    data = waveform40(20_000, 0)
    waves = np.column_stack(list(data.columns.values()))
    assert bayes_errors(waves[:, :21], data.y.astype(int)) == pytest.approx(0.133, abs=0.01)
    assert np.abs(waves[:, 21:].mean(axis=0)).max() < 5 / np.sqrt(20_000)
    assert np.abs(waves[:, 21:].std(axis=0) - 1).max() < 0.03


def test_the_waves_are_triangles_of_height_six() -> None:
    assert generators.WAVES.max(axis=1).tolist() == [6, 6, 6]
    assert (generators.WAVES.argmax(axis=1) + 1).tolist() == [7, 15, 11]
    assert generators.WAVES[0, :13].tolist() == [0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1, 0]


# -- trains ----------------------------------------------------------------------------------------------


def test_directions_of_trains() -> None:
    """A short closed car occurs in 42.6% of the trains."""
    closed_shapes = sum(generators.SHORT_SHAPES[shape] for shape in generators.OWN_ROOFS)
    closed = generators.LENGTHS["short"] * (closed_shapes + (1 - closed_shapes) * (1 - generators.SHORT_ROOFS["none"]))
    chance = 1 - sum(share * (1 - closed) ** int(n) for n, share in generators.NUMBERS_OF_CARS.items())
    assert chance == pytest.approx(0.426, abs=5e-4)
    data = trains(20_000, 0)
    is_first = data.columns["place"] == 1
    assert is_first.sum() == 20_000
    assert is_near((data.y[is_first] == "east").mean(), chance, 20_000)


def test_the_direction_follows_from_the_cars_of_the_train() -> None:
    data = trains(300, 5)
    columns = data.columns
    for train in range(1, 301):
        cars = np.flatnonzero(columns["train"] == train)
        assert columns["place"][cars].tolist() == list(range(1, len(cars) + 1))
        assert len(cars) in (2, 3, 4)
        is_east = any(columns["length"][car] == "short" and columns["roof"][car] != "none" for car in cars)
        assert set(data.y[cars]) == {"east" if is_east else "west"}


def test_the_rule_of_four_parts_is_that_of_each_train() -> None:
    columns = trains(400, 6).columns
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    expected = []
    for train in range(1, 401):
        cars = [row for row in rows if row["train"] == train]
        closed = any(car["length"] == "short" and car["roof"] != "none" for car in cars)
        triangles = any(car["load_shape"] == "triangle" for car in cars)
        open_long = any(car["length"] == "long" and car["roof"] == "none" and car["wheels"] == 3 for car in cars)
        bucket = any(car["shape"] == "bucket" and car["load_shape"] == "circle" for car in cars)
        double = any(car["double"] == "yes" for car in cars)
        two = any(car["length"] == "long" and car["load_number"] == 2 for car in cars)
        expected.append((closed and triangles) or open_long or (bucket and not double) or two)
    assert generators.goes_east_by_four(columns, 400).tolist() == expected
    assert 0.4 < np.mean(expected) < 0.65


def test_shares_of_cars() -> None:
    columns = trains(20_000, 1).columns
    is_short = columns["length"] == "short"
    n_cars, n_short = len(is_short), int(is_short.sum())
    assert is_near(is_short.mean(), 0.7, n_cars)
    assert set(columns["shape"][~is_short]) == {"rectangle"}
    is_rectangle = columns["shape"][is_short] == "rectangle"
    assert is_near(is_rectangle.mean(), 0.524, n_short)
    is_double = columns["double"][is_short] == "yes"
    assert is_near(is_double[is_rectangle].mean(), 0.27, int(is_rectangle.sum()))
    assert not is_double[~is_rectangle].any()
    assert set(columns["double"][~is_short]) == {"no"}
    assert set(columns["roof"][columns["shape"] == "ellipse"]) == {"arc"}
    assert set(columns["roof"][columns["shape"] == "hexagon"]) == {"flat"}
    assert is_near((columns["roof"][~is_short] == "jagged").mean(), 0.223, n_cars - n_short)
    assert set(columns["wheels"][is_short]) == {2}
    assert is_near((columns["wheels"][~is_short] == 3).mean(), 0.44, n_cars - n_short)
    assert set(columns["load_number"][is_short]) == {1, 2}
    assert is_near((columns["load_number"][~is_short] == 3).mean(), 0.23, n_cars - n_short)
    assert is_near((columns["load_shape"][~is_short] == "rectangle").mean(), 0.625, n_cars - n_short)
    assert is_near((columns["load_shape"][is_short] == "diamond").mean(), 0.048, n_short)
