"""Results of the quality benchmark in a file that grows as work is done, so that a run can be interrupted."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from quality_contenders import Contender
from quality_data import DataSet
from quality_peers import PEERS
from quality_scoring import MEASURES

import petree

KEY = ("data_set", "contender", "settings", "seed", "fold")
HEADS = (*KEY, *MEASURES, "sources", "date")

Key = tuple[str, str, str, int, int]


def settings_of(contender: Contender, data: DataSet) -> str:
    """Short name of all that decides a result: the contender's settings and the contents of the table."""
    return hashlib.sha256(f"{contender.settings} {data.digest}".encode()).hexdigest()[:12]


@cache
def state_of_sources() -> str:
    """Short name of the state of petree's own sources."""
    digest, folder = hashlib.sha256(), Path(petree.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


class ResultsFile:
    """A CSV file with one line for each data set, contender and fold.

    Parameters
    ----------
    path : Path
        Made where it is not there. A line that an interruption cut short is removed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_bytes() if path.exists() else b""
        whole = text[: text.rfind(b"\n") + 1]
        if whole != text or not whole:
            path.write_bytes(whole)
        if not whole:
            self._write([HEADS])
        elif whole.partition(b"\n")[0].decode() != ",".join(HEADS):
            raise ValueError(f"{path} holds results of another form of this benchmark; remove it or name another file.")

    def add(self, lines: Iterable[Sequence[Any]]) -> None:
        """Write results, each the key and the measures."""
        self._write([*line, state_of_sources(), date.today().isoformat()] for line in lines)

    def read(self) -> pd.DataFrame:
        """All results; of several with one key the last."""
        kinds = {"data_set": str, "contender": str, "settings": str, "sources": str, "date": str}
        return pd.read_csv(self.path, dtype=kinds).drop_duplicates(list(KEY), keep="last")

    def current(
        self, data_sets: Sequence[DataSet], contenders: Sequence[Contender], seeds: Sequence[int]
    ) -> pd.DataFrame:
        """The results of these, under their settings of today."""
        results = self.read()
        wanted = {(data.name, one.name, settings_of(one, data)) for data in data_sets for one in contenders}
        keys = zip(results["data_set"], results["contender"], results["settings"], strict=True)
        return results[results["seed"].isin(seeds) & np.array([key in wanted for key in keys], bool)]

    def known(self, fresh: bool = False) -> set[Key]:
        """What there are results of; with `fresh` without those of petree that other sources than today's gave."""
        results = self.read()
        if fresh:
            results = results[results["contender"].isin(PEERS) | (results["sources"] == state_of_sources())]
        return set(results[list(KEY)].itertuples(index=False, name=None))

    def _write(self, lines: Iterable[Sequence[Any]]) -> None:
        with self.path.open("a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(lines)
