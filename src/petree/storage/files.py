"""Models in files."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

from petree.estimators.base import TreeClassifier
from petree.relational.database import Database
from petree.storage.models import dumps, loads
from petree.unpacking import PACKED, open_bytes
from petree.writing import write_whole

# More would take several times as long for a few percent.
PACKING = 6


def save(model: TreeClassifier, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator to a JSON file, packed if its name ends in .gz.

    A packed file has about a quarter of the size, which is worth it for option trees.

    Parameters
    ----------
    model : fitted petree estimator
        What to keep.
    path : str or path
        The file; an old one is replaced at once when the new one is complete.
    """
    content = dumps(model).encode("utf-8", "surrogatepass")
    if Path(path).suffix.lower() == PACKED:
        content = gzip.compress(content, PACKING, mtime=0)  # no time, so that equal models are equal files
    write_whole(path, content, "The model")


def load(path: str | os.PathLike[str], database: Database | None = None) -> Any:
    """The fitted estimator that `save` wrote.

    Parameters
    ----------
    path : str or path
        A model file, unpacked if its name ends in .gz. It is only read: nothing in it can run.
    database : petree.relational.Database, optional
        Where a `RelationalTreeClassifier` shall look examples up; ``model.database = ...`` says so later.

    Returns
    -------
    fitted petree estimator
    """
    with open_bytes(Path(path)) as stream:
        content = stream.read()
    try:
        text = content.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not a petree model: byte {error.start} is not text.") from None
    model = loads(text, str(path))
    if database is not None:
        if "database" not in model.get_params(deep=False):
            raise ValueError(f"{path} holds a {type(model).__name__}, which needs no database; load it without one.")
        model.database = database
    return model
