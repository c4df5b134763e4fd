"""``petree code``: a folder of data becomes a folder of codes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from petree.cli.arguments import options_of, pairs_of, words_of
from petree.cli.messages import say
from petree.progress import shown
from petree.words import counted

Memory = Annotated[str, typer.Option(help="What may be taken besides the program itself, such as 2GB.")]


@dataclass(frozen=True, kw_only=True)
class Options:
    """What `petree code` is asked for."""

    data: Annotated[Path, typer.Argument(help="Folder or file to read: Parquet or CSV.")]
    target: Annotated[str, typer.Option(help="Column that holds the class.")]
    out: Annotated[Path, typer.Option(help="Folder for the codes; one that was begun is gone on with.")]
    weight: Annotated[str | None, typer.Option(help="Column that holds the weight of each row.")] = None
    ignore: Annotated[str | None, typer.Option(help="Columns to leave out; commas between them.")] = None
    types: Annotated[str | None, typer.Option(help="What columns hold, such as zip=nominal: number or nominal.")] = None
    max_bins: Annotated[int, typer.Option(min=2, help="Bins of a column of numbers.")] = 255
    memory: Memory = "2GB"
    jobs: Annotated[int, typer.Option(help="Number of threads; -1 takes all cores.")] = 1


@options_of(Options)
def code(options: Options) -> None:
    """Code data of any size into a folder, one byte a value, to learn from without holding them in memory.

    Two passes read the data; a run that was ended goes on where it was when the same command is given again.

    Examples:

    `petree code loans/ --target repaid --out codes --memory 2GB`

    `petree code loans/ --target repaid --out codes --ignore name,phone --types zip=nominal`
    """
    from petree.binning import Quantile
    from petree.partitions import code_files

    with shown(f"Coding {options.data}"):
        codes = code_files(
            options.data,
            options.target,
            options.out,
            weights=options.weight,
            ignore=words_of(options.ignore) or (),
            types=pairs_of("--types", options.types, "zip=nominal"),
            binning=Quantile(options.max_bins),
            memory=options.memory,
            n_jobs=options.jobs,
        )
    n_used = sum(not column.is_empty for column in codes.columns)
    n_left_out = len(codes.columns) - n_used
    say(f"rows      {codes.n_rows}")
    say(f"columns   {n_used}" + (f", {n_left_out} left out" if n_left_out else ""))
    say(f"classes   {', '.join(map(str, codes.classes.tolist()[:10]))}")
    say(f"written   {options.out}, {counted(len(codes.parts), 'part')}")
