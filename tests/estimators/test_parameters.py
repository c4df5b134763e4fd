"""Every wrong value of a parameter is refused at fit, with its name, what it may be, and what it was."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.plain import plain_classifier

from petree.binning import Entropy, Quantile
from petree.smoothing import Laplace
from petree.splitting import Gain

FRAME = pd.DataFrame({"size": [1.0, 2.0, 3.0, 4.0], "tone": ["red", "red", "blue", "blue"]})
PARAMETERS = [
    ({"min_samples_leaf": 0}, ValueError, "'min_samples_leaf' .* integer not below 1, or a share of the .* Got 0"),
    ({"min_samples_leaf": 1.5}, ValueError, "'min_samples_leaf' .* share of the rows between 0 and 1. Got 1.5"),
    ({"min_samples_leaf": 1.0}, ValueError, "'min_samples_leaf' .* share of the rows between 0 and 1. Got 1.0"),
    ({"min_samples_leaf": True}, ValueError, "'min_samples_leaf' .* share of the rows between 0 and 1. Got True"),
    ({"min_samples_leaf": "12"}, ValueError, "'min_samples_leaf' .* share of the rows between 0 and 1. Got '12'"),
    ({"min_samples_leaf": None}, ValueError, "'min_samples_leaf' .* share of the rows between 0 and 1. Got None"),
    ({"max_leaf_nodes": 0}, ValueError, "'max_leaf_nodes' .* integer not below 1. Got 0"),
    ({"max_leaf_nodes": 1.5}, ValueError, "'max_leaf_nodes' .* integer not below 1. Got 1.5"),
    ({"max_leaf_nodes": "12"}, ValueError, "'max_leaf_nodes' .* integer not below 1. Got '12'"),
    ({"max_leaf_nodes": True}, ValueError, "'max_leaf_nodes' .* integer not below 1. Got True"),
    ({"max_depth": 0}, ValueError, "'max_depth' .* integer not below 1. Got 0"),
    ({"max_depth": "3"}, ValueError, "'max_depth' .* Got '3'"),
    ({"min_gain": -1}, ValueError, "'min_gain' .* not below 0. Got -1"),
    ({"min_gain": np.nan}, ValueError, "'min_gain' .* finite .* Got nan"),
    ({"min_gain": None}, ValueError, "'min_gain' .* Got None"),
    ({"tests": "ternary"}, ValueError, "'tests' .* one of binary, sets, multiway. Got 'ternary'"),
    ({"tests": None}, ValueError, "'tests' .* Got None"),
    ({"binning": "foo"}, ValueError, "binning 'foo'; valid names are entropy, exact, quantile"),
    ({"binning": "quantiles"}, ValueError, "Did you mean 'quantile'?"),
    ({"binning": None}, TypeError, "'binning' .* entropy, exact, quantile.* Got None"),
    ({"binning": Quantile}, TypeError, "'binning' .* Got <class"),
    ({"binning": Quantile(max_bins=1)}, ValueError, "'max_bins' parameter of Quantile .* Got 1"),
    ({"binning": Entropy(max_thresholds=0)}, ValueError, "'max_thresholds' parameter of Entropy .* Got 0"),
    ({"binning": Entropy(stop="early")}, ValueError, "'stop' parameter of Entropy .* Got 'early'"),
    ({"split": "foo"}, ValueError, "split 'foo'; valid names are .*gain"),
    ({"split": Gain}, TypeError, "'split' .*gain.* Got <class"),
    ({"pruning": "foo"}, ValueError, "pruning 'foo'; valid names are .*none"),
    ({"pruning": None}, TypeError, "'pruning' .*none.* Got None"),
    ({"smoothing": "foo"}, ValueError, "smoothing 'foo'; valid names are .*laplace, .*none"),
    ({"smoothing": Laplace}, TypeError, "'smoothing' .*laplace.* Got <class"),
    ({"n_jobs": 0}, ValueError, "'n_jobs' .* Got 0"),
    ({"categorical_features": "size"}, ValueError, "'categorical_features' .* Got 'size'"),
    ({"categorical_features": 1}, (TypeError, ValueError), "categorical_features"),
    ({"categorical_features": [[1]]}, (TypeError, ValueError), "categorical_features"),
    ({"categorical_features": [True]}, ValueError, "categorical_features .* 2 entries"),
    ({"categorical_features": [2]}, ValueError, "categorical_features names 2"),
    ({"categorical_features": [-1]}, ValueError, "categorical_features names -1"),
    ({"categorical_features": ["taste"]}, ValueError, "categorical_features names 'taste'"),
    ({"categorical_features": ["size"]}, TypeError, "'tone' holds categories, but categorical_features"),
    ({"categorical_features": None}, TypeError, "'tone' holds categories, but categorical_features"),
    ({"categorical_features": [1.0]}, ValueError, "categorical_features"),
]


@pytest.mark.parametrize(("parameters", "error", "words"), PARAMETERS, ids=[str(case[0]) for case in PARAMETERS])
def test_parameters(parameters: dict[str, Any], error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        plain_classifier(**parameters).fit(FRAME, [0, 1, 0, 1])


def test_a_split_score_of_ones_own_grows_a_tree() -> None:
    class Mine:
        def score(self, counts: Any) -> Any:
            return Gain().score(counts)

    rng = np.random.default_rng(0)
    X = pd.DataFrame({"size": rng.normal(size=60), "tone": rng.choice(["red", "blue"], 60)})
    y = (X["size"] > 0) ^ (X["tone"] == "red")
    model = plain_classifier(split=Mine()).fit(X, y)
    assert model.rules() == plain_classifier().fit(X, y).rules()
    assert isinstance(model.split_, Mine)
