"""A tree drawn from left to right, with a bar of class probabilities at each leaf."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from petree.plotting.axes import GREY, axes_of, plain
from petree.reading.colours import CLASS_COLOURS, colour_of
from petree.reading.view import PLAIN, Model, View, view
from petree.reading.walk import walk
from petree.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Beyond these nobody can read the texts.
MOST_ENDS = 100
# The width of a level is 1; bars stand behind the last level.
_GAP = 0.15
_BAR = 0.8
_WIDEST_LINE = 8.0


@dataclass(frozen=True)
class TreeLayout:
    """Places of the shown nodes: levels from left to right, leaves one below the other.

    Parameters
    ----------
    nodes : list of int
        In the order in which the tree is read.
    x, y : dict of node to float
        The level, and the line; lines are counted downwards.
    ends : list of int
        The nodes below which nothing is shown, from the top down.
    texts : dict of node to str
        The branch that leads to a node, in words.
    """

    nodes: list[int]
    x: dict[int, float]
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
    x = {step.node: float(step.level) for step in steps}
    return TreeLayout(nodes, x, y, ends, {step.node: step.text for step in steps})


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
    n_levels = max(layout.x.values())
    axes = axes_of(ax, (2.4 * n_levels + 4.0, 0.42 * len(layout.ends) + 0.9))
    for node in layout.nodes[1:]:
        _draw_branch(axes, shown, layout, node)
    for node in layout.ends:
        _draw_end(axes, shown, layout, node, n_levels)
    _draw_legend(axes, shown)
    axes.set(xlim=(-0.1, n_levels + _GAP + _BAR + 1.0), ylim=(len(layout.ends) - 0.4, -0.8))
    axes.axis("off")
    return axes


def _draw_branch(axes: Axes, shown: View, layout: TreeLayout, node: int) -> None:
    """The line from a node's parent, and what is asked on it."""
    tree = shown.tree
    parent = int(tree.parents[node])
    share = tree.sizes[node] / max(tree.sizes[0], 1)
    width = 0.6 + _WIDEST_LINE * np.sqrt(share)
    x = layout.x[parent]
    y = layout.y[node]
    line = axes.plot([x, x, layout.x[node]], [layout.y[parent], y, y], color="#bbbbbb", linewidth=width, zorder=1)
    line[0].set_solid_joinstyle("round")
    line[0].set_solid_capstyle("round")
    axes.text(x + 0.08, y - 0.08, plain(layout.texts[node]), va="bottom", ha="left", fontsize=8.5, zorder=3)


def _draw_end(axes: Axes, shown: View, layout: TreeLayout, node: int, n_levels: float) -> None:
    """The bar of a leaf, or of a node that stands for its subtree."""
    y = layout.y[node]
    start = n_levels + _GAP
    axes.plot([layout.x[node], start], [y, y], color="#dddddd", linewidth=0.8, linestyle=":", zorder=0)
    left = start
    for code, probability in enumerate(shown.probabilities[node]):
        axes.barh(y, _BAR * probability, left=left, height=0.55, color=colour_of(code), zorder=2)
        left += _BAR * probability
    best = int(shown.probabilities[node].argmax())
    text = f"{shown.class_names[best]} {PLAIN.probability(float(shown.probabilities[node, best]))}"
    more = "" if shown.tree.is_leaf[node] else " ..."
    axes.text(start + _BAR + 0.06, y, plain(text), va="center", ha="left", fontsize=9)
    axes.text(
        start + _BAR + 0.98, y, f"n={shown.tree.sizes[node]}{more}", va="center", ha="right", fontsize=8, color=GREY
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
