"""Folders for codes that nobody keeps; those of processes that were killed go when another is made."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from petree.locking import try_lock

BEGINNING = "petree-codes-"
# The file that the process locks whose folder it is.
IN_USE = "in-use"
NOT_YET = "in-use.new"


class OwnFolder:
    """A folder beside other temporary files, until it is removed.

    What a process left that was killed is removed when another makes such a folder.
    """

    def __init__(self) -> None:
        remove_left()
        self.path = Path(tempfile.mkdtemp(prefix=BEGINNING))
        self.lock = (self.path / NOT_YET).open("wb")
        try_lock(self.lock)
        (self.path / NOT_YET).rename(self.path / IN_USE)  # nobody sees it before it is locked

    def remove(self) -> None:
        self.lock.close()
        shutil.rmtree(self.path, ignore_errors=True)


def remove_left() -> None:
    """Remove the folders of processes that are no more, as far as this user may."""
    for lock_file in Path(tempfile.gettempdir()).glob(f"{BEGINNING}*/{IN_USE}"):
        with suppress(OSError), lock_file.open("r+b") as lock:
            if try_lock(lock):
                shutil.rmtree(lock_file.parent, ignore_errors=True)
