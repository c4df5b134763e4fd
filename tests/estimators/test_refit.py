"""A fit that fails leaves what was there before, whole."""

from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from tests.plain import plain_classifier

from petree.sources.table import TableSource

GOOD = {"a": [1, 2, 3, 4], "b": [4, 3, 2, 1]}
OTHER = {"c": [1, 2, 3, 4]}
Y = [0, 0, 1, 1]


@pytest.mark.parametrize(("y", "weight"), [([0, 0, 0, 0], None), ([0, 1], None), (Y, [1, 1, 1, -1])])
def test_a_failed_fit_leaves_the_old_model(y: Any, weight: Any) -> None:
    model = plain_classifier().fit(GOOD, Y)
    before = model.predict_proba(GOOD)
    with pytest.raises(ValueError, match=r"y |sample_weight"):
        model.fit(OTHER, y, weight)
    assert model.feature_names_in_.tolist() == ["a", "b"]
    np.testing.assert_array_equal(model.predict_proba(GOOD), before)


def test_a_failed_first_fit_leaves_nothing_fitted() -> None:
    model = plain_classifier()
    with pytest.raises(ValueError, match="only one class"):
        model.fit(GOOD, [1, 1, 1, 1])
    with pytest.raises(NotFittedError):
        model.predict(GOOD)


def interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def test_an_interrupted_fit_leaves_the_old_model(monkeypatch: pytest.MonkeyPatch) -> None:
    model = plain_classifier().fit(GOOD, Y)
    with monkeypatch.context() as patch:
        patch.setattr(TableSource, "finish", interrupt)
        with pytest.raises(KeyboardInterrupt):
            model.fit(OTHER, Y)
    assert model.predict(GOOD).tolist() == Y
    assert model.fit(OTHER, Y).predict(OTHER).tolist() == Y


def test_weights_whose_sum_overflows_are_refused() -> None:
    with pytest.raises(ValueError, match="sample_weight sums to inf, beyond"):
        plain_classifier().fit(GOOD, Y, [1e308] * 4)


def test_a_class_without_weight_is_explained() -> None:
    with pytest.raises(ValueError, match="only one class, 1 in the rows that have a weight"):
        plain_classifier().fit(GOOD, Y, [0, 0, 1, 1])
