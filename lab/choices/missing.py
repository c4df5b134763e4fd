"""Ways to treat missing values (`missing=`): bits of the default tree on data sets where many are missing.

    PETREE_DATA=... python -m lab.choices.missing

Rows and folds are those of the quality benchmark. With `--lose 0.3` further values are lost at random before the folds
are dealt, so that their absence tells nothing. The table is that of docs/guide/missing.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from lab.quality.data import FrameSet, find_folder, load, shuffled_folds
from lab.quality.scoring import measure
from petree import ProbabilityTreeClassifier
from petree.sources.missing import WAYS

SETS = ("horse_colic", "hepatitis", "audiology", "annealing", "soybean", "voting_missing", "cylinder_bands")


def share_missing(data: FrameSet) -> float:
    """Share of the cells that are missing."""
    return float(data.columns.isna().to_numpy().mean())


def lose(data: FrameSet, share: float) -> FrameSet:
    """The same with this share of the cells lost."""
    is_lost = np.random.default_rng(0).random(data.columns.shape) < share
    return replace(data, columns=data.columns.mask(is_lost))


def compare(data: FrameSet, seeds: Sequence[int]) -> dict[str, float]:
    """Mean bits of each way over all folds."""
    found: dict[str, list[float]] = {way: [] for way in WAYS}
    for trial in shuffled_folds(data, list(seeds)):
        learn, y = trial.train
        test, truth = trial.test
        for way in WAYS:
            model = ProbabilityTreeClassifier(missing=way, n_jobs=1).fit(learn, y, classes=data.classes)
            found[way].append(measure(truth, model.predict_proba(test))["bits"])
    return {way: float(np.mean(bits)) for way, bits in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=1, help="repetitions of the cross-validation")
    parser.add_argument("--lose", type=float, default=0.0, help="share of the cells to lose beforehand")
    parser.add_argument("sets", nargs="*", default=SETS)
    asked = parser.parse_args()
    print("| set | rows | missing | " + " | ".join(WAYS) + " |")
    print("|---|---|---|" + "---|" * len(WAYS))
    lines = []
    for name in asked.sets:
        data = load(find_folder(), name)
        data = lose(data, asked.lose) if asked.lose else data
        bits = compare(data, range(asked.seeds))
        lines.append(bits)
        cells = " | ".join(f"{bits[way]:.3f}" for way in WAYS)
        print(f"| {name} | {len(data.y)} | {share_missing(data):.0%} | {cells} |", flush=True)
    means = pd.DataFrame(lines).mean()
    print("| mean | | | " + " | ".join(f"{means[way]:.3f}" for way in WAYS) + " |")


if __name__ == "__main__":
    main()
