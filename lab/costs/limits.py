"""How time and memory grow with what petree is given, one table a section: the figures of docs/limits.md.

python -m lab.costs.limits columns [--most 100000] [--markdown page.md]

Every row is measured in a process of its own. A new section is a function that yields rows, and a line in `SECTIONS`.
"""

from __future__ import annotations

import resource
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Annotated, Any

import numpy as np
import typer

ROWS = 10
BYTES_OF_PEAK = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class Row:
    """What is measured, how large it is, a function that writes a file, and one that does the work with it."""

    name: str
    size: int
    write: Callable[[Path, int], Path]
    work: Callable[[Path], Any]


def seconds_and_peak(row: Row, path: Path) -> tuple[float, float]:
    """Processor time of all threads, and the megabytes by which the work raised the peak of the process."""
    from petree import ProbabilityTreeClassifier  # noqa: F401  # not a part of the work

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = process_time()
    row.work(path)
    seconds = process_time() - start
    return seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * BYTES_OF_PEAK / 1e6


def measure(row: Row) -> str:
    """A line of the table."""
    with TemporaryDirectory() as folder, ProcessPoolExecutor(1, get_context("spawn")) as pool:
        seconds, megabytes = pool.submit(seconds_and_peak, row, row.write(Path(folder), row.size)).result()
    return f"| {row.name} | {row.size:,} | {seconds:.2f} | {megabytes:.0f} |"


# -- columns -------------------------------------------------------------------------------------------------


def sizes(most: int) -> list[int]:
    return [size for size in (1_000, 10_000, 100_000) if size <= most]


def write_csv(folder: Path, n_columns: int) -> Path:
    path = folder / "wide.csv"
    rows = [[f"column {j}" for j in range(n_columns)], *[[f"{i}.{j}" for j in range(n_columns)] for i in range(ROWS)]]
    path.write_text("".join(",".join(row) + "\n" for row in rows))
    return path


def write_arff(folder: Path, n_columns: int) -> Path:
    path = folder / "wide.arff"
    head = [f"@attribute 'column {j}' {'{a, b}' if j % 2 else 'numeric'}\n" for j in range(n_columns)]
    rows = [",".join("b" if j % 2 else str(j) for j in range(n_columns)) + "\n"] * ROWS
    path.write_text("".join([*head, "@data\n", *rows]))
    return path


def write_parquet(folder: Path, n_columns: int) -> Path:
    import pyarrow
    from pyarrow import parquet

    path = folder / "wide.parquet"
    parquet.write_table(pyarrow.table({f"column {j}": [float(j)] * ROWS for j in range(n_columns)}), path)
    return path


def read_typed(path: Path) -> None:
    """From a file to typed columns, as the command line does."""
    from petree.files import read_table
    from petree.inputs import table_of

    table = read_table(path)
    table_of(table.select(table.names))


def columns(most: int) -> Iterator[Row]:
    """Tables of few rows and many columns."""
    for name, write in (("CSV", write_csv), ("ARFF", write_arff), ("Parquet", write_parquet)):
        for size in sizes(most):
            yield Row(f"{name}, {ROWS} rows", size, write, read_typed)


# -- categories and classes ----------------------------------------------------------------------------------


def write_noise(folder: Path, n_categories: int, n_classes: int) -> Path:
    """Two rows for each category or class, whichever are more, and nothing to learn."""
    path = folder / "noise.npz"
    generator = np.random.default_rng(0)
    n_rows = 2 * max(n_categories, n_classes)
    kinds = np.char.add("k", generator.integers(0, n_categories, n_rows).astype(str))
    np.savez(path, kind=kinds, size=generator.normal(size=n_rows), y=generator.integers(0, n_classes, n_rows))
    return path


def write_categories(folder: Path, n_categories: int) -> Path:
    return write_noise(folder, n_categories, 2)


def write_classes(folder: Path, n_classes: int) -> Path:
    return write_noise(folder, 10, n_classes)


