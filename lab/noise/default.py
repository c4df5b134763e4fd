"""The default tree, without arguments, on tables that hold nothing, and on tables that hold one weak effect.

A single leaf is right where there is nothing to learn. The effect is one of P = .62 against .38 at a threshold, in one
of 20 columns, with 1,000 rows.

Examples
--------
python -m lab.noise.default                                  about half an hour; prints the table
python -m lab.noise.default --tables 20 --most-rows 1000     few and small tables
python -m lab.noise.default --page docs/noise-default.md     writes the page as well
"""

from __future__ import annotations

import argparse
import shlex
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from rich.console import Console
from rich.progress import track

from lab.experiments.report.tables import Table
from lab.pages import page_of, show
from petree import ProbabilityTreeClassifier

LETTERS = np.array(list("abcdefgh"))
ROWS = (250, 1000, 10_000, 100_000)
# All tables of one kind and size have no more rows than this together.
MOST_CASES = 2_000_000
# Rows on which a tree is compared with the constant.
JUDGED = 2000


def numbers(random: Generator, n: int) -> Any:
    return random.normal(size=(n, 10))


def categories(random: Generator, n: int) -> Any:
    return {f"c{j}": random.choice(LETTERS, n) for j in range(8)}


def mixed(random: Generator, n: int) -> Any:
    return {
        **{f"c{j}": random.choice(LETTERS, n) for j in range(5)},
        **{f"x{j}": random.normal(size=n) for j in range(5)},
    }


def with_id(random: Generator, n: int) -> Any:
    return {"id": random.permutation(n).astype(str), "x": random.normal(size=n)}


def wide(random: Generator, n: int) -> Any:
    return random.normal(size=(n, 5000))


WITH_ID = "an id and a number"
KINDS: dict[str, Callable[[Generator, int], Any]] = {
    "10 numbers": numbers,
    "8 columns of 8 categories": categories,
    "5 numbers, 5 columns of 8 categories": mixed,
    WITH_ID: with_id,
}
CLASSES = {
    "2 classes": (0.5, 0.5),
    "5 classes": (0.2,) * 5,
    "2 classes, 10% and 90%": (0.1, 0.9),
    "2 classes, 2% and 98%": (0.02, 0.98),
    "2 classes, .5% and 99.5%": (0.005, 0.995),
}
WIDE = ("5,000 numbers", wide, 500, 20)


@dataclass(frozen=True)
class Setting:
    """One kind of table without structure."""

    kind: str
    make: Callable[[Generator, int], Any]
    classes: str
    n_rows: int
    n_tables: int

    def leaves_and_loss(self, number: int) -> tuple[int, float]:
        """Leaves of the tree of one table, and its log loss on new rows as a multiple of the constant's."""
        shares = CLASSES[self.classes]
        random = np.random.default_rng([number, self.n_rows, len(shares)])
        X = self.make(random, self.n_rows)
        y = random.choice(len(shares), self.n_rows, p=shares)
        y[:2] = 0, 1  # a rare class would lack in some small tables
        # Ids are left out unless they are asked for.
        model = ProbabilityTreeClassifier(categorical_features=["id"] if self.kind == WITH_ID else "from_dtype")
        model.fit(X, y, classes=range(len(shares)))
        answers = model.predict_proba(self.make(random, JUDGED))
        constant = (np.bincount(y, minlength=len(shares)) + 1) / (len(y) + len(shares))
        true = np.array(shares)
        return model.get_n_leaves(), float(-(np.log(answers) @ true).mean() / -(np.log(constant) @ true))


def settings(options: argparse.Namespace) -> Iterator[Setting]:
    for kind, make in KINDS.items():
        for classes in CLASSES:
            for n in ROWS:
                if n <= options.most_rows:
                    yield Setting(kind, make, classes, n, max(1, min(options.tables, MOST_CASES // n)))
    kind, make, n_rows, n_tables = WIDE
    yield Setting(kind, make, "2 classes", n_rows, min(options.tables, n_tables))


def measure(setting: Setting) -> tuple[list[str], list[int]]:
    """A line of the table, and the leaves of all trees."""
    found = [setting.leaves_and_loss(number) for number in range(setting.n_tables)]
    leaves = np.array([one for one, _ in found])
    losses = np.array([one for _, one in found])
    line = [
        setting.kind,
        setting.classes,
        f"{setting.n_rows:,}",
        str(setting.n_tables),
        f"{(leaves == 1).mean():.1%}",
        str((leaves > 5).sum()),
        str(leaves.max()),
        f"{losses.mean():.4f}",
    ]
    return line, leaves.tolist()


def find_effect(n_tables: int) -> tuple[int, float]:
    """In how many tables the one effect is the first test, and the mean number of leaves."""
    found = 0
    leaves = []
    for number in range(n_tables):
        random = np.random.default_rng([number, 62])
        X = random.normal(size=(1000, 20))
        y = random.random(1000) < np.where(X[:, 3] > 0, 0.62, 0.38)
        tree = ProbabilityTreeClassifier().fit(X, y).tree_
        found += tree.n_leaves > 1 and tree.conditions[0].column.name == "x3"
        leaves.append(tree.n_leaves)
    return found, float(np.mean(leaves))


def main(arguments: Sequence[str] | None = None) -> None:
    given = sys.argv[1:] if arguments is None else arguments
    options = parse(given)
    console = Console(width=None if sys.stdout.isatty() else 160)
    warnings.simplefilter("ignore", UserWarning)  # about the column of ids
    lines = []
    leaves = []
    for setting in track(list(settings(options)), "kinds of tables", console=console, transient=True):
        line, of_setting = measure(setting)
        lines.append(line)
        leaves += of_setting
    found, mean_leaves = find_effect(options.tables)
    header = ["columns", "classes", "rows", "tables", "single leaf", "more than 5 leaves", "most leaves", "log loss"]
    table = Table("The default on tables that hold nothing", header, lines)
    n_large = sum(size > 5 for size in leaves)
    sentences = [
        f"A single leaf on {np.mean(np.array(leaves) == 1):.1%} of {len(leaves)} tables that hold nothing.",
        f"More than five leaves on {n_large} of them ({n_large / len(leaves):.2%}).",
        f"One effect among 20 columns (P .62 against .38, 1,000 rows): found in {found} of {options.tables} tables.",
        f"The trees of these tables have {mean_leaves:.1f} leaves on average.",
    ]
    how = "Log loss: of new rows, in multiples of that of the constant that the class counts give."
    command = shlex.join(["python", "-m", "lab.noise.default", *given])
    page = page_of("The default where there is nothing to learn", command, how, [("Found", sentences)], [table])
    show(page, options.page)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200, help="tables of each kind; of large ones fewer")
    parser.add_argument("--most-rows", type=int, default=ROWS[-1], help="no larger tables than this")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the table and what it says here")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
