"""What the figures of the model of reduced-error pruning show."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from lab.papers.oates.pruning_model import grid_after, grid_before, pruning_probability
from lab.papers.oates.pruning_plots import draw_after, draw_before, draw_errors


@pytest.fixture
def _matplotlib() -> None:
    pytest.importorskip("matplotlib")


@pytest.mark.usefixtures("_matplotlib")
def test_errors_of_the_subtree_beside_those_of_the_leaf() -> None:
    (axes,) = draw_errors(0.3, 0.2, 50).axes
    curve, leaf = axes.lines
    places, density = curve.get_data()
    mean, deviation = 50 * 0.38, (50 * 0.38 * 0.62) ** 0.5  # .3 * .8 + .7 * .2 = .38
    assert density == pytest.approx(norm.pdf(places, mean, deviation))
    assert np.unique(leaf.get_xdata()) == pytest.approx([15])
    shaded = area(axes.collections[0].get_paths()[0].vertices)
    assert shaded == pytest.approx(pruning_probability(0.3, 0.2, 50), abs=0.01)
    assert "pruned: 0.878" in [text.get_text() for text in axes.get_legend().get_texts()]


@pytest.mark.usefixtures("_matplotlib")
def test_errors_that_do_not_vary_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="class_share 0 and leaf_share 1 the errors of a subtree do not vary"):
        draw_errors(0, 1)


@pytest.mark.usefixtures("_matplotlib")
@pytest.mark.parametrize(
    ("draw", "grid", "chosen", "unit"),
    [(draw_before, grid_before, (5, 100), "cases"), (draw_after, grid_after, (1, 10, 20), "descendants")],
)
def test_maps_show_the_grids(draw: Any, grid: Any, chosen: tuple[int, ...], unit: str) -> None:
    figure = draw(chosen, n_points=8)
    *maps, colour_bar = figure.axes
    assert len(maps) == len(chosen)
    for axes, number in zip(maps, chosen, strict=True):
        (mesh,) = axes.collections
        expected = grid(number, 8)
        assert np.asarray(mesh.get_array()).reshape(8, 8) == pytest.approx(expected)
        assert mesh.get_clim() == (0, 1)
        assert axes.get_title() == f"{number} {unit}, average {expected.mean():.3f}"
        corners = mesh.get_coordinates()  # rows go up the class share, columns along the leaf share
        assert corners[0, -1].tolist() == [1, 0]
    assert colour_bar.get_ylabel() == "probability of pruning"


@pytest.mark.usefixtures("_matplotlib")
def test_the_figures_of_the_paper_are_the_default() -> None:
    titles = [axes.get_title() for draw in (draw_before, draw_after) for axes in draw().axes if axes.get_title()]
    assert titles == [
        "100 cases, average 0.926",
        "1000 cases, average 0.970",
        "10000 cases, average 0.988",
        "10 descendants, average 0.326",
        "20 descendants, average 0.247",
        "50 descendants, average 0.179",
    ]


@pytest.mark.parametrize("draw", [draw_errors, draw_before, draw_after])
def test_a_missing_matplotlib_is_asked_for(draw: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"Drawing needs matplotlib: pip install 'petree\[plot\]'"):
        draw()


def area(corners: Any) -> float:
    """Area of a polygon, by the shoelace formula."""
    x, y = np.asarray(corners).T
    return abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2
