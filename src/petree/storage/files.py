"""Models in files; an interrupted write leaves the old file as it was."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

from petree.storage.models import dumps, loads


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator to a JSON file.

    Parameters
    ----------
    model : fitted petree estimator
        What to keep.
    path : str or path
        The file; an old one is replaced at once when the new one is complete.
    """
    text = dumps(model)
    try:
        _replace(Path(os.path.realpath(path)), text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise OSError(
            f"The model could not be written to {path} ({error.strerror}); nothing there was changed. "
            "Choose a file in a folder that exists and that you may write to."
        ) from error


def _replace(path: Path, content: bytes) -> None:
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(6)}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def load(path: str | os.PathLike[str]) -> Any:
    """The fitted estimator that `save` wrote.

    Parameters
    ----------
    path : str or path
        A model file. It is only read: nothing in it can run.

    Returns
    -------
    fitted petree estimator
    """
    content = Path(path).read_bytes()
    try:
        text = content.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not a petree model: byte {error.start} is not text.") from None
    return loads(text, str(path))