def fit(path: Path, **parameters: Any) -> None:
    from petree import ProbabilityTreeClassifier

    with np.load(path) as table, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X = {"kind": table["kind"], "size": table["size"]}
        ProbabilityTreeClassifier(**parameters).fit(X, table["y"])


fit_unpruned = partial(fit, pruning="none", smoothing="laplace")


def categories(most: int) -> Iterator[Row]:
    """A nominal column with two rows for each of its categories."""
    for size in [10, 100, *sizes(most)]:
        yield Row("unpruned, two rows a category", size, write_categories, fit_unpruned)
    for size in [10, 100, *sizes(most)]:
        yield Row("default, two rows a category", size, write_categories, fit)


def classes(most: int) -> Iterator[Row]:
    """Two rows for each class."""
    for name, work in (("unpruned", fit_unpruned), ("default", fit)):
        for size in [one for one in (10, 100, 1_000, 3_000, 10_000) if one <= most]:
            yield Row(f"{name}, two rows a class", size, write_classes, work)


# -- depth ---------------------------------------------------------------------------------------------------


def write_chain(folder: Path, depth: int) -> Path:
    """A model that takes one row from the others at every level."""
    from petree import save
    from petree.columns import Column
    from petree.conditions import THRESHOLD, UNSEEN, Conditions
    from petree.estimators.stored import Stored
    from petree.estimators.tree import ProbabilityTreeClassifier
    from petree.tree import assemble

    labels = np.arange(depth + 1) % 2
    left = np.stack([np.cumsum((labels == label)[::-1])[::-1] for label in (0, 1)], axis=1)
    counts = np.zeros((2 * depth + 1, 2))
    counts[::2] = left
    counts[1::2] = np.eye(2)[labels[:depth]]
    columns = (Column("size"),)
    every = np.ones(depth, int)
    cuts = Conditions.from_arrays(columns, THRESHOLD * every, 0 * every, np.arange(depth) + 0.5, UNSEEN * every, [])
    nodes = np.arange(depth) * 2
    totals = counts.sum(axis=1).astype(int)
    tree = assemble(counts, totals, np.ones_like(totals), nodes, 2 * every, cuts, (0, 1))
    tree = tree.with_annotations(gain=np.zeros(len(counts)))
    path = folder / "chain.json"
    parameters = {"pruning": "none", "smoothing": "laplace"}
    save(ProbabilityTreeClassifier._from_stored(Stored(parameters, tree, columns, np.array([0, 1]), False)), path)
    return path


def smooth(path: Path) -> None:
    """Read the model, and estimate by what stands above each leaf."""
    from petree import load, smoothing

    tree = load(path).tree_
    for name in ("m_branch", "shrinkage", "hierarchical"):
        smoothing.estimate(name, tree)


def prune_chain(path: Path) -> None:
    from petree import load, pruning

    pruning.prune("bic", load(path).tree_)


def depth(most: int) -> Iterator[Row]:
    """A tree that is nothing but a path."""
    for name, work in (("read and smoothed", smooth), ("read and pruned", prune_chain)):
        for size in sizes(most):
            yield Row(name, size, write_chain, work)


SECTIONS = {"columns": columns, "categories": categories, "classes": classes, "depth": depth}


def main(
    section: Annotated[str, typer.Argument(help=f"One of {', '.join(SECTIONS)}.")],
    most: Annotated[int, typer.Option(help="Leave out what is larger.")] = 100_000,
    markdown: Annotated[Path | None, typer.Option(help="Write the table there, too.")] = None,
) -> None:
    """Seconds and megabytes for growing sizes."""
    if section not in SECTIONS:
        raise typer.BadParameter(f"{section} is no section; take one of {', '.join(SECTIONS)}.")
    lines = [f"| | {section} | seconds | MB |", "|---|---|---|---|"]
    print("\n".join(lines))
    for row in SECTIONS[section](most):
        lines.append(measure(row))
        print(lines[-1], flush=True)
    if markdown is not None:
        markdown.write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    typer.run(main)
