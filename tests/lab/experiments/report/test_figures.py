"""What the figures of comparisons show."""

from __future__ import annotations

import io
import math
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metrics.made import Made, predictions

from lab.experiments.report.figures import (
    COLOURS,
    critical_difference,
    learning_curve,
    panels,
    reliability,
    reliability_curve,
)
from petree.metrics import calibration_error

RANKS = {"rand": 2.9, "mdl": 4.69, "bic": 3.87, "chi": 3.52, "ebp": 2.08, "none": 3.94}
CURVE = reliability_curve([True, False, True, True], [0.25, 0.25, 0.75, 0.95])


@pytest.fixture
def _matplotlib() -> None:
    pytest.importorskip("matplotlib")


@given(predictions(), st.sampled_from([1, 4, 10]), st.data())
def test_distance_from_the_diagonal_is_the_calibration_error(made: Made, bins: int, data: st.DataObject) -> None:
    column = data.draw(st.integers(0, len(made.labels) - 1))
    label = made.labels[column]
    predicted, frequency, share = reliability_curve(made.truth == label, made.probabilities[:, column], bins)
    expected = calibration_error(*made.as_given, of_class=label, n_bins=bins)
    assert np.abs(predicted - frequency) @ share == pytest.approx(expected)
    assert share.sum() == pytest.approx(1)
    assert (share > 0).all()
    assert predicted @ share == pytest.approx(made.probabilities[:, column].mean())
    assert frequency @ share == pytest.approx((made.truth == label).mean())


def test_bins_hold_their_lower_border_and_the_last_one_holds_1() -> None:
    predicted, frequency, share = reliability_curve([True, False, False, True], [0.3, 0.35, 0.95, 1.0])
    assert predicted == pytest.approx([0.325, 0.975])
    assert frequency.tolist() == share.tolist() == [0.5, 0.5]


def test_probabilities_are_checked() -> None:
    with pytest.raises(ValueError, match=r"The probability of row 1 must be between 0 and 1, got 1\.5"):
        reliability_curve([True, False], [0.5, 1.5])
    with pytest.raises(ValueError, match="The probability of row 0 must be between 0 and 1, got nan"):
        reliability_curve([True], [math.nan])
    with pytest.raises(ValueError, match=r"the shapes are \(1,\) and \(2,\)"):
        reliability_curve([True], [0.5, 0.5])
    with pytest.raises(ValueError, match="'bins' parameter of reliability_curve must be at least 1"):
        reliability_curve([True], [0.5], bins=0)


@pytest.mark.usefixtures("_matplotlib")
def test_reliability_shows_the_curves_beside_the_diagonal() -> None:
    figure = reliability({"rand": CURVE, "none": CURVE})
    (axes,) = figure.axes
    diagonal, *lines = axes.lines
    assert np.array_equal(diagonal.get_xdata(), diagonal.get_ydata())
    for line, points in zip(lines, axes.collections, strict=True):
        assert np.array_equal(line.get_xydata(), np.column_stack(CURVE[:2]))
        assert points.get_sizes() / points.get_sizes().sum() == pytest.approx(CURVE.share)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["rand", "none"]
    assert is_drawn(figure)


@pytest.mark.usefixtures("_matplotlib")
@pytest.mark.parametrize(("sizes", "scale"), [([50, 100, 501], "log"), ([50, 100, 500], "linear")])
def test_learning_curves(sizes: list[int], scale: str) -> None:
    figure = learning_curve(sizes, {"rand": [0.7, 0.8, 0.9], "bic": [0.6, math.nan, 0.8]}, "AUC")
    (axes,) = figure.axes
    assert [line.get_xdata().tolist() for line in axes.lines] == [sizes, sizes]
    assert axes.lines[0].get_ydata().tolist() == [0.7, 0.8, 0.9]
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_xscale()) == ("training rows", "AUC", scale)
    assert is_drawn(figure)


