"""Comparisons of methods in pictures. Each is a matplotlib figure that no window keeps."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lab.experiments.report.markup import picture_text
from lab.statistics.ranks import similar_groups
from petree.metrics.reliability import reliability_bins

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

Curves: TypeAlias = Mapping[str, ArrayLike]

# The colours of Okabe and Ito, which colour-blind people can tell apart, without the yellow that white swallows.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "os^DvPX"
LINES = ("-", "--", ":", "-.")


class ReliabilityCurve(NamedTuple):
    """For each bin that holds rows: mean probability, how often the class was true, and share of the rows."""

    predicted: NDArray[np.float64]
    frequency: NDArray[np.float64]
    share: NDArray[np.float64]


def reliability_curve(is_class: ArrayLike, probability: ArrayLike, bins: int = 10) -> ReliabilityCurve:
    """What was predicted and what was observed, over bins of equally wide ranges of probability.

    The bins are those of `calibration_error`, which is the mean distance of the two, each bin by its share.

    Parameters
    ----------
    is_class : array (rows,)
        Whether each row has the class.
    probability : array (rows,)
        Predicted probability of the class.
    bins : int, default 10
        Number of bins.

    Returns
    -------
    ReliabilityCurve
        ``predicted, frequency, share``.

    Examples
    --------
    >>> from lab.experiments.report.figures import reliability_curve
    >>> predicted, frequency, share = reliability_curve([True, False, True, True], [0.25, 0.25, 0.75, 0.75])
    >>> predicted.tolist(), frequency.tolist(), share.tolist()
    ([0.25, 0.75], [0.5, 1.0], [0.5, 0.5])
    """
    predicted = np.asarray(probability, np.float64)
    observed = np.asarray(is_class, np.bool_)
    _check_predicted(predicted, observed, bins)
    found = reliability_bins(predicted, observed, bins)
    return ReliabilityCurve(found.predicted, found.observed, found.n_rows / len(predicted))


def reliability(curves: Mapping[str, tuple[ArrayLike, ArrayLike, ArrayLike]]) -> Figure:
    """What methods predict beside what happens; points on the diagonal are of calibrated probabilities.

    Parameters
    ----------
    curves : dict of ReliabilityCurve
        The curve of each method; the area of a point is the share of the rows in its bin.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from lab.experiments.report.figures import reliability, reliability_curve
    >>> curve = reliability_curve([True, False, True, True], [0.25, 0.25, 0.75, 0.75])
    >>> reliability({"rand": curve}).savefig("reliability.png")  # doctest: +SKIP
    """
    _check_any(curves)
    figure = new_figure((5, 5))
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="grey", linewidth=1)
    styles = _styles(curves)
    lines = {}
    for name, (predicted, frequency, share) in curves.items():
        (lines[name],) = axes.plot(predicted, frequency, label=name, markersize=3, **styles[name])
        areas = 400 * np.asarray(share)
        axes.scatter(predicted, frequency, areas, color=styles[name]["color"], alpha=0.4, linewidth=0)
    axes.set(xlabel="predicted probability", ylabel="frequency", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    _name_lines(axes, lines)
    return figure


def learning_curve(sizes: ArrayLike, curves: Curves, ylabel: str) -> Figure:
    """A measure of each method by the number of training rows; sizes that span more than tenfold are drawn by powers.

    Parameters
    ----------
    sizes : array (sizes,)
        Numbers of training rows.
    curves : dict of array (sizes,)
        The values of each method; nan leaves a gap.
    ylabel : str
        The measure.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from lab.experiments.report.figures import learning_curve
    >>> learning_curve([100, 1000, 10000], {"rand": [0.7, 0.8, 0.85]}, "AUC").savefig("learning.png")  # doctest: +SKIP
    """
    figure = panels(sizes, {ylabel: curves}, "training rows")
    if np.max(sizes) > 10 * np.min(sizes):
        figure.axes[0].set_xscale("log")
    return figure


def panels(x: ArrayLike, measures: Mapping[str, Curves], xlabel: str) -> Figure:
    """Several measures of the same methods, one panel above the other over a common x; a method looks alike in all.

    Parameters
    ----------
    x : array (points,)
        Where the values stand.
    measures : dict of dict of array (points,)
        For each measure, from the top, the values of each method; nan leaves a gap.
    xlabel : str
        What x is.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from lab.experiments.report.figures import panels
    >>> values = {"nodes": {"rand": [20, 19], "bic": [9, 2]}, "AUC": {"rand": [0.9, 0.8], "bic": [0.9, 0.7]}}
    >>> panels([3, 23], values, "classes").savefig("classes.png")  # doctest: +SKIP
    """
    names = list(dict.fromkeys(name for curves in measures.values() for name in curves))
    _check_any(names)
    places = np.asarray(x)
    styles = _styles(names)
    figure = new_figure((6, 1 + 3 * len(measures)))
    stacked = figure.subplots(len(measures), sharex=True, squeeze=False)[:, 0]
    lines = {}
    for axes, (ylabel, curves) in zip(stacked, measures.items(), strict=True):
        for name, values in curves.items():
            _check_length(name, values, places)
            (lines[name],) = axes.plot(places, values, label=name, markersize=4, **styles[name])
        axes.set(ylabel=picture_text(ylabel))
    stacked[-1].set(xlabel=picture_text(xlabel))
    if (places == np.round(places)).all():
        stacked[-1].locator_params(axis="x", integer=True)
    _name_lines(figure, lines, where="outside right center")
    return figure


def critical_difference(average_ranks: Mapping[str, float], difference: float) -> Figure:
    """The average ranks of methods on a line, the best at the left; bars join methods that do not differ significantly.

    Parameters
    ----------
    average_ranks : dict of float
        Average rank of each method.
    difference : float
        The critical difference, such as `nemenyi_difference` of `lab.statistics.ranks`.

    Returns
    -------
    matplotlib.figure.Figure

    References
    ----------
    J. Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006, Figure 1.

    Examples
    --------
    >>> from lab.experiments.report.figures import critical_difference
    >>> critical_difference({"rand": 1.2, "chi": 2.1, "bic": 2.7}, 1.48).savefig("ranks.png")  # doctest: +SKIP
    """
    _check_any(average_ranks)
    groups = similar_groups(average_ranks, difference)
    depth = 0.6 * len(groups) + (len(average_ranks) + 1) // 2
    figure = new_figure((7, 1.2 + 0.28 * depth))
    axes = figure.subplots()
    low = math.floor(min(average_ranks.values()))
    high = math.ceil(max(*average_ranks.values(), low + max(1, difference)))
    axes.set(xlim=(low, high), ylim=(-depth - 0.5, 2.5))
    axes.axis("off")
    _draw_scale(axes, low, high)
    _draw_line(axes, [low, low + difference], [1.7, 1.7], width=2)
    axes.text(low, 1.9, f"critical difference {difference:.2f}", va="bottom")
    for level, group in enumerate(groups):
        ends = [average_ranks[group[0]] - 0.03, average_ranks[group[-1]] + 0.03]
        _draw_line(axes, ends, [-0.6 * (level + 0.7)] * 2, width=4, colour=COLOURS[0])
    _draw_methods(axes, average_ranks, (low, high), -0.6 * len(groups))
    return figure


def new_figure(size: tuple[float, float]) -> Figure:
    """An empty figure that no window keeps, of so many inches."""
    try:
        figures = import_module("matplotlib.figure")
    except ImportError as error:
        raise ImportError("Drawing needs matplotlib: pip install 'petree[plot]'.") from error
    return figures.Figure(figsize=size, layout="constrained")


def _draw_scale(axes: Axes, low: int, high: int) -> None:
    """The line of ranks with a mark at each whole one."""
    _draw_line(axes, [low, high], [0, 0])
    for rank in range(low, high + 1):
        _draw_line(axes, [rank, rank], [0, 0.25])
        axes.text(rank, 0.35, str(rank), ha="center", va="bottom")


def _draw_methods(axes: Axes, average_ranks: Mapping[str, float], ends: tuple[int, int], top: float) -> None:
    """A line from the rank of each method to its name, the better half at the left, the others at the right."""
    names = sorted(average_ranks, key=lambda name: average_ranks[name])
    n_left = (len(names) + 1) // 2
    margin = 0.03 * (ends[1] - ends[0])
    for place, name in enumerate(names):
        is_left = place < n_left
        y = top - 1 - (place if is_left else len(names) - 1 - place)
        side = ends[0] - margin if is_left else ends[1] + margin
        _draw_line(axes, [average_ranks[name]] * 2 + [side], [0, y, y])
        label = f" {picture_text(name)} {average_ranks[name]:.2f} "
        axes.text(side, y, label, ha="right" if is_left else "left", va="center")


def _draw_line(axes: Axes, x: Sequence[float], y: Sequence[float], width: float = 1.0, colour: str = "black") -> None:
    axes.plot(x, y, clip_on=False, color=colour, linewidth=width, solid_capstyle="butt")


def _name_lines(
    place: Axes | Figure, lines: Mapping[str, Line2D], where: Literal["best", "outside right center"] = "best"
) -> None:
    """A legend of axes or of a figure; names are set afterwards, since it leaves out those that begin with "_"."""
    legend = place.legend(list(lines.values()), [str(number) for number in range(len(lines))], loc=where)
    for text, name in zip(legend.get_texts(), lines, strict=True):
        text.set_text(picture_text(name))


class Style(TypedDict):
    """How the curve of a method looks, in matplotlib's words."""

    color: str
    marker: str
    linestyle: str


