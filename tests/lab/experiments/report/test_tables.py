"""The same cells in every form."""

from __future__ import annotations

import csv
import io
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from lab.experiments.report.tables import Table

TABLE = Table(
    "Size & area [CW488]",
    ("data set", "rand", "a|b"),
    [("iris [bold]", "0.98", "<3"), ("x|y", "1", ""), ("average", "12.5", "4")],
    note="Higher is better.",
    bold=[2],
)

CELLS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]), max_size=8)
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.builds(
        Table,
        title=CELLS,
        heads=st.lists(CELLS, min_size=width, max_size=width),
        rows=st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=4),
        note=CELLS,
        bold=st.sets(st.integers(0, 3)),
    )
)


def test_markdown() -> None:
    assert TABLE.to_markdown() == (
        "### Size & area \\[CW488\\]\n\n"
        "| data set | rand | a\\|b |\n"
        "| --- | ---: | ---: |\n"
        "| iris \\[bold\\] | 0.98 | <3 |\n"
        "| x\\|y | 1 |  |\n"
        "| **average** | **12.5** | **4** |\n"
        "\nHigher is better.\n"
    )


def test_a_cell_of_several_lines_stays_in_its_row_in_markdown() -> None:
    assert r"| a\\nb | 1 |" in Table("", ("", ""), [("a\nb", "1")]).to_markdown()


def test_terminal() -> None:
    console = Console(width=60, record=True, file=io.StringIO(), force_terminal=True)
    console.print(TABLE.to_rich())
    plain, styled = console.export_text(clear=False), console.export_text(styles=True)
    first, second, last = plain.splitlines()[4:7]
    assert "Size & area [CW488]" in plain
    assert "Higher is better." in plain
    assert first.split() == ["iris", "[bold]", "0.98", "<3"]
    assert second.index("1") == first.index("8")  # numbers end in the same column
    assert first.index("iris") == last.index("average")
    assert "\x1b[1maverage" in styled
    assert "\x1b[1miris" not in styled


def test_a_wide_table_is_shown_in_parts() -> None:
    wide = Table("Wide", ["data set", *"abcdef"], [["iris", *["0.123456"] * 6]], "a note")
    assert wide.parts(200) == [wide]
    parts = wide.parts(40)
    assert [head for part in parts for head in part.heads[1:]] == list("abcdef")
    assert {part.heads[0] for part in parts} == {"data set"}
    assert [part.note for part in parts] == [""] * (len(parts) - 1) + ["a note"]
    for part in parts:
        console = Console(width=40, record=True, file=io.StringIO())
        console.print(part.to_rich())
        assert console.export_text().count("0.123456") == len(part.heads) - 1


def test_sentences_are_broken_and_never_lost() -> None:
    sentence = "this is a conclusion of many words that no terminal shows on one line"
    console = Console(width=60, record=True, file=io.StringIO())
    console.print(Table("Said", ("what", "here"), [(sentence, "holds")]).to_rich())
    assert " ".join(console.export_text().replace("holds", "").split()).endswith(sentence)


@given(TABLES)
def test_csv_read_back(table: Table) -> None:
    assert list(csv.reader(io.StringIO(table.to_csv()))) == [list(table.heads), *map(list, table.rows)]


@given(TABLES)
def test_html_read_back(table: Table) -> None:
    element = ElementTree.fromstring(table.to_html())
    assert element.tag == "table"
    assert text_of(element, "caption") == [table.title]
    assert text_of(element, "thead/tr/th") == list(table.heads)
    lines = element.findall("tbody/tr")
    assert [text_of(line, "td") for line in lines] == list(map(list, table.rows))
    assert [number for number, line in enumerate(lines) if "bold" in line.get("style", "")] == sorted(
        set(table.bold) & set(range(len(lines)))
    )
    assert text_of(element, "tfoot/tr/td") == ([table.note] if table.note else [])


def test_html_aligns_words_to_the_left_and_numbers_to_the_right() -> None:
    element = ElementTree.fromstring(TABLE.to_html())
    styles = [cell.get("style") for cell in element.findall("tbody/tr[1]/td")]
    assert styles == ["text-align: left", "text-align: right", "text-align: right"]


def test_rows_have_a_cell_for_each_head() -> None:
    with pytest.raises(ValueError, match="Row 1 of the table 'Sizes' has 1 cells, but there are 2 heads"):
        Table("Sizes", ("data set", "rand"), [("iris", "3"), ("voting",)])


def text_of(element: ElementTree.Element, path: str) -> list[str]:
    return [found.text or "" for found in element.findall(path)]
