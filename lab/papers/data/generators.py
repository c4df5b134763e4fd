"""Data sets that the papers made by chance: each function gives as many rows as asked for, the same for a seed.

rand30, led24 and waveform40 are those of Oates and Jensen (1999), led7 is that of Buntine (1992), trains those
of Fierens et al. (2005).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.experiments.data import DataSet
from petree.relational.database import Database
from petree.relational.tables.schema import ForeignKey

Bits = NDArray[np.bool_]

# The segments that show the digits 0 to 9: top, upper left and right, middle, lower left and right, bottom.
DIGITS = (
    "1110111",
    "0010010",
    "1011101",
    "1011011",
    "0111010",
    "1101011",
    "1101111",
    "1010010",
    "1111111",
    "1111011",
)
SEGMENTS: Bits = np.array([[segment == "1" for segment in digit] for digit in DIGITS])
NOISE = 0.1  # of a segment, and of the classes of trains in two tables
# Heights of the three waves at 21 places, and the two waves that each class mixes.
WAVES = np.maximum(6 - np.abs(np.arange(1, 22) - np.array([[7], [15], [11]])), 0).astype(np.float64)
PAIRS = np.array([(0, 1), (0, 2), (1, 2)])


def rand30(n_rows: int, seed: int) -> DataSet:
    """30 fair binary attributes, and a fair class that has nothing to do with them."""
    random = np.random.default_rng(seed)
    bits = random.random((n_rows, 31)) < 0.5
    return DataSet("rand30", _nominal(bits[:, :30], "a"), _text(bits[:, 30]))


def led7(n_rows: int, seed: int) -> DataSet:
    """A digit on a faulty display of seven segments, each inverted with probability 0.1 (Breiman et al. 1984)."""
    columns, digits = _display(n_rows, np.random.default_rng(seed))
    return DataSet("led7", columns, digits)


def led24(n_rows: int, seed: int) -> DataSet:
    """`led7` and 17 fair binary attributes that have nothing to do with the digit."""
    random = np.random.default_rng(seed)
    columns, digits = _display(n_rows, random)
    return DataSet("led24", columns | _nominal(random.random((n_rows, 17)) < 0.5, "noise"), digits)


def _display(n_rows: int, random: np.random.Generator) -> tuple[dict[str, NDArray[Any]], NDArray[Any]]:
    digits = random.integers(10, size=n_rows)
    is_faulty = random.random((n_rows, 7)) < NOISE
    return _nominal(SEGMENTS[digits] ^ is_faulty, "segment"), digits.astype(str).astype(object)


def waveform40(n_rows: int, seed: int) -> DataSet:
    """Two of three waves, mixed at random, with normal noise at each of 21 places (Breiman et al. 1984).

    19 more normal attributes have nothing to do with the class.
    """
    random = np.random.default_rng(seed)
    waves, classes = _mix(n_rows, random)
    return DataSet("waveform40", _numeric(np.hstack([waves, random.standard_normal((n_rows, 19))])), classes)


def _mix(n_rows: int, random: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[Any]]:
    classes = random.integers(3, size=n_rows)
    share = random.random((n_rows, 1))
    first = WAVES[PAIRS[classes, 0]]
    second = WAVES[PAIRS[classes, 1]]
    waves = share * first + (1 - share) * second + random.standard_normal((n_rows, 21))
    return waves, classes.astype(str).astype(object)


# -- columns ---------------------------------------------------------------------------------------------


def _text(bits: Bits) -> NDArray[Any]:
    return np.where(bits, "1", "0").astype(object)


def _nominal(bits: Bits, prefix: str) -> dict[str, NDArray[Any]]:
    return {f"{prefix}{place}": _text(column) for place, column in enumerate(bits.T, start=1)}


def _numeric(values: NDArray[np.float64]) -> dict[str, NDArray[Any]]:
    return {f"x{place}": column.copy() for place, column in enumerate(values.T, start=1)}


# -- trains ----------------------------------------------------------------------------------------------

# What Muggleton's generator of Michalski's trains draws from, with the chance of each.
NUMBERS_OF_CARS = {"2": 0.3, "3": 0.3, "4": 0.4}
LENGTHS = {"short": 0.7, "long": 0.3}
SHORT_SHAPES = {"ellipse": 0.048, "hexagon": 0.048, "rectangle": 0.524, "u_shaped": 0.190, "bucket": 0.190}
DOUBLE = 0.27  # of a short rectangle
SHORT_ROOFS = {"none": 0.842, "flat": 0.105, "peaked": 0.053}
LONG_ROOFS = {"none": 0.333, "flat": 0.444, "jagged": 0.223}
OWN_ROOFS = {"ellipse": "arc", "hexagon": "flat"}
LONG_WHEELS = {"2": 0.56, "3": 0.44}
SHORT_LOADS = {"circle": 0.381, "diamond": 0.048, "rectangle": 0.190, "triangle": 0.381}
LONG_LOADS = {"circle": 0.125, "hexagon": 0.125, "rectangle": 0.625, "utriangle": 0.125}
SHORT_LOAD_NUMBERS = {"1": 0.952, "2": 0.048}
LONG_LOAD_NUMBERS = {"0": 0.11, "1": 0.55, "2": 0.11, "3": 0.23}


def trains(n_trains: int, seed: int) -> DataSet:
    """Michalski's trains, one row per car; a train with a short closed car goes east, any other goes west.

    Parameters
    ----------
    n_trains : int
    seed : int

    Returns
    -------
    DataSet
        Columns: the train and the place of the car in it (from 1), length, shape, double, roof, wheels, and shape and
        number of the loads; the class is the direction of the train. The cars of a train stand side by side.
    """
    random = np.random.default_rng(seed)
    n_cars = _draw(random, NUMBERS_OF_CARS, n_trains).astype(np.int64)
    train = np.repeat(np.arange(n_trains), n_cars)
    place = np.arange(len(train)) - np.repeat(np.cumsum(n_cars) - n_cars, n_cars)
    cars = _draw_cars(random, len(train))
    is_short_and_closed = (cars["length"] == "short") & (cars["roof"] != "none")
    goes_east = np.isin(train, train[is_short_and_closed])
    columns = {"train": train + 1.0, "place": place + 1.0} | cars
    return DataSet("trains", columns, np.where(goes_east, "east", "west").astype(object))


def trains_database(n_trains: int, seed: int) -> Database:
    """Trains in two tables, train and car, that go east by a rule of four parts; a tenth go the other way.

    A stand-in for the set of Fierens et al. (2005), which do not tell their rule. `trains` has the rule of one part
    that their trees would have found in six leaves; with four parts and the noise, trees are about as large as theirs.
    """
    cars = trains(n_trains, seed)
    is_inverted = np.random.default_rng([seed, n_trains]).random(n_trains) < NOISE
    goes_east = goes_east_by_four(cars.columns, n_trains) ^ is_inverted
    describing = {name: values for name, values in cars.columns.items() if name not in ("train", "place")}
    tables = {
        "train": {"train_id": np.arange(1, n_trains + 1), "class": np.where(goes_east, "east", "west")},
        "car": {"train_id": cars.columns["train"].astype(np.int64), **describing},
    }
    links = [ForeignKey("car", ("train_id",), "train", ("train_id",))]
    database = Database(tables, links)
    database.target = "train.class"
    return database


def goes_east_by_four(cars: Mapping[str, NDArray[Any]], n_trains: int) -> Bits:
    """Whether each train has one of four things.

    They are a short closed car and a load of triangles; an open long car on three wheels a side; a bucket of circles
    where no car is double; or a long car with two loads.
    """
    train = cars["train"].astype(np.int64) - 1

    def has(is_such: Bits) -> Bits:
        return np.bincount(train[is_such], minlength=n_trains) > 0

    is_long = cars["length"] == "long"
    is_open = cars["roof"] == "none"
    is_closed_and_loaded = has(~is_long & ~is_open) & has(cars["load_shape"] == "triangle")
    is_open_and_long = has(is_long & is_open & (cars["wheels"] == 3))
    is_bucket = has((cars["shape"] == "bucket") & (cars["load_shape"] == "circle")) & ~has(cars["double"] == "yes")
    return is_closed_and_loaded | is_open_and_long | is_bucket | has(is_long & (cars["load_number"] == 2))


def _draw_cars(random: np.random.Generator, n_cars: int) -> dict[str, NDArray[Any]]:
    length = _draw(random, LENGTHS, n_cars)
    is_short = length == "short"
    shape = np.where(is_short, _draw(random, SHORT_SHAPES, n_cars), "rectangle")
    is_double = is_short & (shape == "rectangle") & (random.random(n_cars) < DOUBLE)
    roof = np.where(is_short, _draw(random, SHORT_ROOFS, n_cars), _draw(random, LONG_ROOFS, n_cars))
    for own, its_roof in OWN_ROOFS.items():
        roof = np.where(shape == own, its_roof, roof)
    return {
        "length": length,
        "shape": shape,
        "double": np.where(is_double, "yes", "no").astype(object),
        "roof": roof,
        "wheels": np.where(is_short, "2", _draw(random, LONG_WHEELS, n_cars)).astype(np.float64),
        "load_shape": np.where(is_short, _draw(random, SHORT_LOADS, n_cars), _draw(random, LONG_LOADS, n_cars)),
        "load_number": np.where(
            is_short, _draw(random, SHORT_LOAD_NUMBERS, n_cars), _draw(random, LONG_LOAD_NUMBERS, n_cars)
        ).astype(np.float64),
    }


def _draw(random: np.random.Generator, chances: dict[str, float], size: int) -> NDArray[Any]:
    """As many of the words as asked for, each with its chance."""
    words: Sequence[str] = list(chances)
    return np.array(words, object)[random.choice(len(words), size, p=list(chances.values()))]
