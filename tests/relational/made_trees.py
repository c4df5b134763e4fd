"""Small random databases, and trees over them whose tests ask for whatever there is to ask."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import numpy as np

from petree import RelationalTreeClassifier
from petree.relational import Database

AGGREGATES = ("count", "min", "max", "sum", "mean", "mode", "proportion")
WORDS = ("red", "it's", 'a "b"', "Ünder", "Zoo")


def made_database(seed: int, with_times: bool = False) -> Database:
    """Patients with a doctor and another, visits without a key, tests of visits by two columns; much is missing."""
    random = np.random.default_rng(seed)
    n_patients, n_visits, n_tests = 25, 50, 60
    tables: dict[str, dict[str, Any]] = {
        "doctor": {"name": list("abcde"), "field": _words(random, 5), "boss": _some(random, list("abcde"), 5)},
        "patient": {
            "id": np.arange(n_patients) * 10,
            "class": random.choice(["ill", "well"], n_patients).tolist(),
            "age": _some(random, [20.5, 30.0, 40.0, 1 / 3], n_patients),
            "doctor": _some(random, list("abcde"), n_patients),
            "second doctor": _some(random, list("abcde"), n_patients),
            "until": random.integers(0, 9, n_patients),
        },
        "visit": {
            "patient": _some(random, (np.arange(n_patients) * 10).tolist(), n_visits),
            "doctor": _some(random, list("abcde"), n_visits),
            "reason": _words(random, n_visits),
            "cost": _some(random, [1.0, 2.0, 3.0, 7.0], n_visits),
            "day": random.integers(0, 9, n_visits),
        },
        "badge": {"patient": (np.arange(12) * 20 % 250).tolist(), "valid": _some(random, [True, False], 12)},
        "room": {"floor": [1, 1, 2, 2], "door": ["x", "y", "x", "y"], "size": [3.0, 4.0, 5.0, None]},
        "stay": {
            "patient": (random.integers(0, n_patients, n_tests) * 10).tolist(),
            "floor": random.integers(1, 3, n_tests).tolist(),
            "door": random.choice(["x", "y"], n_tests).tolist(),
            "meal": _words(random, n_tests),
        },
    }
    links = [
        "doctor.boss -> doctor.name",
        "patient.doctor -> doctor.name",
        "patient.second doctor -> doctor.name",
        "badge.patient -> patient.id",
        "visit.patient -> patient.id",
        "visit.doctor -> doctor.name",
        "stay.patient -> patient.id",
        "stay(floor, door) -> room(floor, door)",
    ]
    time = {"patient": "until", "visit": "day"} if with_times else None
    return Database(tables, links, {"patient": "id"}, time)


def dated_database(seed: int, with_times: bool = False) -> Database:
    """Patients and visits with dates and moments, some of them a microsecond apart, and openings known by their day."""
    random = np.random.default_rng(seed)
    n_patients, n_visits = 25, 60
    days = [date(2003, 12, 31) + timedelta(int(one)) for one in random.integers(0, 60, 8)]
    noon, steps = datetime(2004, 2, 28, 12), [timedelta(microseconds=k) for k in (0, 1, 2, 500_000)]
    moments = [noon + step for step in steps] + [datetime(2004, 2, 29), datetime(1969, 12, 31, 23, 59, 59, 999_999)]
    last = [moment.date() for moment in moments] if seed % 2 else moments
    openings = sorted(set(days))
    tables = {
        "opening": {"day": openings, "staff": _words(random, len(openings))},
        "patient": {
            "id": np.arange(n_patients) * 10,
            "class": random.choice(["ill", "well"], n_patients).tolist(),
            "born": _some(random, days, n_patients),
            "until": [last[one] for one in random.integers(0, len(last), n_patients)],
        },
        "visit": {
            "patient": _some(random, (np.arange(n_patients) * 10).tolist(), n_visits),
            "opening": _some(random, openings, n_visits),
            "asked": _some(random, days, n_visits),
            "moment": [moments[one] for one in random.integers(0, len(moments), n_visits)],
        },
    }
    links = ["visit.patient -> patient.id", "visit.opening -> opening.day"]
    time = {"patient": "until", "visit": "moment"} if with_times else None
    return Database(tables, links, {"patient": "id"}, time)


def _words(random: np.random.Generator, n: int) -> list[Any]:
    return _some(random, list(WORDS), n)


def _some(random: np.random.Generator, values: list[Any], n: int) -> list[Any]:
    """Values drawn at random, one in seven missing."""
    return [None if random.random() < 1 / 7 else values[random.integers(len(values))] for _ in range(n)]


def made_model(database: Database, seed: int = 0) -> RelationalTreeClassifier:
    """An unpruned tree of random classes, which asks for very much."""
    model = RelationalTreeClassifier(
        database, "patient.class", pruning="none", smoothing="laplace", aggregates=AGGREGATES, min_examples=1
    )
    labels = np.random.default_rng(seed).choice(["ill", "well"], len(database.keys("patient")))
    return model.fit(database.keys("patient"), labels)
