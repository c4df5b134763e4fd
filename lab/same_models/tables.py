"""Tables and databases to compare the models of two versions on: drawn from a generator, or known data sets.

What is drawn depends on the generator alone, so that both versions learn from the same numbers.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lab.papers.data import relational_data
from lab.quality import data as quality_data
from petree.relational import Database

# Rows to answer for; of a drawn table they have more missing values than those to learn from, and unseen categories.
N_PROBES = 40
UNSEEN = "never seen"
# A table of so many rows has nominal columns of more categories than a byte can tell apart.
MANY_ROWS = 300
MANY_CATEGORIES = 280

# Rows, columns and classes of the large tables, and how far chance decides the class: nodes above each size at which
# work is done in another way. The last has more cases of a class than logarithms and gamma functions are kept for.
LARGE = ((24_000, 6, 2, 8.0), (33_000, 7, 4, 1.0), (80_000, 3, 2, 2.0))
TABLES = (
    "adult", "audiology", "car", "german_credit", "hayes_roth", "heart_cleveland", "horse_colic", "primary_tumor",
    "sick", "soybean", "voting_missing", "vowel", "yeast",
)  # fmt: skip
DATABASES = ("bongard", "machines", "mutagenesis42", "toy_cancer", "trains20", "uwcse")
MOST_ROWS = 1200


@dataclass(frozen=True)
class Cases:
    """What a model learns from, and what it has to answer for."""

    text: str
    X: Any
    y: Any
    probe: Any
    database: Database | None = None
    target: str | None = None

    @property
    def n_rows(self) -> int:
        return len(self.X)


# -- tables ------------------------------------------------------------------------------------------------------------


def draw_table(random: np.random.Generator, most_rows: int = 3000) -> Cases:
    """A table of 30 to `most_rows` rows, small ones more often than large ones, and 2 to 12 classes."""
    n_rows = int(30 * (most_rows / 30) ** (random.random() ** 1.5))
    n_classes = int(random.choice([2, 2, 2, 3, 3, 4, 5, 8, 12]))
    n_columns = int(random.integers(2, 8))
    chance = float(random.choice([0.3, 1.0, 3.0, 100.0], p=[0.3, 0.4, 0.2, 0.1]))
    return make_table(random, n_rows, n_columns, n_classes, chance, only_numbers=random.random() < 0.25)


def make_table(
    random: np.random.Generator, n_rows: int, n_columns: int, n_classes: int, chance: float, only_numbers: bool = False
) -> Cases:
    """A table whose first columns say something of the class, the less the more `chance` decides."""
    n_all = n_rows + N_PROBES
    rarity = random.choice([0.0, 0.0, 0.1, 0.3])
    columns = [_draw_column(random, n_all, n_rows, only_numbers) for _ in range(n_columns)]
    y = _draw_classes(random, [_codes(column) for column in columns[:3]], n_classes, chance)
    columns = [_lose(random, column, n_rows, rarity) for column in columns]
    text = f"{n_rows} rows, {n_columns} columns, {n_classes} classes, chance {chance:g}, {rarity:g} missing"
    names = [f"x{place}" for place in range(n_columns)]
    if only_numbers:
        dtype = np.float32 if random.random() < 0.2 else np.float64
        matrix = np.column_stack([column.to_numpy() for column in columns]).astype(dtype)
        return Cases(f"numbers, {text}", matrix[:n_rows], y[:n_rows], matrix[n_rows:])
    frame = pd.DataFrame(dict(zip(names, columns, strict=True)))
    probe = frame.iloc[n_rows:].reset_index(drop=True)
    return Cases(f"mixed, {text}", frame.iloc[:n_rows], y[:n_rows], probe)


def _draw_column(random: np.random.Generator, n_all: int, n_rows: int, only_numbers: bool) -> pd.Series:
    """Numbers with or without ties, text of few or many values, truth values, or ordered categories."""
    kinds = ["normal", "rounded", "skewed"] + (
        [] if only_numbers else ["extreme", "text", "text", "truth", "ordered", "many"]
    )
    kind = random.choice(kinds)
    if kind in ("normal", "rounded"):
        numbers = random.normal(size=n_all)
        return pd.Series(numbers if kind == "normal" else np.round(2 * numbers))
    if kind == "skewed":
        return pd.Series(np.where(random.random(n_all) < 0.3, 0.0, np.exp(3 * random.normal(size=n_all))))
    if kind == "extreme":  # the sum of two of these may be infinite
        return pd.Series(1.7e308 * random.uniform(-1, 1, size=n_all))
    if kind == "truth":
        return pd.Series(random.random(n_all) < 0.4)
    has_many = kind == "many" and n_rows >= MANY_ROWS
    n_values = MANY_CATEGORIES + int(random.integers(200)) if has_many else int(random.integers(2, 9))
    codes = (n_values * random.random(n_all) ** 1.3).astype(np.intp)
    names = np.array([f"v{value:03d}" for value in range(n_values)], object)
    if kind == "ordered":
        return pd.Series(pd.Categorical.from_codes(codes, names.tolist(), ordered=True))
    return pd.Series(names[codes], dtype=object)


def _codes(column: pd.Series) -> NDArray[np.intp]:
    """Five groups of values: what the classes depend on."""
    codes = np.unique(column.to_numpy(), return_inverse=True)[1]
    return (5 * codes // (codes.max() + 1)).astype(np.intp)


def _draw_classes(
    random: np.random.Generator, codes: list[NDArray[np.intp]], n_classes: int, chance: float
) -> NDArray[Any]:
    """Classes by what the columns say for each, and by chance; every class occurs, and labels are text or numbers."""
    said = 0.5 * random.normal(size=n_classes) + sum(random.normal(size=(5, n_classes))[one] for one in codes)
    if len(codes) > 1:  # some of it is in no column alone
        said = said + 2 * random.normal(size=(5, 5, n_classes))[codes[0], codes[1]]
    classes = np.argmax(said + chance * random.gumbel(size=said.shape), axis=1)
    classes[:n_classes] = np.arange(n_classes)
    return np.array([f"c{k}" for k in range(n_classes)])[classes] if random.random() < 0.5 else classes


def _lose(random: np.random.Generator, column: pd.Series, n_rows: int, rarity: float) -> pd.Series:
    """The column with missing values, which the rows to answer for have even where the others have none.

    Among those text is also replaced by a category that is not known.
    """
    is_lost = random.random(len(column)) < np.where(np.arange(len(column)) < n_rows, rarity, 0.15)
    is_text = column.dtype == object
    is_new = (np.arange(len(column)) >= n_rows) & (random.random(len(column)) < 0.15)
    if column.dtype == bool:
        if not rarity:
            return column
        column = column.astype(object)
    column = column.where(~is_lost, None if column.dtype == object else np.nan)
    return column.where(~is_new, UNSEEN) if is_text else column


@cache
def large_table(number: int) -> Cases:
    """One of the tables of `LARGE`."""
    n_rows, n_columns, n_classes, chance = LARGE[number]
    return make_table(np.random.default_rng([9, number]), n_rows, n_columns, n_classes, chance)


@cache
def known_table(name: str) -> Cases:
    """A data set by its name; what is not learned from has to be answered for."""
    data = quality_data.load(quality_data.find_folder(), name, MOST_ROWS)
    order = np.random.default_rng(1).permutation(len(data.y))
    learn = order[N_PROBES:]
    rest = order[:N_PROBES]
    X = data.columns.iloc[learn].reset_index(drop=True)
    return Cases(name, X, data.y[learn], data.columns.iloc[rest].reset_index(drop=True))


# -- databases ---------------------------------------------------------------------------------------------------------


def draw_database(random: np.random.Generator, most_things: int = 160) -> Cases:
    """Things with parts, at places; the class comes from one kind of part, from the place, and by chance."""
    n_things = int(random.integers(30, most_things))
    n_places = 7
    n_classes = int(random.choice([2, 2, 3, 5]))
    owner = np.sort(random.integers(n_things, size=int(random.integers(2, 5)) * n_things))
    place = random.integers(n_places, size=n_things)
    kind = random.integers(6, size=len(owner))
    size = np.round(random.normal(size=len(owner)), int(random.integers(1, 4)))
    counts = np.bincount(owner[(kind == 2) & (size > 0)], minlength=n_things) + (place < 3)
    is_noise = random.random(n_things) < random.choice([0.1, 0.4])
    classes = np.where(is_noise, random.integers(n_classes, size=n_things), counts % n_classes)
    classes[:n_classes] = np.arange(n_classes)
    heights = np.where(random.random(n_things) < 0.1, np.nan, np.round(random.normal(size=n_things), 1))
    tables = {
        "thing": {"id": np.arange(n_things), "class": _named("c", classes), "height": heights, "place": place},
        "part": {"id": np.arange(len(owner)), "thing": owner, "kind": _named("k", kind), "size": size},
        "place": {"id": np.arange(n_places), "climate": _named("w", random.integers(3, size=n_places))},
    }
    links = ["part.thing -> thing.id", "thing.place -> place.id"]
    if random.random() < 0.4:
        ends = random.integers(len(owner), size=(2, len(owner)))
        tables["bond"] = {"from": ends[0], "to": ends[1], "type": _named("b", random.integers(3, size=len(owner)))}
        links += ["bond.from -> part.id", "bond.to -> part.id"]
    text = f"database of {n_things} things, {len(owner)} parts, {n_classes} classes"
    return _examples(text, Database(tables, links), "thing.class", n_classes)


def _named(letter: str, codes: NDArray[np.intp]) -> NDArray[Any]:
    return np.array([f"{letter}{code}" for code in codes], object)


@cache
def known_database(name: str) -> Cases:
    """A relational data set by its name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # keys that dangle are no news
        database = relational_data.load(name)
    return _examples(name, database, str(database.target), 0)


def _examples(text: str, database: Database, target: str, n_first: int) -> Cases:
    """Keys to learn from, the first ones among them, and all keys to answer for."""
    keys = np.asarray(database.keys(target.partition(".")[0]))
    is_learned = np.arange(len(keys)) % 5 != 4
    is_learned[:n_first] = True
    return Cases(text, keys[is_learned], None, keys, database, target)
