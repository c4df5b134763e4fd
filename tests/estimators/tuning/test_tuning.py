"""Parameters that are "auto": chosen as the slow definition says, at the cost of a few fits."""

from __future__ import annotations

import warnings
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import GridSearchCV
from tests.estimators.tuning.tuned import Tilted, folds_of, make_data, slow_loss
from tests.plain import plain_classifier

from petree.estimators.learning import held_out, recipe
from petree.estimators.tuning.finish import FOLDS_OF_SMALL as FOLDS
from petree.smoothing import Average, Curtailment, Doubt, Hierarchical, Laplace, MBranch, MEstimate


@pytest.mark.filterwarnings("ignore:The weights are whole numbers")
@pytest.mark.parametrize(
    ("weights", "parameters"),
    [("ones", {}), ("whole", {"tests": "multiway", "max_depth": 3}), ("fractions", {"class_weight": {0: 3.0}})],
    ids=str,
)
@pytest.mark.parametrize("smoothing", [Hierarchical(), MBranch(), Curtailment(), Tilted(0.0)], ids=repr)
def test_losses_are_those_of_the_slow_definition(weights: str, parameters: Any, smoothing: Any) -> None:
    X, y = make_data()
    rng = np.random.default_rng(1)
    sample_weight = {"ones": np.ones(150), "whole": rng.integers(1, 4, 150), "fractions": rng.random(150)}[weights]
    y[y == 2] = 0  # Laplace and others know how many classes there are, so every fold must have all
    y[::5] = 2
    (name,) = smoothing.candidates
    auto = plain_classifier(smoothing=clone(smoothing).set_params(**{name: "auto"}), **parameters)
    tuning = auto.fit(X, y, sample_weight).tuning_
    assert tuning.names == (name,)
    assert tuning.tried == tuple((value,) for value in smoothing.candidates[name])
    folds = folds_of(X, y, sample_weight)
    expected = [slow_loss(auto.set_params(**{f"smoothing__{name}": value}), X, y, folds) for (value,) in tuning.tried]
    np.testing.assert_allclose(tuning.losses, expected, rtol=1e-9)
    total = sum(own.sum() for _, own in folds)
    priors = np.arange(len(expected))[::-1] / total
    np.testing.assert_allclose(tuning.priors, priors)
    assert tuning.chosen == {name: tuning.tried[int(np.argmin(expected + priors))][0]}


def test_the_chosen_value_is_used_and_the_parameter_stays_auto() -> None:
    X, y = make_data()
    model = plain_classifier(smoothing=Hierarchical("auto")).fit(X, y)
    value = model.tuning_.chosen["shrinkage"]
    assert model.smoothing.shrinkage == "auto"
    assert model.smoothing_.shrinkage == value
    assert min(model.tuning_.losses) < max(model.tuning_.losses)
    given = plain_classifier(smoothing=Hierarchical(value)).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), given.predict_proba(X))
    assert not hasattr(given, "tuning_")
    assert given.smoothing_ is not given.smoothing
    assert given.smoothing_.get_params() == given.smoothing.get_params()


def test_a_later_fit_without_auto_forgets_the_tuning() -> None:
    X, y = make_data()
    model = plain_classifier(smoothing=MEstimate("auto")).fit(X, y)
    assert hasattr(model, "tuning_")
    assert not hasattr(model.set_params(smoothing="laplace").fit(X, y), "tuning_")
    assert type(model.smoothing_) is Laplace


def test_a_tie_goes_to_the_strongest_value() -> None:
    model = plain_classifier(smoothing=Curtailment("auto")).fit(np.zeros((9, 1)), [0, 1, 1] * 3)
    assert len(set(model.tuning_.losses)) == 1
    assert model.tuning_.chosen == {"v": Curtailment.candidates["v"][-1]}


# -- several parameters ------------------------------------------------------------------------------------------


def test_two_parts_are_tuned_jointly() -> None:
    X, y = make_data()
    y[::5] = 2
    model = plain_classifier(smoothing=Average([Hierarchical("auto"), MEstimate("auto")])).fit(X, y)
    tuning = model.tuning_
    assert tuning.names == ("0__shrinkage", "1__m")
    assert tuning.tried == tuple(product(Hierarchical.candidates["shrinkage"], MEstimate.candidates["m"]))
    steps = np.add.outer(np.arange(10)[::-1], np.arange(10)[::-1]).ravel()
    shrinkage, m = tuning.tried[int(np.argmin(np.array(tuning.losses) + steps / 150))]
    assert tuning.chosen == {"0__shrinkage": shrinkage, "1__m": m}
    assert repr(model.smoothing_) == repr(Average((Hierarchical(shrinkage), MEstimate(m))))
    for place in (0, 7, 42, 99):
        values = dict(zip(tuning.names, tuning.tried[place], strict=True))
        slow = plain_classifier(smoothing=clone(model.smoothing).set_params(**values))
        expected = slow_loss(slow, X, y, folds_of(X, y, np.ones(150)))
        assert tuning.losses[place] == pytest.approx(expected, rel=1e-9)


