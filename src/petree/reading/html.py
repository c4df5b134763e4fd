"""A tree as a small web page for notebooks: nested, collapsible, no script."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import numpy as np
from numpy.typing import ArrayLike, NDArray

from petree.reading.view import Model, View, share_text, view
from petree.reading.walk import HEADING, Step, walk
from petree.tree import Tree

_MOST_NODES = 2000
_OPEN_LEVELS = 3
_STYLE = """<style>
.petree-tree {font: 13px/1.6 system-ui, sans-serif}
.petree-tree details, .petree-leaf {margin-left: 1.2em}
.petree-tree summary {cursor: pointer}
.petree-leaf {padding-left: 1em}
.petree-n {opacity: .65; margin: 0 .5em}
.petree-bar {display: inline-flex; width: 90px; height: .7em; overflow: hidden; border-radius: 2px; margin: 0 .5em}
.petree-key {display: inline-block; width: .7em; height: .7em; border-radius: 2px; margin: 0 .3em 0 1em}
.petree-cut {font-style: italic}
</style>"""


def to_html(model: Model, *, probabilities: ArrayLike | None = None) -> str:
    """The tree as HTML that opens and closes node by node; a very large tree is cut to its upper levels.

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
    colours = [f"hsl({int(number * 137.5) % 360} 55% 58%)" for number in range(len(shown.class_names))]
    parts = [_STYLE, _legend(shown, colours), _cut_notice(shown.tree, is_open), *_nodes(shown, is_open, colours)]
    return '<div class="petree-tree">' + "\n".join(filter(None, parts)) + "</div>"


def _open_nodes(tree: Tree) -> NDArray[np.bool_]:
    """The inner nodes nearest to the root, as many as show no more than so many nodes."""
    n_children = np.bincount(tree.split_nodes, np.diff(tree.child_start), minlength=tree.n_nodes)
    order = np.argsort(tree.levels, kind="stable")
    is_open = ~tree.is_leaf
    is_open[order[1 + np.cumsum(n_children[order]) > _MOST_NODES]] = False
    return is_open


def _legend(shown: View, colours: list[str]) -> str:
    keys = (
        f'<span class="petree-key" style="background:{colour}"></span>{escape(name)}'
        for name, colour in zip(shown.class_names, colours, strict=True)
    )
    return f"<div>{''.join(keys)}</div>"


def _cut_notice(tree: Tree, is_open: NDArray[np.bool_]) -> str:
    if np.array_equal(is_open, ~tree.is_leaf):
        return ""
    below_open = np.repeat(is_open[tree.split_nodes], np.diff(tree.child_start))
    n_hidden = tree.n_nodes - 1 - len(np.unique(tree.children[below_open]))
    return (
        f'<div class="petree-cut">{n_hidden:,} of the {tree.n_nodes:,} nodes, the deepest ones, are not shown here; '
        "petree.reading.export_text shows all of them.</div>"
    )


def _nodes(shown: View, is_open: NDArray[np.bool_], colours: list[str]) -> Iterator[str]:
    unclosed: list[int] = []
    for step in walk(shown.tree, is_open, is_short=True):
        while unclosed and unclosed[-1] >= step.level:
            unclosed.pop()
            yield "</details>"
        if step.node == HEADING or (is_open[step.node] and not step.is_repeat):
            unclosed.append(step.level)
            state = " open" if step.level < _OPEN_LEVELS else ""
            yield f"<details{state}><summary>{_line(shown, step, colours)}</summary>"
        else:
            is_cut = not (shown.tree.is_leaf[step.node] or step.is_repeat)
            note = '<span class="petree-cut">more below, not shown</span>' if is_cut else ""
            yield f'<div class="petree-leaf">{_line(shown, step, colours)}{note}</div>'
    yield "</details>" * len(unclosed)


def _line(shown: View, step: Step, colours: list[str]) -> str:
    if step.node == HEADING:
        return escape(step.text)
    return (
        f"{escape(step.text)}{_bar(shown, step.node, colours)}{escape(shown.prediction(step.node))}"
        f'<span class="petree-n">n={shown.tree.sizes[step.node]}</span>'
    )


def _bar(shown: View, node: int, colours: list[str]) -> str:
    shares = shown.probabilities[node].tolist()
    title = ", ".join(f"{name} {share_text(share)}" for name, share in zip(shown.class_names, shares, strict=True))
    pieces = (
        f'<span style="width:{share:.1%};background:{colour}"></span>'
        for share, colour in zip(shares, colours, strict=True)
        if share >= 0.001
    )
    return f'<span class="petree-bar" title="{escape(title)}">{"".join(pieces)}</span>'
