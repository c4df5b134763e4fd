"""Tables and their links as texts that drawing programs turn into pictures, with what a tree asks for marked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from petree.relational.relations import ROW, Relation
from petree.relational.tables.schema import ForeignKey
from petree.words import dot_text, mermaid_text, visible

# What a tree asks for, and all else; both can be read with black letters.
ASKED = "#fbe3b3"
PLAIN = "#ffffff"
# Stands before the columns that a tree asks for.
MARK = "* "

Asked = Mapping[str, Collection[str]]


class AsksForColumns(Protocol):
    """A fitted tree, as far as a picture of the tables needs it."""

    def asked_columns(self) -> dict[str, list[str]]:
        """The columns of each table on which its answers depend."""


class Box(NamedTuple):
    """One table of the picture."""

    name: str
    lines: tuple[str, ...]
    is_asked: bool


def schema_dot(relations: Mapping[str, Relation], links: Sequence[ForeignKey], asked: Asked) -> str:
    """The tables in Graphviz's language."""
    lines = [
        "digraph tables {",
        "  rankdir=LR;",
        '  node [shape=box, style="filled", fontname="Helvetica", fontsize=11, color="#555555"];',
        '  edge [fontname="Helvetica", fontsize=10, color="#555555"];',
    ]
    numbers = {name: number for number, name in enumerate(relations)}
    for box in _boxes(relations, asked):
        label = "".join(f"{dot_text(line)}\\l" for line in box.lines)
        title = dot_text(visible(box.name))
        colour = ASKED if box.is_asked else PLAIN
        lines.append(f'  {numbers[box.name]} [label="{title}\\n{label}", fillcolor="{colour}"];')
    for link in links:
        width = 2 if _is_asked(link, asked) else 1
        label = dot_text(visible(", ".join(link.columns)))
        lines.append(f'  {numbers[link.table]} -> {numbers[link.to_table]} [label="{label}", penwidth={width}];')
    return "\n".join([*lines, "}\n"])


def schema_mermaid(relations: Mapping[str, Relation], links: Sequence[ForeignKey], asked: Asked) -> str:
    """The tables in Mermaid's language."""
    lines = ["flowchart LR"]
    numbers = {name: number for number, name in enumerate(relations)}
    for box in _boxes(relations, asked):
        texts = "<br/>".join(map(mermaid_text, (visible(box.name), *box.lines)))
        lines.append(f'  t{numbers[box.name]}["{texts}"]')
        colour = ASKED if box.is_asked else PLAIN
        lines.append(f"  style t{numbers[box.name]} fill:{colour},stroke:#555555,color:#000000")
    for link in links:
        arrow = "==>" if _is_asked(link, asked) else "-->"
        label = mermaid_text(visible(", ".join(link.columns)))
        lines.append(f'  t{numbers[link.table]} {arrow}|"{label}"| t{numbers[link.to_table]}')
    return "\n".join([*lines, ""])


def _boxes(relations: Mapping[str, Relation], asked: Asked) -> Iterator[Box]:
    for name, relation in relations.items():
        wanted = asked.get(name, ())
        names = [one for one in relation.names if one != ROW]
        yield Box(name, tuple(visible(MARK + one if one in wanted else one) for one in names), name in asked)


def _is_asked(link: ForeignKey, asked: Asked) -> bool:
    """Whether both ends of a link are asked for."""
    return set(link.columns) <= {*asked.get(link.table, ())} and set(link.to_columns) <= {*asked.get(link.to_table, ())}
