"""The second pass: codes into files, part by part; what is done is noted, so that a killed run goes on from there."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from petree.partitions.coding.encoding import CHANGED, Encoder
from petree.partitions.coding.looking import of_piece, rows_at_once, weighed
from petree.partitions.coding.part_files import PartFile, write_part
from petree.partitions.coding.plan import Plan
from petree.partitions.coding.settings import Coding
from petree.partitions.partition import Partition, joined
from petree.partitions.reading.pieces import Piece, RecordBatch, Supply
from petree.progress import steps
from petree.writing import told_as, write_whole

PARTS = "parts"
JOURNAL = "journal.jsonl"


@dataclass(frozen=True)
class Written:
    """A part that is written, and the weight of each class in it."""

    file: PartFile
    class_totals: tuple[float, ...]

    def fields(self) -> dict[str, Any]:
        """The same as JSON."""
        return {
            "file": self.file.path.name,
            "name": self.file.name,
            "rows": self.file.n_rows,
            "crc32": self.file.checksum,
            "class_totals": list(self.class_totals),
        }

    @classmethod
    def of(cls, fields: dict[str, Any], folder: Path, plan: Plan) -> Written:
        path = folder / PARTS / Path(str(fields["file"])).name
        has_weights = plan.weights is not None
        sizes = (int(fields["rows"]), plan.n_narrow, plan.n_wide)
        file = PartFile(path, str(fields["name"]), *sizes, has_weights, int(fields["crc32"]))
        return cls(file, tuple(map(float, fields["class_totals"])))


class Journal:
    """What of the second pass is done: a line for each piece, with a checksum, so that half a line counts for none."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.path = folder / JOURNAL
        self.folder = folder
        self.plan = plan
        self.done = dict(self._read())
        lines = [self._line(piece, parts) for piece, parts in self.done.items()]
        write_whole(self.path, "".join(lines).encode(), "What is done so far")

    def _line(self, piece: int, parts: list[Written]) -> str:
        text = json.dumps([self.plan.checksum, piece, [part.fields() for part in parts]])
        return f"{crc32(text.encode())} {text}\n"

    def _read(self) -> Iterator[tuple[int, list[Written]]]:
        if not self.path.exists():
            return
        for line in self.path.read_text(encoding="utf-8", errors="replace").splitlines():
            checksum, _, text = line.partition(" ")
            if checksum == str(crc32(text.encode())):
                plan, piece, parts = json.loads(text)
                if plan == self.plan.checksum:
                    yield piece, [Written.of(part, self.folder, self.plan) for part in parts]

    def add(self, piece: int, parts: list[Written]) -> None:
        """Note that all parts of a piece are written."""
        with told_as("What is done so far", self.path), open(self.path, "a", encoding="utf-8") as file:
            file.write(self._line(piece, parts))
            file.flush()
            os.fsync(file.fileno())
        self.done[piece] = parts


def code_pieces(supply: Supply, plan: Plan, coding: Coding, folder: Path) -> list[Written]:
    """Write the codes of all pieces that are not written yet; the parts of all of them, in their order."""
    (folder / PARTS).mkdir(exist_ok=True)
    journal = Journal(folder, plan)
    encoder = Encoder(plan, coding.threads)
    for place, piece in enumerate(steps("writing codes", supply.pieces)):
        parts = journal.done.get(place)
        if parts is None or not all(part.file.is_whole() for part in parts):
            with _at_rest(piece, supply.fingerprints[place]):
                parts = _code_piece(place, piece, encoder, coding, folder)
            journal.add(place, parts)
    return [part for place in range(len(supply.pieces)) for part in journal.done[place]]


def _code_piece(place: int, piece: Piece, encoder: Encoder, coding: Coding, folder: Path) -> list[Written]:
    written = []
    for number, rows in enumerate(_parts_of(piece, encoder, coding)):
        path = folder / PARTS / f"{place:06}-{number:04}.codes"
        totals = np.bincount(rows.classes, rows.weights, len(encoder.plan.classes)).astype(float)
        written.append(Written(write_part(path, piece.name, rows, encoder.plan), tuple(totals.tolist())))
    return written


@contextmanager
def _at_rest(piece: Piece, before: list[Any]) -> Iterator[None]:
    """Refuse what was read of a piece that is no longer as it was before the first pass."""
    error = None
    try:
        yield
    except ValueError as found:
        error = found
    if piece.fingerprint() != before:
        raise ValueError(f"{piece.name}: {CHANGED}; code them anew, in another folder.") from error
    if error is not None:
        raise error


def _parts_of(piece: Piece, encoder: Encoder, coding: Coding) -> Iterator[Partition]:
    """The rows of a piece in codes, so many at a time as a part has."""
    most = encoder.plan.part_rows
    waiting: list[Partition] = []
    n_waiting = 0
    n_rows = min(rows_at_once(len(encoder.needed), coding.n_bytes), most)
    for batch in piece.batches(encoder.needed, n_rows):
        for some in _divided(batch, most - n_waiting, most):
            with of_piece(piece):
                rows = encoder.encode(*weighed(some, encoder.plan.weights))
            waiting.append(rows)
            n_waiting += some.num_rows
            if n_waiting == most:
                yield joined(waiting)
                waiting = []
                n_waiting = 0
    if sum(map(len, waiting)):
        yield joined(waiting)


def _divided(batch: RecordBatch, first: int, others: int) -> Iterator[RecordBatch]:
    """A batch in runs of so many rows; the first may be shorter."""
    start = 0
    while start < batch.num_rows:
        length = others if start else first
        yield batch.slice(start, length)
        start += length
