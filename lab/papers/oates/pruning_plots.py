"""The model of reduced-error pruning in pictures: Figures 2 to 4 of Oates and Jensen. Each is a matplotlib figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lab.experiments.report.figures import new_figure
from lab.papers.oates.pruning_model import (
    CASES_BEFORE,
    DESCENDANTS_AFTER,
    grid_after,
    grid_before,
    leaf_errors,
    pruning_probability,
    subtree_errors,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_errors(class_share: float = 0.4, leaf_share: float = 0.4, n_cases: int = 100) -> Figure:
    """Figure 2: the errors that a subtree may make, beside those of the leaf; the shaded area is the chance of pruning.

    Examples
    --------
    >>> from lab.papers.oates.pruning_plots import draw_errors
    >>> draw_errors(0.3, 0.5).savefig("errors.png")  # doctest: +SKIP
    """
    mean, deviation = map(float, subtree_errors(class_share, leaf_share, n_cases))
    if not deviation:
        raise ValueError(
            f"With class_share {class_share} and leaf_share {leaf_share} the errors of a subtree do not vary: "
            "there is no distribution to draw."
        )
    errors = float(leaf_errors(class_share, n_cases))
    chance = pruning_probability(class_share, leaf_share, n_cases)
    figure = new_figure((6, 4))
    axes = figure.subplots()
    places = np.linspace(min(errors, mean - 4 * deviation), mean + 4 * deviation, 400)
    density = np.exp(-(((places - mean) / deviation) ** 2) / 2) / (deviation * np.sqrt(2 * np.pi))
    axes.plot(places, density, label="errors of the subtree")
    axes.fill_between(places, density, where=places >= errors, alpha=0.3, label=f"pruned: {chance:.3f}")
    axes.axvline(errors, color="black", linestyle="--", label="errors of the leaf")
    axes.set(xlabel="errors on the pruning cases", ylabel="density")
    axes.legend()
    return figure


def draw_before(n_cases: Sequence[int] = CASES_BEFORE, n_points: int = 200) -> Figure:
    """Figure 3: the probability of pruning a node before anything beneath it, for all shares, by cases at the node."""
    return _draw_maps({f"{n} cases": grid_before(n, n_points) for n in n_cases})


def draw_after(n_descendants: Sequence[int] = DESCENDANTS_AFTER, n_points: int = 200) -> Figure:
    """Figure 4: the probability of pruning a node after its descendants, for all shares, by their number."""
    return _draw_maps({f"{n} descendants": grid_after(n, n_points) for n in n_descendants})


def _draw_maps(grids: dict[str, NDArray[np.float64]]) -> Figure:
    """One map a grid, side by side, on one scale of colours from 0 to 1; titles say the average."""
    figure = new_figure((3.5 * len(grids) + 1, 3.5))
    panels = figure.subplots(1, len(grids), sharex=True, sharey=True, squeeze=False)[0]
    for axes, (title, grid) in zip(panels, grids.items(), strict=True):
        edges = np.linspace(0, 1, len(grid) + 1)
        colours = axes.pcolormesh(edges, edges, grid, vmin=0, vmax=1)
        axes.set(title=f"{title}, average {grid.mean():.3f}", aspect="equal")
        axes.set_xlabel("share of cases at positive leaves")
    panels[0].set_ylabel("share of positive cases")
    figure.colorbar(colours, ax=panels, label="probability of pruning")
    return figure
