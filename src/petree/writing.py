"""Files written whole or not at all: an interrupted write leaves the old file as it was; and lines of CSV."""

from __future__ import annotations

import csv
import errno
import io
import os
import re
import secrets
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

# What systems say where a disk is full, or one's share of it.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def check_output(path: Path, *inputs: Path) -> None:
    """Refuse a place where no file can be written, or one of the inputs, before long work begins."""
    for source in inputs:
        if path.exists() and source.exists() and path.samefile(source):
            raise ValueError(f"{path} is what is read; give the output another name.")
    folder = Path(os.path.realpath(path)).parent if path.is_symlink() else path.parent
    if not folder.is_dir():
        raise ValueError(f"{path} cannot be written because there is no directory {folder}; make it first.")
    if path.exists() and not path.is_file():
        raise ValueError(f"{path} cannot be written because it is not a file; choose another name.")


def write_whole(path: str | os.PathLike[str], content: bytes, what: str) -> None:
    """Write a file; an old one is replaced at once when the new one is complete, and keeps its permissions.

    Parameters
    ----------
    path : str or path
        The file; where it is a link, the file it leads to. Folders, devices, pipes and sockets are refused.
    content : bytes
        All of it.
    what : str
        What the content is, as the beginning of a sentence, such as "The model".

    Raises
    ------
    OSError
        If the file cannot be written; the old one is then still there.
    """
    with replaced(path, what) as temporary, told_as(what, path), open(temporary, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def replaced(path: str | os.PathLike[str], what: str) -> Iterator[Path]:
    """A block that writes an empty temporary file, which replaces `path` at the end unless the block fails.

    Parameters
    ----------
    path : str or path
    what : str
        As `write_whole` takes them.
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".petree-{secrets.token_hex(6)}.tmp")  # short, since names have a greatest length
    try:
        with told_as(what, path):
            mode = _old_mode(target)
            with open(temporary, "xb"):
                if mode is not None:
                    os.chmod(temporary, mode)
        yield temporary
        with told_as(what, path):
            os.replace(temporary, target)
    finally:
        with suppress(OSError):  # what went wrong before is what is told
            temporary.unlink(missing_ok=True)


@contextmanager
def told_as(what: str, path: str | os.PathLike[str]) -> Iterator[None]:
    """Say in a sentence which file cannot be written, what was to stand in it, and what to do."""
    try:
        yield
    except OSError as error:
        remedy = "Choose a file in a folder that exists and that you may write to."
        if error.errno in NO_ROOM:
            remedy = "Make room there, or choose another place."
        raise OSError(
            f"{what} could not be written to {path} ({error.strerror}); nothing there was changed. {remedy}"
        ) from error


def _old_mode(path: Path) -> int | None:
    """The permissions of the file that is there; None where none is."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):  # to replace a device or a pipe would take it away from everyone
        raise OSError(errno.EINVAL, "it is no ordinary file")
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return stat.S_IMODE(mode)


def csv_text(rows: Iterable[Sequence[Any]]) -> str:
    r"""Lines of CSV that read back as these rows, whatever stands in the cells; a float is written exactly.

    Examples
    --------
    >>> csv_text([("a", 0.1), ("b\rc,", 1)])
    'a,0.1\n"b\rc,",1\n'
    """
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\r\n").writerows(rows)  # with another end of lines it leaves \r without quotes
    text = stream.getvalue()
    if '"' not in text:
        return text.replace("\r\n", "\n")
    return re.sub(r'("[^"]*")|\r\n', lambda found: found[1] or "\n", text)
