"""Measures, means, ranks and records of the quality benchmark."""

import numpy as np
import pandas as pd
import pytest

from lab.quality.scoring import MEASURES, Scores, measure


def make_results(bits):
    """Results of contenders on sets, the same in both folds but for a difference that the mean takes out."""
    lines = [
        {**dict.fromkeys(MEASURES, 1.0), "data_set": data_set, "contender": name, "fold": fold, "bits": value + shift}
        for name, values in bits.items()
        for data_set, value in values.items()
        for fold, shift in enumerate((-0.5, 0.5))
    ]
    return pd.DataFrame(lines)


@pytest.fixture
def scores():
    bits = {
        "a": {"s": 1.0, "t": 2.0, "u": 4.0},
        "b": {"s": 1.0, "t": 3.0, "u": 3.0},
        "c": {"s": 2.0, "t": 4.0, "u": 5.0},
        "unfinished": {"s": 0.0, "t": 0.0},
    }
    return Scores.of(make_results(bits), ["s", "t", "u"], list(bits), 2)


def test_measures_of_a_fold_by_hand():
    found = measure(np.array([0, 1, 1]), np.array([[0.5, 0.5], [0.75, 0.25], [1.0, 0.0]]))
    assert found["bits"] == pytest.approx((1 + 2 - np.log2(1e-6)) / 3)
    assert found["auc"] == 1 - 1.0, "both cases of the second class have less of it than the case of the first"
    assert found["brier"] == pytest.approx((0.5 + 2 * 0.75**2 + 2) / 3)
    assert found["accuracy"] == pytest.approx(1 / 3)
    assert found["zeros"] == pytest.approx(1 / 3)


def test_only_complete_contenders_count_and_folds_are_averaged(scores):
    assert scores.contenders == ["a", "b", "c"]
    assert scores.mean("bits", "a") == pytest.approx(7 / 3)
    assert scores.median("bits", "b") == 3
    assert scores.on("u", "bits", "c") == 5
    assert scores.of_sets(["t", "u"]).mean("bits", "a") == 3


def test_equals_share_their_ranks_and_the_direction_follows_the_measure(scores):
    assert scores.ranks("bits", ["a", "b", "c"]) == pytest.approx({"a": 4.5 / 3, "b": 4.5 / 3, "c": 3.0})
    upside_down = Scores({**scores.frames, "auc": scores.frames["bits"]})
    assert upside_down.ranks("auc", ["a", "c"]) == {"a": 2.0, "c": 1.0}
    assert scores.best("bits", ["c", "b"]) == "b"
    assert upside_down.best("auc", ["c", "b"]) == "c"


def test_a_record_counts_sets_won_tied_and_lost(scores):
    versus = scores.versus("bits", "a", "b")
    assert versus.record == "1/1/1"
    assert versus.gains.to_dict() == {"s": 0.0, "t": 1.0, "u": -1.0}
    assert scores.versus("bits", "a", "c").mean == pytest.approx(4 / 3)
