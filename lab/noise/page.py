"""The page of the noise benchmark: tables, the figure, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, median
from typing import TYPE_CHECKING

from lab.experiments.report.figures import new_figure
from lab.experiments.report.pages import Page as ReportPage
from lab.experiments.report.pages import Picture
from lab.experiments.report.tables import Table
from lab.noise.reading import Sizes, doubt, growth, judge, read, share_split
from lab.pages import page_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

UNPRUNED = "none"
# The criteria of each part of the figure.
PANELS = {
    "errors and sizes": ("safe", "card_per_class", "error_based", "pessimistic", "minimum_error", "cost_complexity"),
    "held-out or drawn cases": ("best_size", "reduced_error", "sampled"),
    "description lengths and likelihoods": ("quinlan_rivest", "smoothed", "mdl", "bic", "map", "negligible"),
    "tests": ("chi", "rand", "permutation", "subtree_randomisation"),
}


@dataclass(frozen=True)
class Page:
    """Everything that a run has to say."""

    sizes: Sizes
    failures: Sequence[str]
    command: str

    @cached_property
    def rows(self) -> list[int]:
        return sorted({n for found in self.sizes.values() for n in found})

    @cached_property
    def tables(self) -> list[Table]:
        return [self._sizes_table(), self._roots_table()]

    def _sizes_table(self) -> Table:
        cells = [
            [name, *(_size(found.get(n)) for n in self.rows), _growth_cell(found), self._numbers(found)]
            for name, found in self.sizes.items()
        ]
        note = (
            "Median (mean) over the tables. growth: the b of mean size ~ N^b, where trees are not small. tables: how "
            "many of each size; the slower a criterion, the fewer, and one has none where N is large."
        )
        return Table("Inner nodes", ("criterion", *self._heads, "growth", "tables"), cells, note)

    def _roots_table(self) -> Table:
        cells = [[name, *(_share(found.get(n)) for n in self.rows)] for name, found in self.sizes.items()]
        return Table("Tables whose root is split", ("criterion", *self._heads), cells)

    @property
    def _heads(self) -> list[str]:
        return [f"N = {n}" for n in self.rows]

    def _numbers(self, found: dict[int, list[int]]) -> str:
        return " / ".join(str(len(found.get(n, ()))) for n in self.rows)

    def report(self, picture: str = "noise.png") -> ReportPage:
        """The page as it is shown; `picture` is the name of the figure's file, which is there where matplotlib is."""
        how = (
            "30 fair binary attributes, and a fair class that has nothing to do with them, as in Oates and Jensen "
            '(1999, "Toward a theoretical understanding of why and when decision tree pruning algorithms fail"). '
            "N is the number of cases; all criteria get the same tables, most of them the first of every few. The "
            "right tree is a single leaf: it has no inner node. pre, and permutation without a word: while growing; "
            'all others prune grown trees. corrected: with correction="cases".'
        )
        parts = [
            ("Expected", judge(self.sizes)),
            ("Why not", doubt(self.sizes)),
            ("Found", read(self.sizes)),
            ("Left out", self.failures),
        ]
        figure = self._figure()
        pictures = [Picture(picture, "Inner nodes by number of cases", figure)] if figure else []
        return page_of("Trees on data without structure", self.command, how, parts, [*pictures, *self.tables])

    def _figure(self) -> Figure | None:
        """Tree size by number of cases, as in Figure 1 of Oates and Jensen; None without matplotlib."""
        try:
            figure = new_figure((11, 9))
        except ImportError:
            return None
        panels = figure.subplots(2, 2, sharex=True, sharey=True).flat
        for axes, (title, members) in zip(panels, PANELS.items(), strict=True):
            self._draw_panel(axes, members)
            axes.set(xscale="log", title=title, xlabel="cases", ylabel="inner nodes, mean")
            axes.set_yscale("symlog", linthresh=1)  # so that 0 can be seen
            axes.legend(fontsize=7)
        return figure

    def _draw_panel(self, axes: Axes, members: Sequence[str]) -> None:
        """The criteria of one kind, over a broken line for the unpruned trees."""
        for name, found in self.sizes.items():
            if name == UNPRUNED or name.partition(",")[0] in members:
                style = {"color": "black", "linestyle": "--"} if name == UNPRUNED else {"marker": "o", "markersize": 3}
                axes.plot(list(found), [fmean(values) for values in found.values()], label=name, **style)


def _size(values: Sequence[int] | None) -> str:
    return f"{median(values):g} ({fmean(values):.1f})" if values else ""


def _share(values: Sequence[int] | None) -> str:
    return f"{share_split(values):.0f}%" if values else ""


def _growth_cell(found: dict[int, list[int]]) -> str:
    power = growth(found)
    return "" if power is None else f"{power:.2f}"
