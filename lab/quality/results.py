"""Results of the quality benchmark in a file that grows as work is done, so that a run can be interrupted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

import petree
from lab.experiments.growing_file import GrowingFile
from lab.experiments.results import Key
from lab.experiments.trials import Trial
from lab.quality.contenders import Contender
from lab.quality.data import FrameSet
from lab.quality.peers import PEERS
from lab.quality.scoring import MEASURES

HEADS_OF_KEY = ("data_set", "contender", "settings", "seed", "fold")


def key_of(contender: Contender, trial: Trial) -> Key:
    """What a result is of."""
    part = trial.part
    return Key(trial.data.name, contender.name, settings_of(contender, trial.data), part.run, part.fold)


def settings_of(contender: Contender, data: FrameSet) -> str:
    """Short name of all that decides a result: the contender's settings and the contents of the table."""
    return hashlib.sha256(f"{contender.settings} {data.digest}".encode()).hexdigest()[:12]


@cache
def state_of_sources() -> str:
    """Short name of the state of petree's own sources."""
    digest = hashlib.sha256()
    for path in sorted(Path(petree.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


class ResultsFile(GrowingFile):
    """One line for each data set, contender and fold."""

    heads = (*HEADS_OF_KEY, *MEASURES, "sources", "date")

    def add(self, results: Iterable[tuple[Key, dict[str, float]]]) -> None:
        """Write results."""
        made = (state_of_sources(), date.today().isoformat())
        self.append([*key, *(found[name] for name in MEASURES), *made] for key, found in results)

    def read(self) -> pd.DataFrame:
        """All results; of several with one key the last."""
        kinds = {"data_set": str, "contender": str, "settings": str, "sources": str, "date": str}
        return pd.read_csv(self.path, dtype=kinds).drop_duplicates(list(HEADS_OF_KEY), keep="last")

    def current(
        self, data_sets: Sequence[FrameSet], contenders: Sequence[Contender], seeds: Sequence[int]
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
        return set(map(Key._make, results[list(HEADS_OF_KEY)].itertuples(index=False, name=None)))
