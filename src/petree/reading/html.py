"""A tree as a small web page for notebooks: nested, collapsible, no script."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import ArrayLike, NDArray

from petree.caching import cached_property
from petree.reading.colours import CLASS_COLOURS
from petree.reading.view import Model, View, view
from petree.reading.walk import HEADING, Step, walk
from petree.tree import Tree
from petree.words import counted

# So that a page of many classes stays below 300 kB.
_MOST_NODES = 820
_OPEN_LEVELS = 3
# Classes that a bar and its note show of a node.
_SHOWN_CLASSES = 3
# The frame of a bar and the lines between its parts have the colour of the text, so that each is seen on light and on
# dark pages.
COLOURS = CLASS_COLOURS[:7]
REST_COLOUR = "#DDDDDD"
_STYLE = """<style>
.petree-tree {font: 13px/1.6 system-ui, sans-serif}
.petree-tree details, .petree-leaf {margin-left: 1.2em}
.petree-tree summary {cursor: pointer}
.petree-leaf {padding-left: 1em}
.petree-n, .petree-note {opacity: .75; margin: 0 .5em}
.petree-bar {display: inline-flex; width: 90px; height: .7em; overflow: hidden; border: 1px solid; margin: 0 .5em}
.petree-bar i + i {border-left: 1px solid; box-sizing: border-box}
.petree-key {display: inline-block; width: .7em; height: .7em; border: 1px solid; margin: 0 .3em 0 1em}
.petree-cut {font-style: italic}
COLOURS</style>"""


def to_html(model: Model, *, probabilities: ArrayLike | None = None) -> str:
    """The tree as HTML that opens and closes node by node; a large tree is cut to its upper levels.

    Parameters
    ----------
    model : Tree or fitted estimator
        What to show.
    probabilities : array (nodes, classes), optional
        Probabilities to show instead of the model's own.

    Returns
    -------
    str
        A ``<div>`` with its own style; nothing in it runs.
    """
    shown = view(model, probabilities)
    is_open = _open_nodes(shown.tree)
    page = _Page(shown, is_open)
    parts = [_style(), page.legend(), _cut_notice(shown.tree, is_open), *page.nodes()]
    return '<div class="petree-tree">' + "\n".join(filter(None, parts)) + "</div>"


def _style() -> str:
    colours = (f".petree-tree .k{number} {{background: {colour}}}" for number, colour in enumerate(COLOURS))
    return _STYLE.replace("COLOURS", "\n".join([*colours, f".petree-tree .rest {{background: {REST_COLOUR}}}", ""]))


def _open_nodes(tree: Tree) -> NDArray[np.bool_]:
    """The inner nodes nearest to the root, as many as show no more than so many nodes."""
    n_children = np.bincount(tree.split_nodes, np.diff(tree.child_start), minlength=tree.n_nodes)
    order = np.argsort(tree.levels, kind="stable")
    is_open = ~tree.is_leaf
    is_open[order[1 + np.cumsum(n_children[order]) > _MOST_NODES]] = False
    return is_open


def _cut_notice(tree: Tree, is_open: NDArray[np.bool_]) -> str:
    if np.array_equal(is_open, ~tree.is_leaf):
        return ""
    below_open = np.repeat(is_open[tree.split_nodes], np.diff(tree.child_start))
    n_hidden = tree.n_nodes - 1 - len(np.unique(tree.children[below_open]))
    return (
        f'<div class="petree-cut">{n_hidden:,} of the {tree.n_nodes:,} nodes, the deepest ones, are not shown here; '
        "petree.reading.export_text(model, max_depth=None) shows all of them.</div>"
    )


@dataclass(frozen=True)
class _Page:
    """What is shown, and which nodes with what lies below them."""

    shown: View
    is_open: NDArray[np.bool_]

    @cached_property
    def colour_of(self) -> dict[int, str]:
        """The colour of each class that has one: of many classes the most frequent."""
        n_classes = len(self.shown.class_names)
        order = np.argsort(-self.shown.tree.counts[0], kind="stable") if n_classes > len(COLOURS) else range(n_classes)
        return {int(label): f"k{number}" for number, label in enumerate(sorted(order[: len(COLOURS)]))}

    def legend(self) -> str:
        """The colours of the classes."""
        names = self.shown.class_names
        keys = [_key(colour, names[label]) for label, colour in self.colour_of.items()]
        n_others = len(names) - len(keys)
        if n_others:
            keys.append(_key("rest", counted(n_others, "other class", "other classes")))
        elif len(names) > _SHOWN_CLASSES:
            keys.append(_key("rest", "the rest"))
        return f"<div>{''.join(keys)}</div>"

    def nodes(self) -> Iterator[str]:
        """One element a node, inside that of the node above it."""
        unclosed: list[int] = []
        for step in walk(self.shown.tree, self.is_open, is_short=True):
            while unclosed and unclosed[-1] >= step.level:
                unclosed.pop()
                yield "</details>"
            if step.node == HEADING or (self.is_open[step.node] and not step.is_repeat):
                unclosed.append(step.level)
                state = " open" if step.level < _OPEN_LEVELS else ""
                yield f"<details{state}><summary>{self._line(step)}</summary>"
            else:
                yield f'<div class="petree-leaf">{self._line(step)}{self._note(step)}</div>'
        yield "</details>" * len(unclosed)

    def _note(self, step: Step) -> str:
        if not (self.shown.tree.is_leaf[step.node] or step.is_repeat):
            return '<span class="petree-cut">more below, not shown</span>'
        objection = self.shown.objection(step.node)
        return f'<span class="petree-note">{escape(objection)}</span>' if objection else ""

    def _line(self, step: Step) -> str:
        if step.node == HEADING:
            return escape(step.text)
        return (
            f"{escape(step.text)}{self._bar(step.node)}{escape(self.shown.prediction(step.node))}"
            f'<span class="petree-n">n={self.shown.tree.sizes[step.node]}</span>'
        )

    def _bar(self, node: int) -> str:
        """The probabilities of a node as a bar, its most probable classes in the order of all classes."""
        shares = self.shown.probabilities[node]
        shown = np.sort(np.argsort(-shares, kind="stable")[:_SHOWN_CLASSES]).tolist()
        pieces = [(self.colour_of.get(label, "rest"), float(shares[label])) for label in shown]
        pieces.append(("rest", 1 - float(shares[shown].sum())))
        title = self.shown.most_frequent(shares, _SHOWN_CLASSES)
        bar = "".join(f'<i class={colour} style="width:{share:.1%}"></i>' for colour, share in pieces if share >= 0.001)
        return f'<span class="petree-bar" title="{escape(title)}">{bar}</span>'


def _key(colour: str, name: str) -> str:
    return f'<span class="petree-key {colour}"></span>{escape(name)}'
