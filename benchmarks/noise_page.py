"""The page of the noise benchmark: tables, the figure, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

import numpy as np
from noise_reading import Sizes, growth, read
from report import Table

HEADS = ("criterion", "growth")


@dataclass(frozen=True)
class Page:
    """Everything that a run has to say."""

    sizes: Sizes
    trials: int
    command: str

    @cached_property
    def rows(self) -> list[int]:
        return sorted({n for found in self.sizes.values() for n in found})

    @cached_property
    def tables(self) -> list[Table]:
        return [self._sizes_table(), self._roots_table()]

    def _sizes_table(self) -> Table:
        cells = [
            [name, *(_cell(found.get(n)) for n in self.rows), _growth_cell(found)] for name, found in self.sizes.items()
        ]
        note = "Median (mean) of the trials. growth: the b of mean size ~ N^b, over the sizes of mean 1 and more."
        return Table("Inner nodes", ("criterion", *(f"N = {n}" for n in self.rows), "growth"), cells, note)

    def _roots_table(self) -> Table:
        cells = [[name, *(_share(found.get(n)) for n in self.rows)] for name, found in self.sizes.items()]
        return Table("Tables whose root is split", ("criterion", *(f"N = {n}" for n in self.rows)), cells)

    @property
    def reading(self) -> str:
        return "".join(f"- {line}\n" for line in read(self.sizes))

    def write(self, path: Path) -> None:
        """The page, and the figure beside it where matplotlib is there."""
        figure = path.with_suffix(".png")
        picture = f"![Inner nodes by number of cases]({figure.name})\n\n" if self.draw(figure) else ""
        tables = "\n".join(table.to_markdown() for table in self.tables)
        text = f"# Trees on data without structure\n\n{self._how()}\n## In words\n\n{self.reading}\n{picture}## Tables\n\n"
        path.write_text(text + tables, encoding="utf-8")

    def _how(self) -> str:
        return (
            f"Made on {date.today().isoformat()} by `{self.command}`; not written by hand.\n\n"
            f"30 fair binary attributes, and a fair class that has nothing to do with them; {self.trials} tables of each "
            "size, the same for all criteria. The right tree is a single leaf.\n"
        )

    def draw(self, path: Path) -> bool:
        """Tree size by number of cases, as in Figure 1 of Oates and Jensen; False without matplotlib."""
        try:
            from matplotlib.figure import Figure
        except ImportError:
            return False
        figure = Figure(figsize=(9, 6), layout="constrained")
        axes = figure.subplots()
        for name, found in self.sizes.items():
            rows = sorted(found)
            axes.plot(rows, [np.mean(found[n]) + 0.1 for n in rows], marker="o", markersize=3, label=name)
        axes.set(xscale="log", yscale="log", xlabel="cases", ylabel="inner nodes, mean (0.1 added)")
        axes.legend(fontsize=7, ncols=2)
        figure.savefig(path, dpi=120)
        return True


def _cell(values: Sequence[int] | None) -> str:
    return f"{np.median(values):g} ({np.mean(values):.1f})" if values else ""


def _share(values: Sequence[int] | None) -> str:
    return f"{100 * np.mean(np.array(values) > 0):.0f}%" if values else ""


def _growth_cell(found: dict[int, list[int]]) -> str:
    power = growth(found)
    return "" if power is None else f"{power:.2f}"
