"""A tree as texts that drawing programs turn into pictures: Graphviz's DOT, and Mermaid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from petree.conditions import UNSEEN, Condition
from petree.reading.colours import colour_of
from petree.reading.view import View
from petree.words import dot_text, mermaid_text, visible

# Drawing programs lay out no more in sensible time, and nobody could read it.
MOST_NODES = 2000
# How much of the white paper a class's colour takes on, so that black text stands out.
WHITENESS = 0.6


class Box(NamedTuple):
    """One node of the picture."""

    node: int
    lines: tuple[str, ...]
    class_code: int
    is_leaf: bool


class Arrow(NamedTuple):
    """One branch of the picture."""

    parent: int
    child: int
    text: str


def to_dot(shown: View) -> str:
    """The tree in Graphviz's language, which ``dot`` and the package graphviz draw."""
    lines = [
        "digraph tree {",
        '  graph [ranksep="0.4", nodesep="0.2"];',
        '  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=11, color="#555555"];',
        '  edge [fontname="Helvetica", fontsize=10, color="#555555"];',
    ]
    for box in _boxes(shown):
        label = "\\n".join(dot_text(line) for line in box.lines)
        lines.append(f'  {box.node} [label="{label}", fillcolor="{_colour(box)}"];')
    arrows = [f'  {one.parent} -> {one.child} [label="{dot_text(one.text)}"];' for one in _arrows(shown)]
    return "\n".join([*lines, *arrows, "}\n"])


def to_mermaid(shown: View) -> str:
    """The tree in Mermaid's language, which Markdown pages of many places draw."""
    lines = ["flowchart TD"]
    for box in _boxes(shown):
        label = "<br/>".join(mermaid_text(line) for line in box.lines)
        left, right = ('(["', '"])') if box.is_leaf else ('["', '"]')
        lines.append(f"  n{box.node}{left}{label}{right}")
        lines.append(f"  style n{box.node} fill:{_colour(box)},stroke:#555555,color:#000000")
    arrows = [f'  n{one.parent} -->|"{mermaid_text(one.text)}"| n{one.child}' for one in _arrows(shown)]
    return "\n".join([*lines, *arrows, ""])


def _boxes(shown: View) -> Iterator[Box]:
    tree = shown.tree
    if tree.n_nodes > MOST_NODES:
        raise ValueError(
            f"A picture of {tree.n_nodes} nodes cannot be read; the most are {MOST_NODES}. Cut the tree, or take a "
            "smaller size."
        )
    for node in range(tree.n_nodes):
        splits = range(tree.split_start[node], tree.split_start[node + 1])
        tests = tuple(visible(_question(tree.conditions[split])) for split in splits)
        answer = f"{shown.prediction(node)}, n={tree.sizes[node]}"
        yield Box(node, (*tests, answer), int(shown.probabilities[node].argmax()), not tests)


def _arrows(shown: View) -> Iterator[Arrow]:
    tree = shown.tree
    for split, node in enumerate(tree.split_nodes.tolist()):
        children = tree.children[tree.child_start[split] : tree.child_start[split + 1]].tolist()
        for child, text in zip(children, _answers(tree.conditions[split]), strict=True):
            yield Arrow(node, child, visible(text))


def _question(condition: Condition) -> str:
    """What is asked, without a word about missing values."""
    return condition.short_branches[0].removesuffix(" or missing") if condition.n_branches == 2 else f"{condition}"


def _answers(condition: Condition) -> list[str]:
    if condition.n_branches != 2:
        return list(condition.short_branches)
    texts = ["yes", "no"]
    if condition.missing != UNSEEN and not condition.branches[0].endswith("is missing"):
        texts[condition.missing] += " or missing"
    return texts


def _colour(box: Box) -> str:
    return _lightened(colour_of(box.class_code)) if box.is_leaf else "#ffffff"


def _lightened(colour: str) -> str:
    """A colour such as "#0072b2", nearer to white."""
    parts = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    return "#" + "".join(f"{round(part + WHITENESS * (255 - part)):02x}" for part in parts)
