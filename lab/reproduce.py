"""``python -m lab.reproduce``: a paper's experiments, beside the paper's numbers."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lab.command_line import Processes, Seed, can_draw, check_folder, run, say
from petree.progress import shown
from petree.writing import check_output

if TYPE_CHECKING:
    from lab.experiments.report.pages import Page
    from lab.papers.setting import PaperSetting


class Paper(StrEnum):
    """The papers that can be rerun, by the names of the packages that do it."""

    CW488 = "cw488"
    F05 = "f05"
    FERRI = "ferri"
    OATES = "oates"
    BUNTINE = "buntine"
    ALL = "all"


def reproduce(
    paper: Annotated[Paper, typer.Argument(help="Which paper, or all.")],
    out: Annotated[Path, typer.Option(help="Folder for results, tables and pictures; a started one goes on.")] = Path(
        "reproduction"
    ),
    quick: Annotated[bool, typer.Option("--quick", help="Two runs instead of ten or more.")] = False,
    seed: Seed = 0,
    jobs: Processes = -1,
    page: Annotated[Path | None, typer.Option(help="Write all of it to this Markdown file as well.")] = None,
) -> None:
    """Rerun the experiments of a paper and print our numbers beside its own.

    cw488: Fierens et al. 2007, pruning criteria. f05: Fierens et al. 2005, the first comparison. ferri: Ferri et al.
    2003, smoothing and splitting for AUC. oates: Oates and Jensen 1999, why reduced-error pruning fails on noise.
    buntine: Buntine 1992, Bayesian smoothing and option trees.

    The data come from the folder that the environment variable PETREE_DATA names, or from OpenML.

    Examples:

    `python -m lab.reproduce cw488 --quick`

    `python -m lab.reproduce oates --out oates`
    """
    from lab.experiments.report.pages import together
    from lab.papers.setting import PaperSetting
    from lab.papers.verdicts import front_table
    from petree.locking import locked_folder

    _check(out, page)
    setting = PaperSetting(out, quick, seed, jobs, can_draw())
    with locked_folder(out):
        pages = list(_pages(paper, setting))
    if page is not None:
        front = [front_table(pages)] if paper is Paper.ALL else []
        together(f"The papers' experiments, {date.today().isoformat()}", pages, front).write_markdown(page)
        say(f"written   {page}")


def _pages(paper: Paper, setting: PaperSetting) -> Iterator[Page]:
    """The pages of a paper or of all, each written and shown as soon as it is there."""
    from rich.console import Console

    for name in [one.value for one in Paper if one is not Paper.ALL] if paper is Paper.ALL else [paper.value]:
        seed = ["--seed", str(setting.seed)] if setting.seed else []
        words = ["python", "-m", "lab.reproduce", name, *["--quick"] * setting.quick, *seed]
        with shown(f"Reproducing {name}"):
            page: Page = import_module(f"lab.papers.{name}.page").page(setting, shlex.join(words))
            files = page.write(setting.folder, name)
        page.print(Console())
        say(f"written   {len(files)} files to {setting.folder}, {name}.html first")
        yield page


def _check(out: Path, page: Path | None) -> None:
    """Refuse places where nothing can be written before long work begins."""
    check_folder(out)
    if page is not None:
        check_output(page)
        if not page.suffix:
            raise ValueError(f"{page} is the folder for the pictures of the page; call the page {page}.md.")


if __name__ == "__main__":
    run(reproduce)
