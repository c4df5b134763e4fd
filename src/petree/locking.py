"""Locks of the system, which end with the process that holds them, however it ends."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import IO

from petree.words import visible

LOCK = ".petree-lock"
# More than anyone's name; the file may be of something else.
LONGEST_NAME = 300


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """A folder, made where it is not there, for this process alone; where another has it, its name is told."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / LOCK
    with _taken(path) as file:
        file.truncate(0)
        file.write(_own_name().encode())
        file.flush()
        try:
            yield
        finally:
            with suppress(OSError):  # some systems let nobody remove an open file; unlocked it means nothing
                path.unlink()


def _taken(path: Path) -> IO[bytes]:
    """The open file, locked."""
    while True:
        file = path.open("a+b")
        if not try_lock(file):
            with file:
                file.seek(0)
                holder = visible(file.read(LONGEST_NAME).decode(errors="replace"))
                holder = holder or "another process"
            raise ValueError(f"{path.parent} is in use by {holder}; wait until that ends, or name another folder.")
        if _is_still(file, path):
            return file
        file.close()


def _is_still(file: IO[bytes], path: Path) -> bool:
    """Whether the open file is the one of that name; whoever had the lock may have removed it meanwhile."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False


def _own_name() -> str:
    return f"process {os.getpid()} on {socket.gethostname()} since {datetime.now():%Y-%m-%d %H:%M:%S}"


# What file systems say that have no locks; work goes on there as if nobody else were at it.
_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP)


if sys.platform == "win32":
    import msvcrt
    import time

    # Nobody can read what is locked, so that it is a byte behind everything.
    _PLACE = 2**40
    # What is said of a byte that another process has locked.
    _HELD = (errno.EACCES, errno.EDEADLK)

    def try_lock(file: IO[bytes]) -> bool:
        """Lock an open file unless another process has."""
        file.seek(_PLACE)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno not in (*_HELD, *_NO_LOCKS, errno.EINVAL):  # the last is of systems without locks, too
                raise
            return error.errno not in _HELD
        return True

    def wait_lock(file: IO[bytes]) -> None:
        """Lock an open file as soon as no other process has."""
        while not try_lock(file):
            time.sleep(0.01)

else:
    import fcntl

    def try_lock(file: IO[bytes]) -> bool:
        """Lock an open file unless another process has."""
        try:
            _lock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def wait_lock(file: IO[bytes]) -> None:
        """Lock an open file as soon as no other process has."""
        _lock(file, fcntl.LOCK_EX)

    def _lock(file: IO[bytes], how: int) -> None:
        try:
            fcntl.flock(file, how)
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise
