"""Tables from OpenML by their number, kept in a folder of the user so that each is downloaded once."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import NamedTuple
from urllib.request import Request, urlopen

from petree.writing import write_whole

ADDRESS = "https://www.openml.org/api/v1/json/data/{}"
SECONDS_TO_WAIT = 60


@dataclass(frozen=True)
class Published:
    """A table of OpenML.

    Parameters
    ----------
    path : Path
        The ARFF file.
    target : str
        The column that OpenML takes for the class.
    ignored : tuple of str
        Columns that say which row it is, and others that OpenML leaves out.
    """

    path: Path
    target: str
    ignored: tuple[str, ...]


def cache_folder() -> Path:
    """Where downloaded tables are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "petree" / "openml"


def fetch(number: int, data_set: str) -> Published:
    """A table by its number, downloaded unless it is in the cache.

    Parameters
    ----------
    number : int
        What OpenML calls the data id.
    data_set : str
        What it is called here, for messages.

    Raises
    ------
    OSError
        If it has to be downloaded and cannot be.
    ValueError
        If what comes is not what OpenML says it is.
    """
    what = f"The data set {data_set!r} (data id {number} of OpenML)"
    path = _keep(f"{number}.json", ADDRESS.format(number), what, lambda content: _describe(content, what))
    said = _describe(path.read_bytes(), what)
    path = _keep(f"{number}.arff", said.address, what, lambda content: _check(content, said.checksum, what))
    return Published(path, said.target, said.ignored)


class _Description(NamedTuple):
    """What OpenML says of a table."""

    address: str
    target: str
    ignored: tuple[str, ...]
    checksum: str | None


def _describe(content: bytes, what: str) -> _Description:
    try:
        said = json.loads(content)["data_set_description"]
        address = said["url"].replace("http://www.openml.org", "https://www.openml.org")
        target = said["default_target_attribute"]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{what} has a description that cannot be read; try again later.") from error
    ignored = [said.get(key) or [] for key in ("row_id_attribute", "ignore_attribute")]
    names = [name for entry in ignored for name in ([entry] if isinstance(entry, str) else entry)]
    return _Description(address, target, tuple(names), said.get("md5_checksum"))


def _check(content: bytes, checksum: str | None, what: str) -> None:
    if checksum and hashlib.md5(content, usedforsecurity=False).hexdigest() != checksum:
        raise ValueError(f"{what} came damaged: its checksum is not the one that OpenML tells; try again later.")


def _keep(name: str, address: str, what: str, check: Callable[[bytes], object]) -> Path:
    """A file of the cache; downloaded, checked and written whole if it is not there."""
    path = cache_folder() / name
    if not path.exists():
        content = _download(address, what)
        check(content)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content, what)
    return path


def _download(address: str, what: str) -> bytes:
    request = Request(address, headers={"User-Agent": "petree"})
    try:
        with urlopen(request, timeout=SECONDS_TO_WAIT) as answer:
            content: bytes = answer.read()
    except (OSError, HTTPException) as error:
        raise OSError(
            f"{what} could not be downloaded from {address} ({error}); connect to the network, or set PETREE_DATA to a "
            "folder that holds the papers' data sets."
        ) from error
    return content