def test_parts_of_parts_are_tuned() -> None:
    nested = Average(["laplace", Average([Hierarchical("auto")])])
    model = plain_classifier(smoothing=nested).fit(*make_data())
    assert model.tuning_.names == ("1__0__shrinkage",)
    assert model.smoothing_.get_params()["1__0__shrinkage"] == model.tuning_.chosen["1__0__shrinkage"]


def test_parts_that_answer_row_by_row_are_tuned_with_the_others() -> None:
    X, y = make_data()
    both = plain_classifier(smoothing=Average([MEstimate("auto"), Tilted("auto")])).fit(X, y).tuning_
    assert len(both.tried) == 30
    for share in Tilted.candidates["share"]:
        one = plain_classifier(smoothing=Average([MEstimate("auto"), Tilted(share)])).fit(X, y).tuning_
        row = [loss for values, loss in zip(both.tried, both.losses, strict=True) if values[1] == share]
        np.testing.assert_allclose(one.losses, row, rtol=1e-12)


def test_each_fold_grows_one_tree_and_asks_each_part_once_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = {"grow": 0, "estimate": 0}
    grow, estimate = recipe.grow, Hierarchical.estimate

    def counted_grow(*given: Any) -> Any:
        calls["grow"] += 1
        return grow(*given)

    def counted_estimate(self: Any, tree: Any) -> Any:
        calls["estimate"] += 1
        return estimate(self, tree)

    monkeypatch.setattr(recipe, "grow", counted_grow)
    monkeypatch.setattr(Hierarchical, "estimate", counted_estimate)
    X, y = make_data()
    plain_classifier(smoothing=Average([Hierarchical("auto"), Hierarchical("auto")])).fit(X, y)
    # and both parts once more for the tree, and in each fold for what its leaves are worth
    assert calls == {"grow": FOLDS + 1, "estimate": FOLDS * 20 + (FOLDS + 1) * 2}


def test_estimates_may_be_held_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = make_data()
    model = plain_classifier(smoothing=Hierarchical("auto"))
    together = model.fit(X, y).tuning_
    monkeypatch.setattr(held_out, "CELLS", 1)
    assert model.fit(X, y).tuning_ == together


def every_third(own: Any) -> Any:
    """The weights of every third row that has one."""
    kept = np.zeros(len(own))
    rows = np.flatnonzero(own)[::3]
    kept[rows] = own[rows]
    return kept


@pytest.mark.parametrize("smoothing", [Hierarchical("auto"), Doubt("auto"), Tilted()], ids=repr)
def test_of_many_rows_an_even_sample_is_answered_one_by_one(monkeypatch: pytest.MonkeyPatch, smoothing: Any) -> None:
    X, y = make_data()
    y[::5] = 2
    weights = np.random.default_rng(1).random(150)
    monkeypatch.setattr(held_out, "MOST_ROWS", 10)
    model = plain_classifier(smoothing=smoothing)
    tuning = model.fit(X, y, weights).tuning_
    folds = folds_of(X, y, weights)
    if smoothing.by_row:
        assert {np.count_nonzero(own) for _, own in folds} == {30}
        folds = [(learn, every_third(own)) for learn, own in folds]
    for place in (0, -1):
        values = dict(zip(tuning.names, tuning.tried[place], strict=True))
        slow = plain_classifier(smoothing=clone(smoothing).set_params(**values))
        assert tuning.losses[place] == pytest.approx(slow_loss(slow, X, y, folds), rel=1e-9)


# -- folds -------------------------------------------------------------------------------------------------------


def test_neither_threads_nor_a_generator_matter_but_a_seed_does() -> None:
    X, y = make_data(400)
    model = plain_classifier(smoothing=Hierarchical("auto"))
    first = clone(model).fit(X, y).tuning_
    for parameters in ({"n_jobs": 2}, {"n_jobs": 3}, {"random_state": np.random.RandomState(5)}, {"random_state": 0}):
        assert clone(model).set_params(**parameters).fit(X, y).tuning_ == first
    assert clone(model).set_params(random_state=1).fit(X, y).tuning_ != first


