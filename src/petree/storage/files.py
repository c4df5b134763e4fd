"""Models in files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from petree.estimators.base import TreeClassifier
from petree.relational.database import Database
from petree.storage.models import dumps, loads
from petree.writing import write_whole


def save(model: TreeClassifier, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator to a JSON file.

    Parameters
    ----------
    model : fitted petree estimator
        What to keep.
    path : str or path
        The file; an old one is replaced at once when the new one is complete.
    """
    write_whole(path, dumps(model).encode("utf-8", "surrogatepass"), "The model")


def load(path: str | os.PathLike[str], database: Database | None = None) -> Any:
    """The fitted estimator that `save` wrote.

    Parameters
    ----------
    path : str or path
        A model file. It is only read: nothing in it can run.
    database : petree.relational.Database, optional
        Where a `RelationalTreeClassifier` shall look examples up; ``model.database = ...`` says so later.

    Returns
    -------
    fitted petree estimator
    """
    content = Path(path).read_bytes()
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
