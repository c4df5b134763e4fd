"""One table of results, for the terminal, Markdown, CSV and HTML, from the same cells."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lab.experiments.report.markup import escape, markdown, markdown_line
from petree.words import visible
from petree.writing import csv_text

if TYPE_CHECKING:
    from rich.table import Table as RichTable

# A column with cells longer than this holds sentences.
LONG = 28
# Characters between two columns on the terminal, and at both ends of a line.
GAP = 3
EDGES = 2


@dataclass(frozen=True)
class Table:
    """A title, column heads, rows of text and a note; the first column is words, the others numbers.

    Parameters
    ----------
    title : str
        What the table shows.
    heads : sequence of str
        One a column.
    rows : sequence of sequences of str
        The cells, as they shall appear.
    note : str, default ""
        What a reader has to know, below the table.
    bold : collection of int, default ()
        Numbers of the rows to highlight, from 0.

    Examples
    --------
    >>> from lab.experiments.report.tables import Table
    >>> print(Table("Areas", ("data set", "rand"), [("iris", "0.98"), ("average", "0.98")], bold=[1]).to_markdown())
    ### Areas
    <BLANKLINE>
    | data set | rand |
    | --- | ---: |
    | iris | 0.98 |
    | **average** | **0.98** |
    <BLANKLINE>
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    bold: Collection[int] = ()

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows):
            if len(row) != len(self.heads):
                raise ValueError(
                    f"Row {number} of the table {self.title!r} has {len(row)} cells, but there are "
                    f"{len(self.heads)} heads: give each row one cell a head."
                )

    def to_rich(self) -> RichTable:
        """For the terminal; brackets in cells are text, not markup."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table as RichTable
        from rich.text import Text

        title = Text(visible(self.title))
        note = Text(visible(self.note)) if self.note else None
        table = RichTable(title=title, caption=note, title_justify="left", caption_justify="left", box=SIMPLE_HEAD)
        table.pad_edge = False
        for index, (head, longest) in enumerate(zip(self.heads, self._widths(), strict=True)):
            is_text = longest > LONG
            justify: Any = "right" if index and not is_text else "left"
            # sentences are broken into lines, numbers never
            least = min(longest, LONG) if is_text or not index else None
            table.add_column(Text(visible(head)), justify=justify, no_wrap=bool(index) and not is_text, min_width=least)
        for row, is_bold in self._marked_rows():
            table.add_row(*map(Text, map(visible, row)), style="bold" if is_bold else None)
        return table

    def parts(self, width: int) -> list[Table]:
        """The table in as many tables, each with the first column, as it takes for lines of so many characters."""
        first, *widths = self._widths()
        if sum(widths) + len(widths) * GAP + first + EDGES <= width or max(widths, default=0) > LONG:
            return [self]
        groups: list[list[int]] = [[]]
        used = first + EDGES
        for index, needed in enumerate(widths, 1):
            if groups[-1] and used + GAP + needed > width:
                groups.append([])
                used = first + EDGES
            groups[-1].append(index)
            used += GAP + needed
        return [self._only(group, is_last=group is groups[-1]) for group in groups]

    def _only(self, columns: Sequence[int], is_last: bool) -> Table:
        kept = [0, *columns]
        rows = [[row[index] for index in kept] for row in self.rows]
        return Table(self.title, [self.heads[index] for index in kept], rows, self.note if is_last else "", self.bold)

    def _widths(self) -> list[int]:
        """The longest text of each column, as it is shown."""
        return [max(map(len, map(visible, column))) for column in zip(self.heads, *self.rows, strict=True)]

    def to_markdown(self) -> str:
        """A heading of the third level, the table, the note."""
        lines = [[_markdown(head) for head in self.heads], ["---"] + ["---:"] * (len(self.heads) - 1)]
        lines += [[_markdown(cell, is_bold) for cell in row] for row, is_bold in self._marked_rows()]
        body = "\n".join("| " + " | ".join(line) + " |" for line in lines)
        note = f"\n{markdown_line(self.note)}\n" if self.note else ""
        return f"### {markdown(self.title)}\n\n{body}\n{note}"

    def to_csv(self) -> str:
        """Heads and rows alone."""
        return csv_text([self.heads, *self.rows])

    def to_html(self) -> str:
        """A ``<table>`` with caption and foot; what stands in the cells is escaped."""
        lines = [f"<caption>{escape(self.title)}</caption>", f"<thead>{_html('th', self.heads)}</thead>", "<tbody>"]
        lines += [_html("td", row, is_bold) for row, is_bold in self._marked_rows()]
        lines.append("</tbody>")
        if self.note:
            lines.append(f'<tfoot><tr><td colspan="{len(self.heads)}">{escape(self.note)}</td></tr></tfoot>')
        return "\n".join(["<table>", *lines, "</table>"]) + "\n"

    def _marked_rows(self) -> Iterator[tuple[Sequence[str], bool]]:
        return ((row, number in self.bold) for number, row in enumerate(self.rows))


def _markdown(cell: str, is_bold: bool = False) -> str:
    text = markdown(cell)
    return f"**{text}**" if is_bold and text else text


def _html(tag: str, cells: Sequence[str], is_bold: bool = False) -> str:
    styles = ["text-align: left", *["text-align: right"] * (len(cells) - 1)]
    inner = "".join(f'<{tag} style="{style}">{escape(cell)}</{tag}>' for style, cell in zip(styles, cells, strict=True))
    return f'<tr style="font-weight: bold">{inner}</tr>' if is_bold else f"<tr>{inner}</tr>"