def _styles(names: Collection[str]) -> dict[str, Style]:
    """Colour, marker and line of each method; beyond seven the line tells them apart."""
    return {
        name: {
            "color": COLOURS[number % len(COLOURS)],
            "marker": MARKERS[number % len(MARKERS)],
            "linestyle": LINES[number // len(COLOURS) % len(LINES)],
        }
        for number, name in enumerate(names)
    }


def _check_any(methods: Collection[str]) -> None:
    if not methods:
        raise ValueError("There is no method to draw: give the results of at least one.")


def _check_length(name: str, values: ArrayLike, places: NDArray[Any]) -> None:
    if np.shape(values) != places.shape:
        raise ValueError(f"There are {np.size(values)} values of {name} for {len(places)} places of the x axis.")


def _check_predicted(predicted: NDArray[np.float64], observed: NDArray[np.bool_], bins: int) -> None:
    if bins < 1:
        raise ValueError(f"The 'bins' parameter of reliability_curve must be at least 1. Got {bins!r} instead.")
    if predicted.ndim != 1 or predicted.shape != observed.shape or not predicted.size:
        raise ValueError(
            "A reliability curve needs one probability for each row and at least one row, "
            f"but the shapes are {observed.shape} and {predicted.shape}."
        )
    for row in np.flatnonzero(~((predicted >= 0) & (predicted <= 1)))[:1]:
        raise ValueError(f"The probability of row {row} must be between 0 and 1, got {predicted[row]}.")
