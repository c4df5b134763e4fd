"""The arguments that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

DataFile = Annotated[Path, typer.Argument(help="Table to read: CSV, ARFF (both also gzipped) or Parquet.")]
ModelFile = Annotated[Path, typer.Argument(help="Model written by `petree fit`.")]
