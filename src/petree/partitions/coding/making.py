"""Data of any size to a folder of codes, and such a folder to what a fit needs."""

from __future__ import annotations

import json
import os
import sys
import warnings
from pathlib import Path
from typing import Any, Unpack
from weakref import finalize

import numpy as np

from petree.locking import LOCK, locked_folder
from petree.partitions.coding.first_pass import find_plan
from petree.partitions.coding.plan import FORMAT, PLAN, VERSION, Plan, damaged, read_json
from petree.partitions.coding.second_pass import JOURNAL, PARTS, Written, code_pieces
from petree.partitions.coding.settings import Coding, Settings
from petree.partitions.coding.temporary import OwnFolder
from petree.partitions.partition import CodedData
from petree.partitions.reading.pieces import SPOOL, UnreadableError
from petree.partitions.reading.supplying import supply_of
from petree.writing import write_whole

MANIFEST = "manifest.json"
OWN = (PLAN, MANIFEST, JOURNAL, PARTS, SPOOL, LOCK)


def code_files(data: Any, target: str, folder: str | os.PathLike[str], **settings: Unpack[Settings]) -> CodedData:
    """Code data of any size into a folder, in two passes: one byte a value, which fits then read in place.

    The first pass finds categories, classes and cuts, the second writes codes. A run that was ended goes on where it
    was when it is called again with the same arguments; a folder that is finished is opened. Bins are those of a table
    in memory where a column has no more than 65,536 different values; else each cut is within 1/2048 of the weight
    from its quantile. Neither the order of rows nor their parts matter, but for the last digits of sums of weights
    that are not whole.

    Parameters
    ----------
    data : path, pyarrow Dataset, polars LazyFrame, DuckDB relation, Dask frame, or record batches
        A folder or file of Parquet or CSV. Batches may be a list, an iterable or a callable that returns one; what can
        be had but once is written to the folder first, and removed at the end.
    target : str
        The column of classes.
    folder : path
        Where the codes go: a new or an empty folder, or one that was begun from the same data. It is locked meanwhile:
        another process that codes into it gets an error.
    weights : str, optional
        The column of the weights of rows.
    ignore : sequence of str
        Columns to leave out.
    types : dict
        Columns that are "number" or "nominal", whatever their type says.
    binning : str or object, default="quantile"
        As in `ProbabilityTreeClassifier`; it may not look at classes.
    memory : str or int, default="2GB"
        What coding may take besides the program itself.
    n_jobs : int, optional
        Threads; columns are looked at side by side.

    Returns
    -------
    CodedData
        For `fit`.

    Examples
    --------
    >>> import petree
    >>> codes = petree.code_files("loans/", "repaid", "codes/", memory="2GB")  # doctest: +SKIP
    >>> model.fit(codes)  # doctest: +SKIP
    """
    folder = Path(folder)
    try:
        return coded(data, target, folder, Coding(**settings))
    except (UnreadableError, OSError) as error:
        if not (folder / PLAN).is_file():
            raise
        kept = f"What was done is kept: code the data again into {folder}, and only what lacks is done."
        raise type(error)(f"{error} {kept}") from error


def coded(data: Any, target: str, folder: Path, coding: Coding) -> CodedData:
    """The codes of data in a folder, made as far as they are not there."""
    coding.check_memory()
    _begin(folder)
    with locked_folder(folder):
        _code(data, target, folder, coding)
        return open_codes(folder)


def _code(data: Any, target: str, folder: Path, coding: Coding) -> None:
    """Do what is left to do in a folder."""
    try:
        supply = supply_of(data, coding.types, folder)
        for note in supply.notes:
            warnings.warn(note, stacklevel=_levels_to_user())
        coding.chosen(supply, target)
        source = coding.fingerprint(supply, target)
        if (folder / PLAN).exists():
            plan = Plan.read(folder)
            if plan.source != source:
                raise ValueError(
                    f"{folder} holds codes of other data or of other settings, or the data have changed since; choose "
                    "another folder, or remove this one."
                )
        else:
            plan = find_plan(supply, target, coding, source)
            plan.write(folder)
        _write_manifest(folder, plan, code_pieces(supply, plan, coding, folder))
    finally:
        (folder / SPOOL).unlink(missing_ok=True)
        pyarrow = sys.modules.get("pyarrow")
        if pyarrow is not None:  # it would keep what it has read with, beside what learning takes
            pyarrow.default_memory_pool().release_unused()


