"""Measures and curves beside their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.metrics import average_precision_score, brier_score_loss, confusion_matrix, log_loss, roc_auc_score
from tests.report.examples import content_of, flat_model, mixed_rows, new_rows

from petree import ProbabilityTreeClassifier, make_report, metrics
from petree.report.quality import MOST_POINTS, tell_curves


def test_measures_are_those_of_metrics() -> None:
    model = flat_model()
    X, y = new_rows()
    quality = content_of(make_report(model, X, y))["quality"]
    probabilities = model.predict_proba(X)
    found = {name: value for name, value, _, _ in quality["measures"]}
    assert found["Log loss"] == pytest.approx(log_loss(y, probabilities) / np.log(2), abs=1e-4)
    assert found["Brier score"] == pytest.approx(brier_score_loss(y, probabilities, scale_by_half=False), abs=1e-4)
    expected = roc_auc_score(y, probabilities, multi_class="ovr", average="weighted")
    assert found["AUC (one-vs-rest)"] == pytest.approx(expected, abs=1e-4)
    shares = [np.mean(y == name) for name in model.classes_]
    assert np.dot(shares, [curves["auc"] for curves in quality["curves"]]) == pytest.approx(expected, abs=1e-4)
    assert not any("Hand" in name for name in found)
    assert found["Calibration error"] == pytest.approx(metrics.calibration_error(y, probabilities), abs=1e-4)
    assert found["Accuracy"] == pytest.approx((model.predict(X) == y).mean(), abs=1e-4)
    assert quality["confusion"] == confusion_matrix(y, model.predict(X)).tolist()
    for place, name in enumerate(["maybe", "no", "yes"]):
        assert quality["curves"][place]["auc"] == pytest.approx(
            roc_auc_score(y == name, probabilities[:, place]), abs=1e-4
        )


def test_base_rates_are_those_of_the_training_rows() -> None:
    X, y = mixed_rows(200)
    is_yes = y == "yes"
    model = ProbabilityTreeClassifier(pruning="none", max_depth=2).fit(X, is_yes)
    measures = content_of(make_report(model, X, is_yes))["quality"]["measures"]
    base = {name: of_base for name, _, of_base, _ in measures}
    share = is_yes.mean()
    assert base["Log loss"] == pytest.approx(-share * np.log2(share) - (1 - share) * np.log2(1 - share), abs=1e-4)
    assert base["Accuracy"] == pytest.approx(max(share, 1 - share), abs=1e-4)
    assert base["AUC"] == 0.5


def test_an_infinite_loss_is_not_a_number_of_json() -> None:
    model = ProbabilityTreeClassifier(pruning="none", smoothing="none").fit([[0], [1]], ["a", "b"])
    measures = content_of(make_report(model, [[0], [1]], ["b", "b"]))["quality"]["measures"]
    assert {name: value for name, value, _, _ in measures}["Log loss"] is None


def test_curves_by_their_definition() -> None:
    rng = np.random.default_rng(0)
    probability = rng.integers(0, 8, 60) / 7
    is_true = rng.random(60) < probability
    curves = tell_curves(probability, is_true)
    for place, threshold in enumerate(np.unique(probability)[::-1]):
        called = probability >= threshold
        assert curves["threshold"][place] == pytest.approx(threshold, abs=1e-4)
        assert curves["true_rate"][place] == pytest.approx((called & is_true).sum() / is_true.sum(), abs=1e-4)
        assert curves["false_rate"][place] == pytest.approx((called & ~is_true).sum() / (~is_true).sum(), abs=1e-4)
        assert curves["precision"][place] == pytest.approx(is_true[called].mean(), abs=1e-4)
    steps = np.diff([0, *curves["true_rate"]])
    assert (steps * curves["precision"]).sum() == pytest.approx(average_precision_score(is_true, probability), abs=1e-3)


def test_reliability_and_histogram_by_their_definition() -> None:
    rng = np.random.default_rng(1)
    probability = rng.random(500)
    is_true = rng.random(500) < probability
    curves = tell_curves(probability, is_true)
    reliability = curves["reliability"]
    for place in range(10):
        inside = (probability >= place / 10) & (probability < (place + 1) / 10)
        n_true = is_true[inside].sum()
        assert reliability["n"][place] == inside.sum()
        assert reliability["predicted"][place] == pytest.approx(probability[inside].mean(), abs=1e-4)
        assert reliability["observed"][place] == pytest.approx(is_true[inside].mean(), abs=1e-4)
        if 0 < n_true < inside.sum():
            lower = beta.ppf(0.05, n_true + 0.5, inside.sum() - n_true + 0.5)
            assert reliability["lower"][place] == pytest.approx(lower, abs=1e-4)
    assert sum(curves["histogram"]["of_class"]) == is_true.sum()
    assert sum(curves["histogram"]["others"]) == (~is_true).sum()


def test_long_curves_are_thinned_and_end_where_they_end() -> None:
    rng = np.random.default_rng(2)
    curves = tell_curves(rng.random(5000), rng.random(5000) < 0.5)
    assert len(curves["true_rate"]) <= MOST_POINTS
    assert (curves["true_rate"][-1], curves["false_rate"][-1]) == (1.0, 1.0)


def test_a_class_that_does_not_occur_has_no_curves() -> None:
    X, y = new_rows()
    is_kept = y != "maybe"
    quality = content_of(make_report(flat_model(), X[is_kept], y[is_kept]))["quality"]
    assert [curves is None for curves in quality["curves"]] == [True, False, False]
