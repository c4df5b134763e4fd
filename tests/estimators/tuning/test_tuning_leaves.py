"""Estimates in which all leaves answer, and means of many combinations: tuned as the slow definition says."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from tests.estimators.tuning.tuned import folds_of, make_data, slow_loss
from tests.plain import plain_classifier

from petree.estimators.tuning import finish as tuner
from petree.estimators.tuning.finish import FOLDS_OF_SMALL as FOLDS
from petree.estimators.tuning.grid import Grid, to_be_tuned
from petree.routing import Router
from petree.smoothing import Average, Confusion, Doubt, Hierarchical, MBranch, MEstimate


@pytest.mark.parametrize("member", [Doubt, Confusion])
@pytest.mark.parametrize("weights", ["ones", "fractions"])
def test_leaves_are_tuned_jointly_with_their_say(member: Any, weights: str) -> None:
    X, y = make_data()
    y[::5] = 2
    sample_weight = np.ones(150) if weights == "ones" else np.random.default_rng(1).random(150)
    (own,) = member.candidates
    model = plain_classifier(smoothing=member("auto", Hierarchical("auto"))).fit(X, y, sample_weight)
    tuning = model.tuning_
    assert tuning.names == (own, "leaf__shrinkage")
    assert tuning.tried == tuple(product(member.candidates[own], Hierarchical.candidates["shrinkage"]))
    assert model.smoothing_.get_params(deep=True).items() >= tuning.chosen.items()
    for place in (0, 7, 42, 99):
        slow = plain_classifier(smoothing=member(tuning.tried[place][0], Hierarchical(tuning.tried[place][1])))
        expected = slow_loss(slow, X, y, folds_of(X, y, sample_weight))
        assert tuning.losses[place] == pytest.approx(expected, rel=1e-9)


def test_leaves_inside_a_mean_are_tuned_jointly() -> None:
    X, y = make_data()
    y[::5] = 2
    both = Average([Doubt(0.2, Hierarchical("auto")), Doubt("auto", "none"), "laplace"])
    tuning = plain_classifier(smoothing=both).fit(X, y).tuning_
    assert tuning.names == ("0__leaf__shrinkage", "1__doubt")
    assert tuning.parts == ()
    for place in (3, 77):
        shrinkage, doubt = tuning.tried[place]
        mean = Average([Doubt(0.2, Hierarchical(shrinkage)), Doubt(doubt, "none"), "laplace"])
        expected = slow_loss(plain_classifier(smoothing=mean), X, y, folds_of(X, y, np.ones(150)))
        assert tuning.losses[place] == pytest.approx(expected, rel=1e-9)


def test_leaves_of_all_values_are_heard_together(monkeypatch: pytest.MonkeyPatch) -> None:
    n_columns, doubted = [], Router.doubted_probabilities

    def counted(self: Any, table: Any, node_probabilities: Any, *given: Any) -> Any:
        n_columns.append(node_probabilities.shape[1])
        return doubted(self, table, node_probabilities, *given)

    monkeypatch.setattr(Router, "doubted_probabilities", counted)
    tuning = plain_classifier(smoothing=Doubt("auto", Hierarchical("auto"))).fit(*make_data()).tuning_
    assert len(tuning.tried) == 100
    assert n_columns == [3 * 10] * (FOLDS * 10)


def test_of_too_many_combinations_each_part_is_tuned_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = make_data()
    y[::5] = 2
    parts = Doubt("auto", Hierarchical("auto")), MBranch("auto")
    mean = plain_classifier(smoothing=Average((parts[0], "laplace", parts[1]))).fit(X, y)
    tuning = mean.tuning_
    for place, inner, part in zip("02", tuning.parts, parts, strict=True):
        alone = plain_classifier(smoothing=part).fit(X, y).tuning_
        assert inner.names == tuple(f"{place}__{name}" for name in alone.names)
        assert inner.tried == alone.tried
        np.testing.assert_allclose(inner.losses, alone.losses, rtol=1e-12)
        assert inner.chosen.items() <= tuning.chosen.items()
    assert tuning.names == ("0__doubt", "0__leaf__shrinkage", "2__m")
    assert mean.smoothing_.get_params().items() >= tuning.chosen.items()
    expected = slow_loss(mean.set_params(smoothing=mean.smoothing_), X, y, folds_of(X, y, np.ones(150)))
    assert tuning.losses == (pytest.approx(expected, rel=1e-9),)
    monkeypatch.setattr(tuner, "MOST_COMBINATIONS", 1000)
    jointly = plain_classifier(smoothing=Average((parts[0], "laplace", parts[1]))).fit(X, y).tuning_
    assert (len(jointly.tried), jointly.parts) == (1000, ())
    assert min(jointly.losses) <= tuning.losses[0]


def test_parts_of_parts_are_tuned_by_themselves_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuner, "MOST_COMBINATIONS", 50)
    inner = Average((Hierarchical("auto"), MBranch("auto")))
    tuning = plain_classifier(smoothing=Average((MEstimate("auto"), inner))).fit(*make_data()).tuning_
    assert tuning.names == ("0__m", "1__0__shrinkage", "1__1__m")
    assert [part.names for part in tuning.parts] == [("0__m",), ("1__0__shrinkage", "1__1__m")]
    assert [part.names for part in tuning.parts[1].parts] == [("1__0__shrinkage",), ("1__1__m",)]


def test_a_leaf_that_looks_at_the_row_is_refused() -> None:
    with pytest.raises(ValueError, match="'leaf' parameter of Doubt must be a smoothing of leaves"):
        plain_classifier(smoothing=Doubt("auto", "confusion")).fit(*make_data())


def test_everything_that_can_be_is_to_be_tuned() -> None:
    grid = Grid.of(to_be_tuned(Average(("doubt", Confusion(leaf="m_branch"), "laplace"))))
    assert grid.names == ("0__doubt", "0__leaf__shrinkage", "1__factor", "1__leaf__m")
    assert grid.n_combinations == len(grid.combinations) == 10**4
    one = grid.at(dict(zip(grid.names, (0.1, 2.0, 0.3, 4.0), strict=True)))
    assert one.combinations == ((0.1, 2.0, 0.3, 4.0),)
    (member,) = one.variants
    assert repr(member) == (
        "Average(parts=(Doubt(leaf=Hierarchical(shrinkage=2.0)),\n               Confusion(leaf=MBranch()), 'laplace'))"
    )
