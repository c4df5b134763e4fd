"""The tables of the quality page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pandas as pd

from lab.experiments.report.tables import Table
from lab.quality.contenders import MAIN_SPLIT, OPTIONS, Contender
from lab.quality.data import FrameSet
from lab.quality.scoring import Scores

MAIN_NOTE = (
    "bits: minus log2 likelihood a case, probabilities clipped at 1e-6; AUC: each class against the rest, weighted by "
    "the shares of the classes; Brier: summed over the classes; p(true)=0: share of cases whose class was held "
    "impossible. Means over the folds of a set, then over the sets; leaves: median over the sets. Ranks: among the "
    "rows of this table, on each set, averaged; equals share their ranks. Seconds: the processor's, one fit in one "
    "thread, tuning included, the encoding for the peers not."
)
NAMES_NOTE = (
    "-multiway: one branch a category; without it, binary tests. -auto: parameters chosen on the training part."
)


def main_contenders(scores: Scores, contenders: Sequence[Contender]) -> list[Contender]:
    """The peers, the main split score with every smoothing, every tuned smoothing, and option trees."""
    growths = (MAIN_SPLIT, OPTIONS)
    chosen = (one for one in contenders if not one.is_petree or one.growth in growths or one.is_tuned)
    return [one for one in chosen if one.name in scores.contenders]


def main_table(title: str, scores: Scores, contenders: Sequence[Contender]) -> Table:
    """Peers and the main combinations of petree, the best likelihood first."""
    rivals = main_contenders(scores, contenders)
    names = [one.name for one in rivals]
    bits = scores.ranks("bits", names)
    auc = scores.ranks("auc", names)
    rows = [
        [
            one.label,
            f"{bits[one.name]:.2f}",
            f"{auc[one.name]:.2f}",
            *(f"{scores.mean(measure, one.name):.3f}" for measure in ("bits", "auc", "brier", "accuracy")),
            f"{100 * scores.mean('zeros', one.name):.2f}",
            _leaves(scores.median("leaves", one.name)),
            f"{scores.mean('seconds', one.name):.3f}",
        ]
        for one in sorted(rivals, key=lambda one: scores.mean("bits", one.name))
    ]
    heads = (
        "method",
        "rank bits",
        "rank AUC",
        "bits",
        "AUC",
        "Brier",
        "accuracy",
        "p(true)=0 in %",
        "leaves",
        "seconds",
    )
    return Table(title, heads, rows, MAIN_NOTE)


def matrix_table(title: str, scores: Scores, contenders: Sequence[Contender], measure: str) -> Table:
    """Split scores x smoothings, means of one measure over the sets."""
    own = [one for one in contenders if one.is_petree and one.name in scores.contenders]
    growths = list(dict.fromkeys(one.growth for one in own))
    smoothings = sorted(dict.fromkeys(one.smoothing for one in own), key=lambda name: name.endswith("-auto"))
    found = {(one.growth, one.smoothing): f"{scores.mean(measure, one.name):.3f}" for one in own}
    rows = [[growth, *(found.get((growth, smoothing), "") for smoothing in smoothings)] for growth in growths]
    return Table(title, ("split score", *smoothings), rows, NAMES_NOTE)


def order_table(scores: Scores, growths: Sequence[str]) -> Table:
    """How much AUC Laplace's estimate gains over none, and m-branch over Laplace's, by way of growing."""
    heads = ("split score", "none", "laplace", "m_branch", "laplace - none", "w/t/l", "m_branch - laplace", "w/t/l")
    rows = []
    for growth in growths:
        names = [f"{growth}/{smoothing}" for smoothing in ("none", "laplace", "m_branch")]
        steps = [scores.versus("auc", better, worse) for worse, better in pairwise(names)]
        means = [f"{scores.mean('auc', name):.4f}" for name in names]
        rows.append([growth, *means, *(cell for step in steps for cell in (f"{step.mean:+.4f}", step.record))])
    return Table("AUC: none, Laplace, m-branch", heads, rows, "w/t/l: sets on which the first is better, equal, worse.")


def sets_table(title: str, scores: Scores, rivals: Sequence[Contender], data_sets: Sequence[FrameSet]) -> Table:
    """Bits of some contenders on every set, the first beside the second."""
    first, second, *_ = (one.name for one in rivals)
    gains: pd.Series = scores.versus("bits", first, second).gains
    rows = []
    for data in sorted(data_sets, key=lambda data: -gains[data.name]):
        cells = (f"{scores.on(data.name, 'bits', one.name):.3f}" for one in rivals)
        rows.append([data.name, str(len(data.y)), str(data.n_classes), *cells, f"{gains[data.name]:+.3f}"])
    heads = ("data set", "rows", "classes", *(one.label for one in rivals), "gain of the first over the second")
    return Table(title, heads, rows, "Bits a case; the sets with the largest gains come first.")


def _leaves(number: float) -> str:
    return "-" if pd.isna(number) else f"{number:.0f}"