@pytest.mark.usefixtures("_matplotlib")
def test_a_method_looks_alike_in_all_panels() -> None:
    names = [f"method {number}" for number in range(9)]
    values = {name: [number, number + 1] for number, name in enumerate(names)}
    without_first = {name: values[name] for name in names[1:]}
    figure = panels([3, 23], {"nodes": values, "relative": without_first}, "classes")
    upper, lower = figure.axes
    looks = [{line.get_label(): look(line) for line in axes.lines} for axes in (upper, lower)]
    assert looks[1] == {name: looks[0][name] for name in names[1:]}
    assert len(set(looks[0].values())) == 9
    assert (upper.get_ylabel(), lower.get_ylabel(), lower.get_xlabel()) == ("nodes", "relative", "classes")
    assert [text.get_text() for text in figure.legends[0].get_texts()] == names
    assert is_drawn(figure)


@pytest.mark.usefixtures("_matplotlib")
def test_whole_places_have_whole_marks() -> None:
    (axes,) = panels([3, 4, 5], {"nodes": {"rand": [1, 2, 3]}}, "classes").axes
    assert all(tick == round(tick) for tick in axes.get_xticks())
    (axes,) = panels([0.3, 0.4, 0.5], {"nodes": {"rand": [1, 2, 3]}}, "share").axes
    assert not all(tick == round(tick) for tick in axes.get_xticks())


@pytest.mark.usefixtures("_matplotlib")
def test_critical_difference_joins_methods_that_do_not_differ() -> None:
    figure = critical_difference(RANKS, 1.48)
    (axes,) = figure.axes
    bars = [line.get_xdata() for line in axes.lines if line.get_color() == COLOURS[0]]
    expected = [(2.08, 3.52), (2.9, 3.94), (3.52, 4.69)]
    assert np.array(bars) == pytest.approx(np.array(expected), abs=0.05)
    words = [text.get_text().strip() for text in axes.texts]
    assert {f"{name} {rank:.2f}" for name, rank in RANKS.items()} <= set(words)
    assert "critical difference 1.48" in words
    assert [float(word) for word in words if word.isdigit()] == [2, 3, 4, 5]
    starts = {line.get_xdata()[0] for line in axes.lines if len(line.get_xdata()) == 3}
    assert starts == set(RANKS.values())
    assert is_drawn(figure)


@pytest.mark.usefixtures("_matplotlib")
@pytest.mark.parametrize(
    ("ranks", "difference"),
    [
        ({"one": 1.0}, 0.5),
        ({"one": 1.5, "two": 1.5}, 7.0),
        ({f"a method of long name {number}": 1.0 + number for number in range(20)}, 3.0),
    ],
)
def test_critical_difference_finds_room_for_few_and_for_many(ranks: dict[str, float], difference: float) -> None:
    figure = critical_difference(ranks, difference)
    assert is_drawn(figure)
    (axes,) = figure.axes
    page = figure.bbox
    for text in axes.texts:
        box = text.get_window_extent()
        assert page.x0 <= box.x0
        assert box.x1 <= page.x1
        assert page.y0 <= box.y0
        assert box.y1 <= page.y1


@pytest.mark.usefixtures("_matplotlib")
def test_nothing_to_draw_and_values_that_do_not_fit_are_named() -> None:
    for draw in (lambda: reliability({}), lambda: critical_difference({}, 1), lambda: panels([1], {}, "x")):
        with pytest.raises(ValueError, match="There is no method to draw"):
            draw()
    with pytest.raises(ValueError, match="There are 3 values of rand for 2 places of the x axis"):
        learning_curve([1, 2], {"rand": [1, 2, 3]}, "AUC")


@pytest.mark.parametrize(
    "draw",
    [
        lambda: reliability({"rand": CURVE}),
        lambda: learning_curve([1, 2], {"rand": [1, 2]}, "AUC"),
        lambda: critical_difference(RANKS, 1),
    ],
)
def test_a_missing_matplotlib_is_asked_for(draw: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"Drawing needs matplotlib: pip install 'petree\[plot\]'"):
        draw()


def look(line: Any) -> tuple[str, str, str]:
    return line.get_color(), line.get_marker(), line.get_linestyle()


def is_drawn(figure: Any) -> bool:
    """Whether it can be written; a layout that finds no room is a warning, and so an error."""
    page = io.BytesIO()
    figure.savefig(page, format="png", dpi=figure.dpi)
    return page.getvalue().startswith(b"\x89PNG")
