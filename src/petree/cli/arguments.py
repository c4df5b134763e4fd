"""The arguments that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

TABLES = "CSV, ARFF (both also gzipped) or Parquet; - reads CSV from a pipe."
DataFile = Annotated[Path, typer.Argument(help=f"Table to read: {TABLES}")]
OptionalDataFile = Annotated[Path | None, typer.Argument(help=f"Table to read: {TABLES}", show_default=False)]
DatabaseUrl = Annotated[
    str | None, typer.Option("--database", help="Related tables instead: an address such as sqlite:///x.db.")
]
AceFolder = Annotated[Path | None, typer.Option("--ace", help="Facts and settings of ACE instead: their folder.")]
ModelFile = Annotated[Path, typer.Argument(help="Model written by `petree fit`.")]
# More than any machine has cores; long work would start as many as are asked for.
MOST_JOBS = 1000
Processes = Annotated[int, typer.Option("--jobs", max=MOST_JOBS, help="Number of processes; -1 takes all cores.")]
# Every library takes a seed up to here, and the numbers of some runs beyond.
LARGEST_SEED = 2**31 - 1
Seed = Annotated[int, typer.Option("--seed", min=0, max=LARGEST_SEED, help="Seed of everything random.")]
