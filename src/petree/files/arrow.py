"""Large CSV files, cut into fields by pyarrow: some ten times as fast as Python, and the same texts.

What pyarrow would read in another way, or refuse in other words, is left to our own reader: lines in values, blank
lines, ragged rows, quotes that are not around a whole field. Guessing what the texts are stays ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any, TypeAlias

import numpy as np
import pyarrow
import pyarrow.compute as compute
from numpy.dtypes import StringDType
from numpy.typing import NDArray
from pyarrow import csv

from petree.caching import cached_property
from petree.files.cells import Cells
from petree.files.source import FileSource
from petree.files.table import LARGEST_WHOLE
from petree.files.text import Text

ArrowTexts: TypeAlias = Any  # a pyarrow.ChunkedArray of strings

# Characters that are read, checked and cut at one time.
BLOCK = 2**23
QUOTE = ord('"')
LINE_ENDS = (ord("\n"), ord("\r"))
# What str.strip takes for a space, of which U+3000 is the last; pyarrow has a list of its own.
SPACES = "".join(filter(str.isspace, map(chr, range(0x3001))))


def cut(source: FileSource, encoding: str, delimiter: str, n_fields: int) -> list[ArrowTexts] | None:
    """The columns of a file whose first line is the head, or None where our own reader has to see it."""
    try:
        with source.open_text(encoding) as stream:
            stream.readline()
            tables = _cut_blocks(_blocks(stream), delimiter, n_fields)
    except (pyarrow.ArrowException, UnicodeEncodeError):
        return None
    return pyarrow.concat_tables(tables).columns if tables else None


def _cut_blocks(blocks: Iterable[bytes], delimiter: str, n_fields: int) -> list[Any]:
    """The records of all blocks, or none if any line is not one; only at the end there may be blank lines."""
    tables: list[Any] = []
    is_over = False
    for block in blocks:
        n_records = block.rstrip(b"\r\n").count(b"\n") + 1
        table = None if is_over else _cut_block(block, delimiter, n_fields)
        if table is None or table.num_rows != n_records:
            return []
        tables.append(table)
        is_over = n_records < block.count(b"\n")
    return tables


def _blocks(stream: IO[str]) -> Iterator[bytes]:
    """Some whole lines at a time."""
    rest = ""
    while text := stream.read(BLOCK):
        lines, newline, rest = (rest + text).rpartition("\n")
        if newline:
            yield f"{lines}\n".encode()
    if rest:
        yield f"{rest}\n".encode()


def _cut_block(block: bytes, delimiter: str, n_fields: int) -> Any | None:
    """The records of some lines, or None where pyarrow would read them in another way."""
    if b"\0" in block or block.count(b"\r") != block.count(b"\r\n"):
        return None
    if b'"' in block and not _are_whole_fields_quoted(np.frombuffer(block, np.uint8), ord(delimiter)):
        return None
    names = [str(place) for place in range(n_fields)]
    table = csv.read_csv(
        pyarrow.BufferReader(block),
        csv.ReadOptions(column_names=names, block_size=len(block) + 1),
        csv.ParseOptions(delimiter=delimiter),
        csv.ConvertOptions(column_types=dict.fromkeys(names, pyarrow.string())),
    )
    return pyarrow.table([compute.utf8_trim(column, characters=SPACES) for column in table.columns], names)


def _are_whole_fields_quoted(block: NDArray[np.uint8], delimiter: int) -> bool:
    """Whether quotes stand around whole fields, or doubled in such fields, and no line ends between them."""
    places = np.flatnonzero(block == QUOTE)
    if len(places) % 2:
        return False
    # The last byte is the end of a line, which also stands before the first.
    before_opening = block[places[0::2] - 1]
    after_closing = block[places[1::2] + 1]
    borders = np.array([delimiter, QUOTE, *LINE_ENDS], np.uint8)
    if not (np.isin(before_opening, borders).all() and np.isin(after_closing, borders).all()):
        return False
    ends = np.flatnonzero(block == LINE_ENDS[0])
    return not (np.searchsorted(places, ends) % 2).any()


class ArrowCells(Cells):
    """The texts of a column as pyarrow has them; those of numpy are made where they are needed."""

    def __init__(self, texts: ArrowTexts, words: Sequence[str]):
        super().__init__(texts, words)
        self._column = texts

    @cached_property
    def texts(self) -> Text:
        return to_texts(self._column)

    @cached_property
    def _arrow_missing(self) -> Any:
        return compute.is_in(self._column, value_set=pyarrow.array(self.words, pyarrow.string()))

    @cached_property
    def is_missing(self) -> NDArray[np.bool_]:
        return np.asarray(self._arrow_missing.to_numpy(), bool)

    @cached_property
    def known(self) -> Text:
        return to_texts(self._column.filter(compute.invert(self._arrow_missing)))

    @cached_property
    def some(self) -> list[str]:
        return [str(text) for text in self._column.take(pyarrow.array(self._places_of_some())).to_pylist()]

    @cached_property
    def _masked(self) -> Any:
        return compute.if_else(self._arrow_missing, pyarrow.scalar(None, pyarrow.string()), self._column)

    @cached_property
    def _coded(self) -> tuple[list[str], NDArray[np.int32]]:
        """The different known texts, and the place of each text among them, -1 for missing ones."""
        # One array of large strings, since dictionaries of chunks take long to unify.
        coded = self._masked.cast(pyarrow.large_string()).combine_chunks().dictionary_encode()
        return coded.dictionary.to_pylist(), compute.fill_null(coded.indices, -1).to_numpy()

    @cached_property
    def _sorted(self) -> tuple[list[str], NDArray[np.intp]]:
        words, codes = self._coded
        order = sorted(range(len(words)), key=words.__getitem__)
        ranks = np.empty(len(words), np.intp)
        ranks[order] = np.arange(len(words))
        return [words[place] for place in order], ranks[codes[codes >= 0]]

    def _all_numbers(self) -> NDArray[np.float64] | None:
        try:
            numbers = compute.cast(self._masked, pyarrow.float64()).to_numpy()
        except pyarrow.ArrowInvalid:  # numbers that only Python reads may be among them
            return super()._all_numbers()
        # pyarrow takes nan(1) for a number, too
        has_nan = np.isnan(numbers).sum() > self.is_missing.sum()
        return super()._all_numbers() if has_nan else numbers

    def objects(self) -> NDArray[np.object_]:
        words, codes = self._coded
        return np.array([*words, None], object)[codes]

    def holds(self, sign: str) -> bool:
        return bool(compute.any(compute.match_substring(self._masked, sign)).as_py())

    def _missing_words(self) -> list[str]:
        return sorted(self._column.filter(self._arrow_missing).unique().to_pylist())

    def find_padded(self, numbers: NDArray[np.float64]) -> int | None:
        if (numbers != np.floor(numbers))[~self.is_missing].any():
            return None
        begins = compute.match_substring_regex(self._column, "^0.")
        return super().find_padded(numbers) if compute.any(begins).as_py() else None

    def find_large_whole(self, numbers: NDArray[np.float64]) -> int | None:
        return super().find_large_whole(numbers) if (np.abs(numbers) >= LARGEST_WHOLE).any() else None


def to_texts(column: ArrowTexts) -> Text:
    """The texts as numpy has them."""
    return np.array(column.to_numpy(zero_copy_only=False), StringDType())
