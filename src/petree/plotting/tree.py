"""A tree drawn from left to right, with a bar of class probabilities at each leaf."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from petree.plotting.axes import GREY, axes_of, lines_within, plain, text_width
from petree.reading.colours import CLASS_COLOURS, colour_of
from petree.reading.view import PLAIN, Model, View, view
from petree.reading.walk import walk
from petree.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Beyond these nobody can read the texts.
MOST_ENDS = 100
# In inches, as all of the picture: the bars of the leaves, what stands behind them, and the room between lines.
_GAP = 0.35
BAR = 1.9
_BEHIND = 2.4
_LINE = 0.42
# The least and the greatest width of a level. Longer texts get a second line, and are cut off behind it.
_NARROWEST, _WIDEST = 1.2, 3.4
_TEXT_SIZE = 8.5
_WIDEST_LINE = 8.0
# Between a line and the text above it, and between a joint and the text to its right, in points.
_ABOVE, _BESIDE = 1.5, 6.0
_POINTS = 72.0
# So that a text does not get a second line by rounding, in inches.
_SPARE = 0.02


@dataclass(frozen=True)
class TreeLayout:
    """Places of the shown nodes: levels from left to right, leaves one below the other.

    Parameters
    ----------
    nodes : list of int
        In the order in which the tree is read.
    level : dict of node to int
    y : dict of node to float
        The line; lines are counted downwards.
    ends : list of int
        The nodes below which nothing is shown, from the top down.
    texts : dict of node to str
        The branch that leads to a node, in words.
    """

    nodes: list[int]
    level: dict[int, int]
    y: dict[int, float]
    ends: list[int]
    texts: dict[int, str]


def lay_out(tree: Tree, max_depth: int | None) -> TreeLayout:
    """The places of all nodes of at most this depth."""
    is_open = ~tree.is_leaf & (tree.levels < (tree.n_nodes if max_depth is None else max_depth))
    steps = list(walk(tree, is_open, is_short=True))
    nodes = [step.node for step in steps]
    ends = [node for node in nodes if not is_open[node]]
    y = {node: float(line) for line, node in enumerate(ends)}
    for node in reversed(nodes):
        if is_open[node]:
            y[node] = _middle(tree, node, y)
    level = {step.node: step.level for step in steps}
    return TreeLayout(nodes, level, y, ends, {step.node: step.text for step in steps})


def _middle(tree: Tree, node: int, y: dict[int, float]) -> float:
    children: NDArray[np.int32] = tree.children_of(np.array([node]))
    lines = [y[child] for child in children.tolist()]
    return (min(lines) + max(lines)) / 2


def plot_tree(model: Model, *, max_depth: int | None = None, ax: Axes | None = None) -> Axes:
    """Draw a tree: tests along its branches, lines as wide as their part of the training rows, and at each leaf the
    class probabilities, the most probable class, and the number of training rows.

    Parameters
    ----------
    model : Tree or fitted estimator
        Of a tree with options its summary is drawn.
    max_depth : int, optional
        How many levels of tests are drawn; nodes that stand there for a subtree are marked by dots.
    ax : matplotlib Axes, optional
        Those of a new figure unless given.

    Returns
    -------
    matplotlib Axes
    """
    shown = view(model)
    if shown.tree.is_dag:
        raise ValueError("A tree with option nodes cannot be drawn as one tree; draw the model's summary().")
    layout = lay_out(shown.tree, max_depth)
    if len(layout.ends) > MOST_ENDS:
        raise ValueError(
            f"A picture of {len(layout.ends)} leaves cannot be read; the most are {MOST_ENDS}. Set max_depth, or draw "
            "a smaller size of the model, such as model.resized(20)."
        )
    starts = _starts_of_levels(layout)
    width = starts[-1] + _GAP + BAR + _BEHIND
    axes = axes_of(ax, (width, _LINE * len(layout.ends) + 0.9))
    scale = 1.0 if ax is None else _inches(axes) / width
    for node in layout.nodes[1:]:
        _draw_branch(axes, shown, layout, node, starts, scale)
    for node in layout.ends:
        _draw_end(axes, shown, layout, node, starts)
    _draw_legend(axes, shown)
    axes.set(xlim=(-0.1, width), ylim=(len(layout.ends) - 0.4, -0.8))
    axes.axis("off")
    return axes


def _starts_of_levels(layout: TreeLayout) -> list[float]:
    """Where each level begins, in inches: a level is as wide as its longest text, within bounds."""
    widths = [0.0] * (max(layout.level.values()) + 1)
    for node in layout.nodes[1:]:
        asked = text_width(layout.texts[node], _TEXT_SIZE) + 2 * _BESIDE / _POINTS
        widths[layout.level[node]] = max(widths[layout.level[node]], _NARROWEST, min(asked + _SPARE, _WIDEST))
    return np.cumsum(widths).tolist()


def _inches(axes: Axes) -> float:
    """The width of axes that were given."""
    return float(axes.bbox.width / axes.figure.dpi)


def _draw_branch(axes: Axes, shown: View, layout: TreeLayout, node: int, starts: list[float], scale: float) -> None:
    """The line from a node's parent, and what is asked on it."""
    tree = shown.tree
    parent = int(tree.parents[node])
    level = layout.level[node]
    start, stop = starts[level - 1], starts[level]
    share = tree.sizes[node] / max(tree.sizes[0], 1)
    width = 0.6 + _WIDEST_LINE * np.sqrt(share)
    y = layout.y[node]
    line = axes.plot([start, start, stop], [layout.y[parent], y, y], color="#bbbbbb", linewidth=width, zorder=1)
    line[0].set_solid_joinstyle("round")
    line[0].set_solid_capstyle("round")
    room = (stop - start) * scale - 2 * _BESIDE / _POINTS
    axes.annotate(
        plain("\n".join(lines_within(layout.texts[node], room, _TEXT_SIZE))),
        (start, y),
        xytext=(_BESIDE, width / 2 + _ABOVE),
        textcoords="offset points",
        va="bottom",
        ha="left",
        fontsize=_TEXT_SIZE,
        linespacing=1.0,
        zorder=3,
    )


def _draw_end(axes: Axes, shown: View, layout: TreeLayout, node: int, starts: list[float]) -> None:
    """The bar of a leaf, or of a node that stands for its subtree."""
    y = layout.y[node]
    start = starts[-1] + _GAP
    axes.plot([starts[layout.level[node]], start], [y, y], color="#dddddd", linewidth=0.8, linestyle=":", zorder=0)
    left = start
    for code, probability in enumerate(shown.probabilities[node]):
        axes.barh(y, BAR * probability, left=left, height=0.55, color=colour_of(code), zorder=2)
        left += BAR * probability
    best = int(shown.probabilities[node].argmax())
    text = f"{shown.class_names[best]} {PLAIN.probability(float(shown.probabilities[node, best]))}"
    more = "" if shown.tree.is_leaf[node] else " ..."
    axes.text(start + BAR + 0.14, y, plain(text), va="center", ha="left", fontsize=9)
    axes.text(
        start + BAR + _BEHIND - _GAP,
        y,
        f"n={shown.tree.sizes[node]}{more}",
        va="center",
        ha="right",
        fontsize=8,
        color=GREY,
    )


def _draw_legend(axes: Axes, shown: View) -> None:
    from matplotlib.patches import Patch

    names = shown.class_names[: len(CLASS_COLOURS)]
    handles = [Patch(color=colour_of(code), label=plain(name)) for code, name in enumerate(names)]
    axes.legend(
        handles=handles,
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        ncols=min(len(handles), 6),
        frameon=False,
        fontsize=9,
    )
