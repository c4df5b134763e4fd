"""Files written whole or not at all: an interrupted write leaves the old file as it was."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def check_output(path: Path, *inputs: Path) -> None:
    """Refuse a place where no file can be written, or one of the inputs, before long work begins."""
    for source in inputs:
        if path.exists() and source.exists() and path.samefile(source):
            raise ValueError(f"{path} is what is read; give the output another name.")
    if not path.parent.is_dir():
        raise ValueError(f"{path} cannot be written because there is no directory {path.parent}; make it first.")
    if path.exists() and not path.is_file():
        raise ValueError(f"{path} cannot be written because it is not a file; choose another name.")


def write_whole(path: str | os.PathLike[str], content: bytes, what: str) -> None:
    """Write a file; an old one is replaced at once when the new one is complete.

    Parameters
    ----------
    path : str or path
        The file; where it is a link, the file it leads to.
    content : bytes
        All of it.
    what : str
        What the content is, as the beginning of a sentence, such as "The model".

    Raises
    ------
    OSError
        If the file cannot be written; the old one is then still there.
    """
    try:
        _replace(Path(os.path.realpath(path)), content)
    except OSError as error:
        raise OSError(
            f"{what} could not be written to {path} ({error.strerror}); nothing there was changed. "
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
