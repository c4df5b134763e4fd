"""Figures 2 and 3 of F05: the number of rows, on hiv and on trains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lab.experiments.curves import sized_trials
from lab.experiments.data import DataSet
from lab.experiments.report.measure_tables import measure_table
from lab.experiments.report.pages import Block, Heading, Picture, Words
from lab.experiments.summary import Summary
from lab.experiments.trials import Trial, trials_of
from lab.papers.f05.protocol import methods
from lab.papers.f05.trend import trend
from lab.papers.setting import PaperSetting
from lab.statistics.resampling import random_splits

RUNS = 2  # the paper does not tell


class Sizes(NamedTuple):
    """How many rows are asked, and from how many trees are learned; what is not asked at most."""

    figure: int
    n_test: int
    sizes: Sequence[int]


SETS = {
    "hiv": Sizes(2, 6768, (2_000, 8_000, 35_000)),
    "trains": Sizes(3, 5000, (1_000, 5_000, 20_000)),
}


def trials(data: DataSet, asked: Sizes, setting: PaperSetting) -> list[Trial]:
    """More and more of the rows that are not asked; those of a smaller number are among those of a larger."""
    n_learn = data.n_rows - asked.n_test
    parts = random_splits(data.n_rows, n_learn, setting.runs(RUNS), setting.seed)
    sizes = sorted({min(size, n_learn) for size in asked.sizes})
    return list(sized_trials(trials_of(data, parts), sizes, setting.seed))


def numbers_of_rows(setting: PaperSetting, data_sets: Sequence[DataSet]) -> dict[str, Summary]:
    """The results for each of the two sets that is at hand."""
    return {
        data.name: setting.summary("f05-rows", trials(data, SETS[data.name], setting), methods())
        for data in data_sets
        if data.name in SETS
    }


def blocks(setting: PaperSetting, found: Mapping[str, Summary]) -> Iterator[Block]:
    yield Heading("Figures 2 and 3: the number of rows")
    if not found:
        yield Words("They show hiv and trains, which are not at hand.")
    for name, summary in found.items():
        figure, n_test, _ = SETS[name]
        yield Words(
            f"Figure {figure}, {name}: {n_test} rows are asked, as in the paper; means over {setting.runs(RUNS)} "
            "random divisions, of which the paper does not tell the number."
        )
        for measure in ("auc", "leaves"):
            yield measure_table(summary, measure, f"Rows of {name}")
        if setting.pictures:
            curves = trend(summary, _sizes(summary), "number of rows")
            yield Picture(f"f05-rows-{name}.png", f"The number of rows, {name}", curves)


def _sizes(summary: Summary) -> list[int]:
    """From how many rows the trees were learned, as the names of the sets tell."""
    return [int(name.rpartition(", ")[2].removesuffix(" rows")) for name in summary.data_sets]
