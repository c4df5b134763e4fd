"""Estimators from trees that were grown elsewhere answer as these did, and prune and smooth as a fit would."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from tests.plain import plain_classifier

import petree
from petree import ProbabilityTreeClassifier, Tree
from petree.pruning import MEMBERS, Context, Rand, ReducedError, SubtreeRandomisation
from petree.pruning.engine.routed_cases import RoutedCases
from petree.storage import dumps, loads

from_sklearn = ProbabilityTreeClassifier.from_sklearn
from_tree = ProbabilityTreeClassifier.from_tree


def make_data(seed: int, n_rows: int = 200, share_missing: float = 0.1) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4)).round(1)
    X[rng.random(X.shape) < share_missing] = np.nan
    y = (np.nan_to_num(X[:, 0]) + rng.normal(size=n_rows) > 0).astype(int) + np.isnan(X[:, 1])
    return X, y


def near_thresholds(theirs: DecisionTreeClassifier, X: Any, seed: int) -> Any:
    """Rows with values at, and a few float64 or float32 steps around, thresholds of a tree; some are missing."""
    rng = np.random.default_rng(seed)
    new = X[rng.integers(0, len(X), 600)].copy()
    inner = theirs.tree_
    nodes = rng.choice(np.flatnonzero(np.isfinite(inner.threshold) & (inner.feature >= 0)), 600)
    steps = np.spacing(inner.threshold[nodes].astype(np.float32)).astype(float) * rng.choice([1.0, 0.5, 1e-8], 600)
    new[np.arange(600), inner.feature[nodes]] = inner.threshold[nodes] + steps * rng.integers(-2, 3, 600)
    new[rng.random(new.shape) < 0.05] = np.nan
    return new


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weighted", [False, True])
def test_it_answers_as_scikit_learn_does(seed: int, weighted: bool) -> None:
    X, y = make_data(seed)
    weight = np.random.default_rng(seed).random(len(y)) if weighted else None
    theirs = DecisionTreeClassifier(
        criterion=["gini", "entropy"][seed % 2], class_weight="balanced" if weighted else None, random_state=seed
    ).fit(X, y, sample_weight=weight)
    new = near_thresholds(theirs, X, seed)
    ours = from_sklearn(theirs)
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-12)
    pairs = {*zip(ours.apply(new).tolist(), theirs.apply(new).tolist(), strict=True)}
    assert len({one for one, _ in pairs}) == len({other for _, other in pairs}) == len(pairs)
    np.testing.assert_array_equal(ours.predict(new), theirs.predict(new))


def test_a_test_for_missing_values_alone_is_one_here_too() -> None:
    X = np.repeat([[1.0], [2.0], [np.nan]], 10, axis=0)
    theirs = DecisionTreeClassifier(max_depth=1).fit(X, np.isnan(X[:, 0]).astype(int))
    assert np.isinf(theirs.tree_.threshold[0])
    ours = from_sklearn(theirs, feature_names=["age"])
    assert ours.rules() == ["if age is missing then P(1)=1.00 (n=10)", "if age is not missing then P(0)=1.00 (n=20)"]
    assert loads(dumps(ours)).predict({"age": X[:, 0]}).tolist() == theirs.predict(X).tolist()


def test_values_that_a_constraint_moved_are_kept() -> None:
    X, y = make_data(8, share_missing=0)
    theirs = DecisionTreeClassifier(monotonic_cst=[-1, 0, 0, 0], max_depth=4, random_state=0).fit(X, y > 0)
    ours = from_sklearn(theirs)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)
    np.testing.assert_array_equal(loads(dumps(ours)).predict_proba(X), ours.predict_proba(X))


def test_names_and_labels_are_those_of_scikit_learn() -> None:
    X = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "size": [1.0, 1.0, 2.0, 2.0]})
    theirs = DecisionTreeClassifier(random_state=0).fit(X, ["no", "no", "yes", "yes"])
    ours = from_sklearn(theirs, smoothing="laplace")
    assert ours.feature_names_in_.tolist() == ["age", "size"]
    assert ours.classes_.tolist() == ["no", "yes"]
    assert (ours.n_classes_, ours.n_features_in_, ours.split) == (2, 2, "gini")
    assert ours.predict_proba(X)[0].tolist() == [0.75, 0.25]
    assert "feature_names_in_" not in vars(from_sklearn(DecisionTreeClassifier().fit(X.to_numpy(), [0, 0, 1, 1])))
    for names in (["age"], ["age", "age"]):
        with pytest.raises(ValueError, match="2 different names"):
            from_sklearn(theirs, feature_names=names)


def test_it_is_a_whole_estimator() -> None:
    X, y = make_data(1)
    ours = from_sklearn(DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y), smoothing="m_branch")
    for again in (pickle.loads(pickle.dumps(ours)), loads(dumps(ours))):
        np.testing.assert_array_equal(again.predict_proba(X), ours.predict_proba(X))
        assert again.export_text() == ours.export_text()
    lower, upper, n = ours.predict_interval(X)
    assert ((lower <= ours.predict_proba(X)) & (ours.predict_proba(X) <= upper)).all()
    assert n.tolist() == ours.tree_.sizes[ours.apply(X)].tolist()
    assert "certainty_" not in vars(ours)
    assert not clone(ours).__sklearn_is_fitted__()
    assert clone(ours).fit(X, y).get_depth() == 3
    assert petree.pruning.prune("mdl", ours.tree_).n_leaves == from_tree(ours.tree_, pruning="mdl").get_n_leaves()


# -- with the rows that the tree was grown from --------------------------------------------------------------------

WITH_ROWS = [name for name in MEMBERS if "held_out" not in MEMBERS[name]().needs]


@pytest.mark.parametrize("name", WITH_ROWS)
def test_with_its_rows_a_grown_tree_is_pruned_as_a_fit_would(name: str) -> None:
    rng = np.random.default_rng(3)
    X = pd.DataFrame({"a": rng.normal(size=120), "b": rng.choice(["u", "v", "w"], 120), "c": rng.normal(size=120)})
    y = np.where((X["a"] > 0) ^ (rng.random(120) < 0.2), "yes", "no")
    criteria = {"rand": Rand(permutations=20), "subtree_randomisation": SubtreeRandomisation(permutations=5)}
    criterion = criteria.get(name, MEMBERS[name]())
    settings: dict[str, Any] = {"min_samples_leaf": 2, "max_depth": 5, "random_state": 4}
    weight = rng.integers(0, 3, 120)
    fitted = plain_classifier(pruning=criterion, **settings).fit(X, y, weight)
    grown = plain_classifier(**settings).fit(X, y, weight).tree_
    # neither the counts nor the order of the rows that are given matter
    order = rng.permutation(120)
    other = grown.with_counts(grown.counts + 1)
    rows = {name: X[name].to_numpy()[order] for name in ("c", "b", "a")}
    made = from_tree(other, rows, y[order], weight[order], pruning=criterion, smoothing="laplace", **settings)
    assert made.export_text() == fitted.export_text()
    if not criterion.closes_nodes and not criterion.judges_while_growing:
        assert made.why() == fitted.why()
    np.testing.assert_allclose(made.predict_proba(X), fitted.predict_proba(X), atol=1e-12)


def test_what_is_chosen_on_folds_is_chosen_as_in_a_fit() -> None:
    X, y = make_data(5)
    fitted = ProbabilityTreeClassifier(min_samples_leaf=2).fit(X, y)
    grown = plain_classifier(min_samples_leaf=2).fit(X, y).tree_
    made = from_tree(grown, X, y, pruning="default", smoothing="default", min_samples_leaf=2)
    assert made.export_text() == fitted.export_text()
    assert (made.tuning_, made.certainty_, made.sizes_.bits) == (fitted.tuning_, fitted.certainty_, fitted.sizes_.bits)


def test_class_weights_of_scikit_learn_come_along_with_its_rows() -> None:
    X, y = make_data(2, share_missing=0)
    theirs = DecisionTreeClassifier(max_depth=3, class_weight={0: 1, 1: 5}, random_state=0).fit(X, y > 0)
    ours = from_sklearn(theirs, X, y > 0)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    assert ours.tree_.counts[0].tolist() == np.bincount(y > 0).tolist()
    assert ours.class_weight == {0: 1, 1: 5}


# -- with rows that it has not seen --------------------------------------------------------------------------------


def test_unseen_rows_decide_on_reduced_errors() -> None:
    X, y = make_data(6, 400)
    theirs = DecisionTreeClassifier(random_state=0).fit(X[:200], y[:200])
    tree = Tree.from_sklearn(theirs)
    plain = from_sklearn(theirs)
    routed = RoutedCases(plain.apply(X[200:]), y[200:], np.ones(200))
    expected = ReducedError().prune(tree, Context(held_out=routed))
    made = from_sklearn(theirs, X[200:], y[200:], held_out=True, pruning="reduced_error")
    np.testing.assert_array_equal(made.tree_.counts, expected.counts)
    assert 1 < made.get_n_leaves() < tree.n_leaves
    assert made.certainty_.each > 0


def test_unseen_rows_choose_the_smoothing_and_the_size() -> None:
    X, y = make_data(7, 400)
    theirs = DecisionTreeClassifier(random_state=0).fit(X[:200], y[:200])
    made = from_sklearn(theirs, X[200:], y[200:], held_out=True, smoothing=petree.smoothing.MEstimate("auto"))
    losses = [
        petree.metrics.log2_likelihood(
            y[200:], from_sklearn(theirs, smoothing=petree.smoothing.MEstimate(m)).predict_proba(X[200:])
        )
        for (m,) in made.tuning_.tried
    ]
    np.testing.assert_allclose(made.tuning_.losses, -np.array(losses))
    sized = from_sklearn(theirs, X[200:], y[200:], held_out=True, smoothing="laplace", pruning="best_size")
    assert sized.get_n_leaves() < theirs.get_n_leaves()
    best = np.argmin(sized.sizes_.bits)
    of_size = sized.resized(sized.sizes_.n_leaves[best])
    told = petree.metrics.log2_likelihood(y[200:], of_size.predict_proba(X[200:]))
    assert sized.sizes_.bits[best] == pytest.approx(-told, abs=1e-9)


# -- what is refused -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in MEMBERS if MEMBERS[name]().needs or MEMBERS[name].chooses_size])
def test_counts_alone_are_not_enough_for_some(name: str) -> None:
    grown = plain_classifier(max_depth=2).fit(*make_data(0)).tree_
    with pytest.raises(ValueError, match=r"not only the counts of a tree|give X and y"):
        from_tree(grown, pruning=name)
    with pytest.raises(ValueError, match="give X and y"):
        from_tree(grown, smoothing="default")


def test_seen_rows_are_not_held_out() -> None:
    X, y = make_data(0)
    grown = plain_classifier(max_depth=2).fit(X, y).tree_
    with pytest.raises(ValueError, match="cases that the tree was not grown from"):
        from_tree(grown, X, y, pruning="reduced_error")
    with pytest.raises(ValueError, match="the rows of every node"):
        from_tree(grown, X, y, held_out=True, pruning="rand")


def test_bad_trees_and_rows_are_refused() -> None:
    X, y = make_data(0)
    two_targets = DecisionTreeClassifier().fit(X, np.column_stack((y, y)))
    for model in (two_targets, DecisionTreeRegressor().fit(X, y), DecisionTreeClassifier()):
        with pytest.raises(TypeError, match="with one target"):
            from_sklearn(model)
    with pytest.raises(TypeError, match="must be a petree Tree"):
        from_tree(two_targets)
    with pytest.raises(ValueError, match="not about columns of one table"):
        from_tree(Tree.from_counts([[1, 2], [3, 4]]))
    grown = plain_classifier(max_depth=2).fit(X, y).tree_
    for rows in ({"X": X}, {"y": y}, {"sample_weight": np.ones(200)}, {"held_out": True}):
        with pytest.raises(ValueError, match="X and y together"):
            from_tree(grown, **rows)
    with pytest.raises(ValueError, match="4 features"):
        from_tree(grown, X[:, :2], y)
    with pytest.raises(ValueError, match="y has the class 9"):
        from_tree(grown, X, np.full(200, 9))
    for setting in ({"first_test": "x0"}, {"honest": True}):
        with pytest.raises(ValueError, match="say how a tree is grown"):
            from_tree(grown, **setting)


def test_classes_are_sorted() -> None:
    X, y = make_data(0)
    grown = plain_classifier(max_depth=2).fit(X, y).tree_
    turned = replace(grown, counts=grown.counts[:, ::-1], classes=("c", "b", "a")[: grown.n_classes])
    model = from_tree(turned)
    assert model.classes_.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(model.tree_.counts, grown.counts)