def test_groups_are_held_out_whole() -> None:
    X, y = make_data()
    y[y == 2] = 0
    copies, groups = pd.concat([X] * 4, ignore_index=True), np.tile(np.arange(150), 4)
    model = plain_classifier(smoothing=Hierarchical("auto"))
    apart = clone(model).fit(copies, np.tile(y, 4)).tuning_
    whole = clone(model).fit(copies, np.tile(y, 4), groups=groups).tuning_
    # A copy among the training rows gives the class away; only with groups are there none.
    assert apart.losses[0] < 0.5 * whole.losses[0]
    assert apart.chosen["shrinkage"] < whole.chosen["shrinkage"]
    weights = np.tile(np.arange(150) % 7 > 0, 4)
    kept = np.flatnonzero(weights)
    dropped = clone(model).fit(copies, np.tile(y, 4), weights, groups).tuning_
    assert dropped == clone(model).fit(copies.iloc[kept], np.tile(y, 4)[kept], groups=groups[kept]).tuning_


def test_one_group_alone_is_refused_where_folds_are_needed() -> None:
    X, y = make_data(30)
    with pytest.raises(ValueError, match="all rows into one group"):
        plain_classifier(smoothing=Hierarchical("auto")).fit(X, y, groups=np.zeros(30))
    assert plain_classifier().fit(X, y, groups=np.zeros(30)).get_n_leaves() > 1
    with pytest.raises(ValueError, match="groups has 29 labels"):
        plain_classifier().fit(X, y, groups=np.zeros(29))


@pytest.mark.parametrize("labels", [[0, 1], [0, 1, 2], [0, 1, 1, 1, 1, 1, 1, 2], [*range(9)]])
def test_very_few_rows_of_a_class_are_enough(labels: list[int]) -> None:
    X = np.arange(len(labels), dtype=float)[:, None]
    model = plain_classifier(smoothing=MEstimate("auto")).fit(X, labels)
    assert np.isfinite(model.tuning_.losses).all()
    assert model.predict_proba(X).shape[1] == len(set(labels))


@pytest.mark.parametrize("binning", ["quantile", "exact", "entropy"])
def test_a_column_may_be_empty_in_a_fold(binning: str) -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack((rng.normal(size=60), np.full(60, np.nan)))
    X[7, 1] = 1.0
    y = (X[:, 0] > 0).astype(int)
    model = plain_classifier(smoothing=MEstimate("auto"), binning=binning).fit(X, y)
    assert model.score(X, y) == 1


def test_warnings_come_once() -> None:
    X, y = make_data()
    X["empty"] = np.nan
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        plain_classifier(smoothing=MEstimate("auto"), class_weight={0: 2.0}).fit(X, y)
    assert [str(warning.message)[:20] for warning in caught] == ["Column 'empty' has n"]
    assert {warning.filename for warning in caught} == {__file__}


# -- what cannot be tuned ------------------------------------------------------------------------------------------


def test_a_parameter_without_candidates_is_refused_before_anything_is_read() -> None:
    class Mine(BaseEstimator):
        def __init__(self, weight: Any = "auto") -> None:
            self.weight = weight

        def estimate(self, tree: Any) -> Any:
            return Laplace().estimate(tree)

    with pytest.raises(ValueError, match="'weight' parameter of Mine cannot be 'auto', since its 'candidates' name no"):
        plain_classifier(smoothing=Mine()).fit(None, None)
    with pytest.raises(ValueError, match="'prior' parameter of MEstimate cannot be 'auto'"):
        plain_classifier(smoothing=MEstimate(prior="auto")).fit(None, None)


def test_an_estimate_without_parameters_need_not_be_an_estimator() -> None:
    class Plain:
        def estimate(self, tree: Any) -> Any:
            return Laplace().estimate(tree)

    X, y = make_data()
    model = plain_classifier(smoothing=Plain()).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), plain_classifier().fit(X, y).predict_proba(X))


def test_auto_can_be_one_of_the_values_of_a_search() -> None:
    X, y = make_data()
    grid = {"smoothing__shrinkage": [0.0, "auto"]}
    search = GridSearchCV(plain_classifier(smoothing=Hierarchical()), grid, scoring="neg_log_loss", cv=2)
    assert search.fit(X, np.where(y == 2, 0, y)).best_params_ == {"smoothing__shrinkage": "auto"}
