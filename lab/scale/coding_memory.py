"""What coding takes in memory besides the program itself, against what it may take, for folders of several kinds.

Each is coded by a process of its own, which notes the most memory that it had above what it had before it began.

Examples
--------
python -m lab.scale.coding_memory                        half a minute
python -m lab.scale.coding_memory --rows 1e7 --memory 256MB 2GB
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow
import pyarrow.dataset
from pyarrow import csv, parquet
from rich.console import Console
from rich.table import Table

from petree import code_files
from petree.partitions.budget import read_memory

Columns: TypeAlias = dict[str, Any]
FILES = 2


def numbers(random: np.random.Generator, n_rows: int, n_columns: int) -> Columns:
    return {f"x{place}": random.normal(size=n_rows) for place in range(n_columns)}


def mixed(random: np.random.Generator, n_rows: int) -> Columns:
    """Numbers, whole numbers and texts, as many tables have them."""
    words = np.array([f"value {place}" for place in range(200)])
    whole = {f"k{place}": random.integers(0, 1000, n_rows) for place in range(3)}
    texts = {f"t{place}": random.choice(words, n_rows) for place in range(3)}
    return {**numbers(random, n_rows, 14), **whole, **texts}


def wide(random: np.random.Generator, n_rows: int) -> Columns:
    return numbers(random, n_rows // 20, 200)


def long_texts(random: np.random.Generator, n_rows: int) -> Columns:
    words = np.array([f"{place} " + "a" * 200 for place in range(1000)])
    return {f"t{place}": random.choice(words, n_rows // 5) for place in range(5)}


def many_categories(random: np.random.Generator, n_rows: int) -> Columns:
    codes = random.integers(0, 200_000, n_rows).astype(str)
    return {"city": np.char.add("place ", codes), **numbers(random, n_rows, 4)}


KINDS: dict[str, Callable[[np.random.Generator, int], Columns]] = {
    "20 columns": mixed,
    "200 columns": wide,
    "long texts": long_texts,
    "200,000 categories": many_categories,
}
FORMATS = ("parquet", "csv")


def write(folder: Path, kind: str, form: str, n_rows: int) -> None:
    """Files of a folder; row groups are as large as pyarrow makes them, a million rows."""
    for number in range(FILES):
        random = np.random.default_rng(number)
        columns = KINDS[kind](random, n_rows // FILES)
        length = len(next(iter(columns.values())))
        table = pyarrow.table({**columns, "y": random.random(length) < 0.3})
        if form == "csv":
            csv.write_csv(table, folder / f"{number}.csv")
        else:
            parquet.write_table(table, folder / f"{number}.parquet")


def megabytes() -> float:
    """The most memory of this process so far; what the system tells of its resources begins with its parent's."""
    line = next(one for one in Path("/proc/self/status").read_text().splitlines() if one.startswith("VmHWM"))
    return int(line.split()[1]) * 1024 / 1e6


def measure(folder: str, codes: str, memory: str) -> dict[str, float]:
    """The most memory above the program's own, and seconds of processor, in this process."""
    before = megabytes()
    start = time.process_time()
    code_files(folder, "y", codes, memory=memory)
    return {"MB at most": megabytes() - before, "of processor": time.process_time() - start}


def run(options: argparse.Namespace, console: Console) -> None:
    table = Table("data", "format", "budget", "MB at most", "of the budget", "seconds of processor")
    for kind in options.kinds:
        for form in options.formats:
            with tempfile.TemporaryDirectory() as folder:
                data = Path(folder) / "data"
                data.mkdir()
                write(data, kind, form, options.rows)
                for memory in options.memory:
                    words = ["--one", str(data), f"{folder}/codes-{memory}", memory]
                    done = subprocess.run(
                        [sys.executable, "-m", "lab.scale.coding_memory", *words],
                        capture_output=True,
                        text=True,
                        check=True,
                    )
                    found = json.loads(done.stdout.splitlines()[-1])
                    share = found["MB at most"] * 1e6 / read_memory(memory)
                    shown = (f"{found['MB at most']:.0f}", f"{share:.0%}", f"{found['of processor']:.1f}")
                    table.add_row(kind, form, memory, *shown)
    console.print(table)


def main() -> None:
    if "--one" in sys.argv:
        print(json.dumps(measure(*sys.argv[2:])))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=lambda text: int(float(text)), default=10**6)
    parser.add_argument("--memory", nargs="+", default=["256MB"])
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=FORMATS)
    run(parser.parse_args(), Console())


if __name__ == "__main__":
    main()
