"""Stars, as real databases often are: the default estimator on many examples with rows that point to a third table."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass
from resource import RUSAGE_SELF, getrusage
from time import process_time
from warnings import catch_warnings, simplefilter

import numpy as np

from lab.report import Table
from lab.verdicts import Verdict
from petree import RelationalTreeClassifier
from petree.relational import Database

STARS = ((100_000, 20),)
STAR_BARS = {(100_000, 20): (30, 4), (1_000_000, 5): (180, 8)}
# Examples and rows of each where columns are many, and how deep trees are then.
EXAMPLES = 1000
ROWS_EACH = 4
DEPTH = 5
COLUMNS = (10, 320)
# How much longer a column may take where there are many.
COLUMNS_BAR = 1.25
QUICK_STARS = ((1000, 5), (4000, 5))
QUICK_COLUMNS = (5, 20)


@dataclass(frozen=True)
class Star:
    """The default estimator on a star schema: seconds of processor time on one thread, and the memory of the process.

    The memory is the most that the process has had so far, so that stars come by their size.
    """

    n_examples: int
    rows_each: int
    fit: float
    predict: float
    gigabytes: float
    n_nodes: int

    @property
    def name(self) -> str:
        return f"{self.n_examples:,} x {self.rows_each}"


def star(n_examples: int, rows_each: int, n_products: int = 100, n_columns: int = 2) -> Database:
    """Customers with purchases of products; one dear product of two categories makes the class likely."""
    random = np.random.default_rng(0)
    owner = np.repeat(np.arange(n_examples), rows_each)
    product = random.integers(n_products, size=len(owner))
    price = random.gamma(2, 10, len(owner)).round(2)
    category = random.choice(list("abcdefgh"), n_products)
    age = random.integers(18, 90, n_examples)
    is_dear = (price > 60) & np.isin(category[product], ["a", "b"])
    log_odds = -1.2 + 1.6 * (np.bincount(owner[is_dear], minlength=n_examples) > 0) + 0.03 * (age - 50)
    is_yes = random.random(n_examples) < 1 / (1 + np.exp(-log_odds))
    others = {f"x{place}": random.normal(size=len(owner)).round(3) for place in range(n_columns - 1)}
    tables = {
        "customer": {"id": np.arange(n_examples), "age": age, "class": np.where(is_yes, "yes", "no")},
        "purchase": {"customer": owner, "product": product, "price": price, **others},
        "product": {"id": np.arange(n_products), "category": category, "margin": random.normal(size=n_products)},
    }
    links = ["purchase.customer -> customer.id", "purchase.product -> product.id"]
    database = Database(tables, links, keys={"customer": "id", "product": "id"})
    database.target = "customer.class"
    return database


def timed_star(n_examples: int, rows_each: int) -> Star:
    database = star(n_examples, rows_each)
    keys = database.keys("customer")
    model = RelationalTreeClassifier(database, random_state=0, n_jobs=1)
    start = process_time()
    with catch_warnings():
        simplefilter("ignore")  # products that too many customers share are not asked for
        model.fit(keys)
    middle = process_time()
    model.predict_proba(keys)
    stop = process_time()
    gigabytes = getrusage(RUSAGE_SELF).ru_maxrss / 2**20
    return Star(n_examples, rows_each, middle - start, stop - middle, gigabytes, model.tree_.n_nodes)


def seconds_of_columns(n_columns: int) -> float:
    """Seconds of processor time of a tree of bounded depth whose purchases have so many numbers each."""
    database = star(EXAMPLES, ROWS_EACH, n_columns=n_columns)
    model = RelationalTreeClassifier(database, pruning="none", smoothing="laplace", max_depth=DEPTH, n_jobs=1)
    # What other data sets have left in memory would be looked through again and again.
    gc.collect()
    gc.freeze()
    start = process_time()
    with catch_warnings():
        simplefilter("ignore")
        model.fit(database.keys("customer"))
    return process_time() - start


def star_table(stars: Sequence[Star]) -> Table:
    heads = ("examples x rows", "nodes", "fit s", "predict s", "GB")
    rows = [
        (one.name, str(one.n_nodes), f"{one.fit:.1f}", f"{one.predict:.2f}", f"{one.gigabytes:.1f}") for one in stars
    ]
    note = "Processor seconds on one thread, with all inner folds; memory of the whole process with its tables."
    return Table("The default estimator on a star: customers, purchases, 100 products", heads, rows, note)


def star_verdicts(stars: Sequence[Star], by_columns: dict[int, float]) -> list[Verdict]:
    """The bars of stars, each beside its figure."""
    known = {(one.n_examples, one.rows_each): one for one in stars}
    found = []
    for size, (seconds, gigabytes) in STAR_BARS.items():
        text = f"the default on a star of {size[0]:,} x {size[1]} in less than {seconds} s and {gigabytes} GB"
        one = known.get(size)
        if one is None:
            found.append(Verdict(text, f"--stars {size[0]}x{size[1]} measures it"))
            continue
        is_met = one.fit < seconds and one.gigabytes < gigabytes
        found.append(Verdict(text, f"{one.fit:.1f} s, {one.gigabytes:.1f} GB", is_met))
    few = min(by_columns)
    many = max(by_columns)
    ratio = by_columns[many] / by_columns[few]
    text = f"{many} columns take at most {many / few * COLUMNS_BAR:.0f} times as long as {few}"
    return [*found, Verdict(text, f"{ratio:.1f} times", ratio <= many / few * COLUMNS_BAR)]
