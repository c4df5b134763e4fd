"""Rows that come some after the other."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plain import plain_classifier

import petree
from petree import ProbabilityTreeClassifier


class Declared:
    """Cuts that no row changes."""

    looks_at_classes = False

    def thresholds(self, values, classes, weights, n_classes):
        return np.arange(0.5, 8)


def make(seed=0, n_rows=300):
    random = np.random.default_rng(seed)
    X = random.integers(0, 8, (n_rows, 4)).astype(float)
    X[random.random(X.shape) < 0.05] = np.nan
    signal = np.nan_to_num(X[:, 0]) + 2 * (np.nan_to_num(X[:, 1]) > 3)
    return X, np.digitize(signal + random.normal(0, 2, n_rows), [4, 7])


def assert_same(model, other):
    tree = model.tree_
    assert list(map(str, tree.conditions)) == list(map(str, other.tree_.conditions))
    np.testing.assert_array_equal(tree.counts, other.tree_.counts)
    np.testing.assert_array_equal(tree.sizes, other.tree_.sizes)
    np.testing.assert_array_equal(tree.n_tests, other.tree_.n_tests)
    # sums of fractions depend on the order of the rows
    np.testing.assert_allclose(tree.annotations["gain"], other.tree_.annotations["gain"], rtol=1e-9)
    np.testing.assert_allclose(model.node_probabilities_, other.node_probabilities_, rtol=1e-9)


@settings(max_examples=13, deadline=None)
@given(
    seed=st.integers(0, 1000),
    ends=st.sets(st.integers(20, 99), max_size=4),
    split=st.sampled_from(["gain", "gini", "bayes", "gain_ratio"]),
    is_weighted=st.booleans(),
)
def test_rows_in_any_order_and_pieces_give_the_tree_of_one_fit(seed, ends, split, is_weighted):
    X, y = make(seed, 100)
    random = np.random.default_rng(seed)
    weights = random.integers(1, 4, 100).astype(float) if is_weighted else np.ones(100)
    parameters = {"split": split, "update_ratio": 1.0, "binning": Declared(), "class_weight": "balanced"}
    whole = plain_classifier(**parameters).fit(X, y, weights, classes=[0, 1, 2])
    model = plain_classifier(**parameters)
    for rows in np.split(random.permutation(100), sorted(ends)):
        model.partial_fit(X[rows], y[rows], classes=[0, 1, 2], sample_weight=weights[rows])
    assert_same(model, whole)
    assert model.n_rows_kept_ == 100


def test_numbers_are_cut_where_the_first_rows_say():
    X, y = make()
    model = plain_classifier(update_ratio=1.0).partial_fit(X[:40], y[:40], [0, 1, 2]).partial_fit(X[40:], y[40:])
    values = {float(cut) for column in X[:40].T for cut in np.unique(column[~np.isnan(column)])}
    cuts = model.tree_.conditions.value[model.tree_.conditions.kind == petree.conditions.THRESHOLD]
    assert all(any(low < cut <= low + 1 for low in values) for cut in cuts)


def test_rows_between_two_looks_are_counted():
    X, y = make()
    model = plain_classifier(update_ratio=10.0).partial_fit(X[:200], y[:200], [0, 1, 2])
    before = list(map(str, model.tree_.conditions))
    model.partial_fit(X[200:], y[200:])
    assert list(map(str, model.tree_.conditions)) == before
    np.testing.assert_array_equal(model.tree_.counts[0], np.bincount(y))
    assert model.tree_.sizes[0] == 300
    leaves = model.apply(X)
    for leaf in np.unique(leaves):
        np.testing.assert_array_equal(model.tree_.counts[leaf], np.bincount(y[leaves == leaf], minlength=3))


def test_a_look_comes_when_the_rows_have_grown_by_the_share():
    X, y = make()
    model = plain_classifier(update_ratio=2.0).partial_fit(X[:100], y[:100], [0, 1, 2])
    n_nodes = model.tree_.n_nodes
    model.partial_fit(X[100:149], y[100:149])
    assert model.tree_.n_nodes == n_nodes
    model.partial_fit(X[149:150], y[149:150])
    assert model.tree_.n_nodes > n_nodes


@pytest.mark.parametrize("pruning", ["default", "rand", "bic", "cost_complexity", "reduced_error", "chi"])
def test_every_pruning_goes(pruning):
    X, y = make()
    model = ProbabilityTreeClassifier(pruning=pruning, random_state=0)
    for rows in np.split(np.arange(300), [50, 100, 200]):
        model.partial_fit(X[rows], y[rows], [0, 1, 2])
    assert model.tree_.sizes[0] == 300 or pruning == "reduced_error"
    assert model.predict_proba(X).shape == (300, 3)


def test_beyond_the_most_rows_none_is_kept_and_new_ones_are_counted():
    X, y = make()
    model = plain_classifier(max_rows_kept=150).partial_fit(X[:100], y[:100], [0, 1, 2])
    assert model.n_rows_kept_ == 100
    model.partial_fit(X[100:200], y[100:200])
    assert model.n_rows_kept_ == 0
    n_nodes = model.tree_.n_nodes
    model.partial_fit(X[200:], y[200:])
    assert (model.tree_.n_nodes, model.tree_.sizes[0]) == (n_nodes, 300)


def test_a_fitted_model_counts(tmp_path):
    X, y = make()
    fitted = plain_classifier(first_test="x1").fit(X[:200], y[:200])
    path = tmp_path / "model.json"
    petree.save(fitted, path)
    for model in (fitted, petree.load(path)):
        before = list(map(str, model.tree_.conditions))
        assert model.n_rows_kept_ == 0
        model.partial_fit(X[200:], y[200:])
        assert list(map(str, model.tree_.conditions)) == before
        np.testing.assert_array_equal(model.tree_.counts[0], np.bincount(y))


def test_a_model_file_keeps_the_parameters_and_no_rows(tmp_path):
    X, y = make()
    model = plain_classifier(update_ratio=2.0, fix_ratio=50.0, max_rows_kept=1000, sample_ratio=100.0)
    model.partial_fit(X, y, [0, 1, 2]).partial_fit(X, y)
    path = tmp_path / "model.json"
    petree.save(model, path)
    loaded = petree.load(path)
    assert loaded.get_params() == model.get_params()
    assert (model.n_rows_kept_, loaded.n_rows_kept_) == (600, 0)
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))


def test_a_pickle_keeps_the_rows():
    X, y = make()
    model = plain_classifier(update_ratio=1.0).partial_fit(X[:100], y[:100], [0, 1, 2])
    copy = pickle.loads(pickle.dumps(model))
    assert copy.n_rows_kept_ == 100
    assert_same(copy.partial_fit(X[100:], y[100:]), model.partial_fit(X[100:], y[100:]))


def test_what_a_person_changed_is_not_changed_back():
    X, y = make()
    model = plain_classifier(update_ratio=1.0).partial_fit(X[:150], y[:150], [0, 1, 2]).cut([1])
    assert model.n_rows_kept_ == 0
    n_nodes = model.tree_.n_nodes
    assert model.partial_fit(X[150:], y[150:]).tree_.n_nodes == n_nodes


def test_base_rates_stay_and_fit_forgets_the_rows():
    X, y = make()
    rates = {0: 0.2, 1: 0.3, 2: 0.5}
    model = plain_classifier().partial_fit(X[:150], y[:150], [0, 1, 2]).set_base_rates(rates)
    for rows in (slice(150, 160), slice(160, 300)):
        model.partial_fit(X[rows], y[rows])
        np.testing.assert_allclose(model.base_rates_, [0.2, 0.3, 0.5])
    assert model.fit(X, y).n_rows_kept_ == 0


def test_a_class_may_come_late():
    X, y = make()
    order = np.argsort(y, kind="stable")
    model = plain_classifier(update_ratio=1.0)
    for rows in np.array_split(order, 6):
        model.partial_fit(X[rows], y[rows], [0, 1, 2])
    np.testing.assert_array_equal(model.tree_.counts[0], np.bincount(y))


def test_declared_categories_may_come_late_and_others_are_refused():
    kinds = pd.CategoricalDtype(["a", "b", "c"])
    first = pd.DataFrame({"x": pd.Series(["a", "b"] * 10, dtype=kinds), "z": ["u", "v"] * 10})
    model = plain_classifier(update_ratio=1.0).partial_fit(first, [0, 1] * 10, [0, 1])
    more = first.assign(x=pd.Series(["c", "a"] * 10, dtype=kinds))
    assert model.partial_fit(more, [1, 0] * 10).n_rows_kept_ == 40
    with pytest.raises(ValueError, match="Column 'z' has a category in row 1 that the first rows did not have"):
        model.partial_fit(first.assign(z=["u", "w"] * 10), [0, 1] * 10)
    assert model.n_rows_kept_ == 40


def test_what_is_refused():
    X, y = make()
    with pytest.raises(ValueError, match="classes must be passed on the first call to partial_fit"):
        plain_classifier().partial_fit(X, y)
    model = plain_classifier().partial_fit(X, y, [0, 1, 2])
    with pytest.raises(ValueError, match="classes is not the same as on the first call"):
        model.partial_fit(X, y, [0, 1])
    with pytest.raises(ValueError, match="y has the class 7"):
        model.partial_fit(X, y + 7)
    for parameter, value in (("honest", True), ("lookahead", 2), ("first_test", "x0"), ("interaction_cst", [[0], [1]])):
        with pytest.raises(ValueError, match=f"The '{parameter}' parameter chooses tests in a way of its own"):
            plain_classifier(**{parameter: value}).partial_fit(X, y, [0, 1, 2])
        plain_classifier(update_ratio=1.0, **{parameter: value}).partial_fit(X, y, [0, 1, 2]).partial_fit(X, y)
    for name, value in (("update_ratio", 0.5), ("fix_ratio", 0.0), ("max_rows_kept", 0)):
        with pytest.raises(ValueError, match=f"'{name}' parameter"):
            plain_classifier(**{name: value}).partial_fit(X, y, [0, 1, 2])


@pytest.mark.parametrize("missing", ["fractions", "majority", "surrogates"])
def test_other_ways_to_treat_missing_values_are_refused_or_learned_anew(missing):
    generator = np.random.default_rng(0)
    X = generator.normal(size=(80, 3))
    X[generator.random((80, 3)) < 0.2] = np.nan
    y = (np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1]) > 0).astype(int)
    model = ProbabilityTreeClassifier(missing=missing, pruning="none", smoothing="laplace")
    with pytest.raises(ValueError, match="missing"):
        model.partial_fit(X, y, classes=[0, 1])
    model.set_params(update_ratio=1, binning=Declared())
    if missing == "fractions":
        with pytest.raises(ValueError, match="several leaves"):
            model.partial_fit(X, y, classes=[0, 1])
        return
    model.partial_fit(X[:40], y[:40], classes=[0, 1]).partial_fit(X[40:], y[40:])
    whole = ProbabilityTreeClassifier(missing=missing, pruning="none", smoothing="laplace", binning=Declared())
    np.testing.assert_array_equal(model.predict_proba(X), whole.fit(X, y).predict_proba(X))


def test_first_rows_that_cannot_be_cut_are_warned_of():
    model = plain_classifier()
    with pytest.warns(UserWarning, match="begin with more rows, or declare cuts by binning"):
        model.partial_fit([[1.0, 2.0]], [0], classes=[0, 1])
    X, y = make()
    plain_classifier().partial_fit(X[:2], y[:2], classes=np.unique(y))  # warnings are errors


def test_a_tree_of_parts_of_rows_counts_no_whole_ones(tmp_path):
    X, y = make()
    model = plain_classifier(missing="fractions").fit(X, y)
    petree.save(model, tmp_path / "model.json")
    for one in (model, petree.load(tmp_path / "model.json")):
        with pytest.raises(ValueError, match="set another way and call fit with all rows"):
            one.set_params(missing="branch").partial_fit(X, y)
    model.fit(X, y).partial_fit(X, y)


def test_a_class_that_nobody_declared_is_refused_with_what_works():
    X, y = make()
    names = y.astype(str)
    model = plain_classifier().partial_fit(X, names, classes=np.unique(names))
    with pytest.raises(ValueError, match=r"y has the class 'new', .*; begin anew with all of them in classes="):
        model.partial_fit(X[:2], ["new", names[0]])


def test_weights_of_all_calls_together_are_refused_beyond_what_counts_can_tell():
    X, y = make()
    model = plain_classifier().partial_fit(X, y, np.unique(y), np.full(len(y), 2.0**53 / len(y) / 2))
    model.partial_fit(X[:1], y[:1])
    with pytest.raises(ValueError, match="over all calls, beyond 2\\*\\*53"):
        model.partial_fit(X, y, sample_weight=np.full(len(y), 2.0**53 / len(y) / 1.5))