def _levels_to_user() -> int:
    """How far above who asks the code lies that called petree, as warnings count."""
    frame = sys._getframe(1)
    levels = 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "petree":
        frame = frame.f_back
        levels += 1
    return levels


def _begin(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except FileExistsError:
        raise ValueError(f"{folder} is a file; choose a new folder for the codes.") from None
    except OSError as error:
        raise OSError(f"The folder {folder} cannot be made ({error.strerror}); choose another place.") from error
    strange = sorted(file.name for file in folder.iterdir() if file.name not in OWN and not _is_rest(file.name))
    if strange:
        raise ValueError(f"{folder} holds other files, such as {strange[0]}; choose a new folder for the codes.")


def _is_rest(name: str) -> bool:
    """Whether a file is what a killed run was about to write."""
    return name.startswith(".petree-") and name.endswith(".tmp")


def _write_manifest(folder: Path, plan: Plan, parts: list[Written]) -> None:
    for rest in folder.rglob(".petree-*.tmp"):
        rest.unlink(missing_ok=True)
    head = {"format": FORMAT, "version": VERSION, "plan": plan.checksum}
    lines = ",\n".join(json.dumps(part.fields()) for part in parts)
    text = json.dumps(head)[:-1] + f', "parts": [\n{lines}\n]}}\n'
    write_whole(folder / MANIFEST, text.encode(), "The list of all parts")


def open_codes(folder: str | os.PathLike[str]) -> CodedData:
    """The codes in a folder that `code_files` has finished."""
    folder = Path(folder)
    if not (folder / MANIFEST).is_file():
        begun = "are not finished; code the data again" if (folder / PLAN).is_file() else "are not there; make them"
        raise ValueError(f"The codes of {folder} {begun} by petree.code_files, or name the folder that has them.")
    plan = Plan.read(folder)
    path = folder / MANIFEST
    fields = read_json(path)
    try:
        if fields["plan"] != plan.checksum:
            raise damaged(folder / PLAN, "it is not the one that the codes were made by")
        written = [Written.of(part, folder, plan) for part in fields["parts"]]
        totals = np.array([part.class_totals for part in written]).reshape(-1, len(plan.classes)).sum(axis=0)
    except (KeyError, TypeError, AttributeError) as error:
        raise damaged(path, str(error)) from error
    for part in written:
        if not part.file.path.is_file() or part.file.path.stat().st_size != part.file.n_bytes:
            raise ValueError(
                f"{part.file.path}, the codes of {part.file.name}, is not there or not whole; code the data "
                "again: only what lacks is done."
            )
    return CodedData(plan.columns, plan.classes, totals, tuple(part.file for part in written))


def is_code_folder(data: Any) -> bool:
    """Whether this is the path of a folder of codes, finished or not."""
    return isinstance(data, str | os.PathLike) and (Path(data) / PLAN).is_file()


def as_coded(data: Any, target: str, coding: Coding) -> CodedData:
    """Data as a fit takes them: codes as they are, those of a folder, or else made in a folder that goes with them."""
    if isinstance(data, CodedData):
        return data
    if is_code_folder(data):
        known = Plan.read(Path(data)).target
        if known != target:
            raise ValueError(f"The codes of {data} are for the target {known!r}, not {target!r}; name that one.")
        return open_codes(data)
    folder = OwnFolder()
    try:
        made = coded(data, target, folder.path / "codes", coding)
    except BaseException as error:
        folder.remove()
        if isinstance(error, OSError) and error.strerror is None:  # a sentence that names a temporary file
            raise OSError(
                f"{error} For another place, code the data into a folder first, and learn from that."
            ) from error
        raise
    finalize(made, folder.remove)
    return made
