"""Pictures say what the model says."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")
from matplotlib import pyplot

from petree import (
    OptionTreeClassifier,
    PathDisplay,
    ProbabilityTreeClassifier,
    ReliabilityDisplay,
    SizeDisplay,
    plot_tree,
)
from petree.demo import make_loans
from petree.metrics import calibration_error
from petree.plotting import tree as drawing


@pytest.fixture(autouse=True)
def _close() -> Iterator[None]:
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def model() -> ProbabilityTreeClassifier:
    return ProbabilityTreeClassifier(max_leaf_nodes=8).fit(*make_loans(400))


def texts(axes: object) -> list[str]:
    return [one.get_text() for one in axes.texts]  # type: ignore[attr-defined]


def test_a_drawn_tree_has_every_test_and_every_leaf(model: ProbabilityTreeClassifier) -> None:
    axes = plot_tree(model)
    shown = texts(axes)
    for condition in model.tree_.conditions:
        assert set(condition.branches) <= set(shown)
    leaves = model.tree_.is_leaf
    sizes = sorted(int(text.removeprefix("n=")) for text in shown if text.startswith("n="))
    assert sizes == sorted(model.tree_.sizes[leaves].tolist())
    widths = [bar.get_width() for bar in axes.patches]
    assert len(widths) == leaves.sum() * len(model.classes_)
    assert sum(widths) == pytest.approx(drawing.BAR * leaves.sum())
    axes.figure.canvas.draw()


@pytest.mark.parametrize("size", [None, (12.0, 5.0)])
def test_texts_of_a_drawn_tree_are_clear_of_joints_and_bars(size: tuple[float, float] | None) -> None:
    rng = np.random.default_rng(0)
    names = ["the purpose of the loan as the customer states it", "age", "income of the household"]
    purposes = [f"purpose number {n}" for n in range(6)]
    X = {names[0]: rng.choice(purposes, 400), names[1]: rng.normal(size=400), names[2]: rng.normal(size=400)}
    y = (X[names[1]] > 0) ^ (X[names[2]] > 0) ^ np.isin(X[names[0]], purposes[:3])
    model = ProbabilityTreeClassifier(tests="sets", pruning="none", max_depth=3).fit(X, y)
    axes = plot_tree(model, ax=None if size is None else pyplot.subplots(figsize=size)[1])
    axes.figure.canvas.draw()
    bars = [bar.get_window_extent() for bar in axes.patches]
    joints = [line.get_xydata()[:2] for line in axes.lines if len(line.get_xydata()) == 3]
    for text in axes.texts[: len(joints)]:
        extent = text.get_window_extent()
        assert not any(extent.overlaps(bar) for bar in bars)
        for ends in map(axes.transData.transform, joints):
            low, high = sorted(ends[:, 1])
            is_crossed = extent.x0 < ends[0, 0] < extent.x1 and low < extent.y1 and high > extent.y0
            assert not is_crossed, text.get_text()


def test_a_tree_is_drawn_to_a_depth(model: ProbabilityTreeClassifier) -> None:
    axes = plot_tree(model, max_depth=1)
    assert len([text for text in texts(axes) if text.startswith("n=")]) == 2
    assert any(text.endswith(" ...") for text in texts(axes))


def test_a_tree_is_drawn_where_it_shall_be(model: ProbabilityTreeClassifier) -> None:
    _, axes = pyplot.subplots()
    assert plot_tree(model, ax=axes) is axes


def test_names_are_no_mathematics() -> None:
    X = {"price $x^2$": [1.0, 2.0, 3.0, 4.0], "b": ["$\\frac", "y", "y", "$\\frac"]}
    axes = plot_tree(ProbabilityTreeClassifier(pruning="none").fit(X, ["$a$", "$a$", "$b_", "$b_"]))
    axes.figure.canvas.draw()


def test_what_nobody_could_read_is_refused(model: ProbabilityTreeClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "MOST_ENDS", 2)
    with pytest.raises(ValueError, match=r"leaves cannot be read; the most are 2\. Set max_depth"):
        plot_tree(model)


def test_a_tree_with_options_is_drawn_by_its_summary() -> None:
    X, y = make_loans(100)
    options = OptionTreeClassifier(n_searches=2).fit(X, y)
    assert texts(plot_tree(options)) == texts(plot_tree(options.summary()))
    with pytest.raises(ValueError, match=r"draw the model's summary\(\)"):
        plot_tree(options.tree_)


def test_reliability_is_that_of_the_calibration_error(model: ProbabilityTreeClassifier) -> None:
    X, y = make_loans(300, seed=8)
    display = ReliabilityDisplay.from_estimator(model, X, y, label="no", n_bins=5)
    error = calibration_error(y, model.predict_proba(X), model.classes_, of_class="no", n_bins=5)
    assert display.error == error
    distances = np.abs(display.predicted - display.observed)
    assert (distances * display.n_rows).sum() / len(y) == pytest.approx(error)
    assert (display.lower <= display.observed).all()
    assert (display.observed <= display.upper).all()
    assert display.n_rows.sum() == len(y)
    assert "no" in display.ax_.get_xlabel()


def test_an_unknown_class_is_named(model: ProbabilityTreeClassifier) -> None:
    X, y = make_loans(20)
    with pytest.raises(ValueError, match="There is no class 'maybe'; the classes are no, yes"):
        ReliabilityDisplay.from_estimator(model, X, y, label="maybe")
    with pytest.raises(ValueError, match="There is no class 'maybe'; the classes are no, yes"):
        PathDisplay.from_estimator(model, X, label="maybe")


def test_sizes_are_those_of_the_fit(model: ProbabilityTreeClassifier) -> None:
    display = SizeDisplay.from_estimator(model)
    assert tuple(display.n_leaves) == model.sizes_.n_leaves
    assert display.chosen == model.get_n_leaves()
    assert len(display.ax_.lines[0].get_xdata()) == len(model.sizes_.bits)
    with pytest.raises(ValueError, match="one size only; fit one with pruning='best_size'"):
        SizeDisplay.from_estimator(ProbabilityTreeClassifier(pruning="none").fit({"x": [1.0, 2.0]}, [0, 1]))


def test_a_path_ends_with_the_answer(model: ProbabilityTreeClassifier) -> None:
    X, _ = make_loans(50, seed=3)
    whole = np.flatnonzero([value is not None for value in X["history"]] & ~np.isnan(X["income"]))
    row = int(whole[0])
    display = PathDisplay.from_estimator(model, X, row=row)
    assert display.tests[0] == "all rows"
    assert len(display.tests) == model.decision_path(X)[[row]].sum()
    assert display.probability[-1] == model.predict_proba(X)[row, 1]
    assert (display.lower <= display.probability).all()
    assert (display.probability <= display.upper).all()
    with pytest.raises(ValueError, match="There is no row 50; the table has rows 0 to 49"):
        PathDisplay.from_estimator(model, X, row=50)
