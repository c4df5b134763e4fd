"""Tests chosen on samples, against the definition."""

from math import log

import numpy as np
import pytest
from tests.oracles.evidence import Cut, PlainRows
from tests.plain import plain_classifier

from petree.sources import sampling
from petree.sources.rows import Rows
from petree.sources.sampling import bands_of
from petree.sources.searching import by_sample, by_value
from petree.sources.weights import Targets

N_VALUES = 6


@pytest.fixture
def small_samples(monkeypatch):
    """Samples of at least eight rows, also of nodes that would be finished in one go."""
    monkeypatch.setattr(by_sample, "LEAST_SAMPLE", 8)
    monkeypatch.setattr(sampling, "LEAST_SAMPLE", 8)
    monkeypatch.setattr(by_value, "SMALL_ROWS", 0)


def make(seed, n_rows=400, n_columns=3, n_classes=2):
    random = np.random.default_rng(seed)
    X = random.integers(0, N_VALUES, (n_rows, n_columns))
    signal = X @ random.choice([0, 1, 3], n_columns) + random.normal(0, 3, n_rows)
    return X, np.digitize(signal, np.quantile(signal, np.arange(1, n_classes) / n_classes))


def assert_same(tree, other):
    assert list(map(str, tree.conditions)) == list(map(str, other.conditions))
    np.testing.assert_array_equal(tree.counts, other.counts)
    np.testing.assert_array_equal(tree.annotations["gain"], other.annotations["gain"])


def noted_bands(monkeypatch):
    """The bands of the rows of the next fit."""
    found = []

    def note(rows, seed):
        bands = bands_of(rows, seed)
        found.append(bands[np.argsort(rows.order)].tolist())
        return bands

    monkeypatch.setattr(sampling, "bands_of", note)
    return found


@pytest.mark.usefixtures("small_samples")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ratio", [1.0, 20.0, 1e6])
def test_every_node_has_the_test_that_a_sample_decides_for(monkeypatch, seed, ratio):
    X, y = make(seed, n_classes=2 + seed % 2)
    found = noted_bands(monkeypatch)
    tree = plain_classifier(sample_ratio=ratio).fit(X, y).tree_
    plain = PlainRows(X.tolist(), y.tolist(), 2 + seed % 2, np.arange(1, N_VALUES).tolist())
    pending = [(0, list(range(len(y))))]
    while pending:
        node, members = pending.pop()
        np.testing.assert_array_equal(tree.counts[node], plain.counts(members))
        if tree.is_leaf[node]:
            continue
        split = tree.split_start[node]
        wanted = plain.sampled_test(members, found[0], 8, log(ratio))
        assert wanted == Cut(tree.conditions.column[split], tree.conditions.value[split]), (node, len(members))
        pending += zip(tree.children_of(np.array([node])).tolist(), plain.divide(members, wanted), strict=True)


@pytest.mark.usefixtures("small_samples")
def test_a_ratio_that_no_sample_reaches_gives_the_exact_tree():
    X, y = make(0)
    assert_same(plain_classifier(sample_ratio=1e300).fit(X, y).tree_, plain_classifier().fit(X, y).tree_)


@pytest.mark.usefixtures("small_samples")
@pytest.mark.parametrize("parameters", [{}, {"split": "bayes"}, {"split": "gini", "class_weight": "balanced"}])
def test_neither_the_order_of_rows_nor_threads_matter(parameters):
    X, y = make(1)
    order = np.random.default_rng(0).permutation(len(y))
    weights = np.where(X[:, 0] > 3, 2.0, 1.0)
    frame = {"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]}
    first = plain_classifier(sample_ratio=20.0, **parameters).fit(frame, y, sample_weight=weights)
    shuffled = {name: values[order] for name, values in frame.items()}
    again = plain_classifier(sample_ratio=20.0, n_jobs=2, **parameters).fit(
        shuffled, y[order], sample_weight=weights[order]
    )
    assert_same(first.tree_, again.tree_)


@pytest.mark.usefixtures("small_samples")
def test_large_leaves_categories_and_missing_values():
    X, y = make(2)
    frame = {"a": X[:, 0], "b": np.array(list("uvwxyz"))[X[:, 1]], "c": np.where(X[:, 2] == 0, np.nan, X[:, 2])}
    model = plain_classifier(sample_ratio=5.0, min_samples_leaf=20, tests="multiway").fit(frame, y)
    assert model.tree_.sizes[model.tree_.is_leaf].sum() == len(y)
    assert model.tree_.n_leaves > 2


def test_small_tables_are_searched_as_they_are():
    X, y = make(3)
    assert_same(plain_classifier(sample_ratio=1.0).fit(X, y).tree_, plain_classifier().fit(X, y).tree_)


def test_equal_rows_go_into_samples_one_by_one():
    """Of two rows of so many copies, about half the copies of each are in the sample of one half."""
    n_rows = 8000
    rows = Rows.without_columns(Targets(np.repeat([0, 1], n_rows), [0, 1]))
    bands = bands_of(rows, 0)
    for part in (bands[:n_rows], bands[n_rows:]):
        assert 0.45 < (part >= 1).mean() < 0.55
        assert 0.2 < (part >= 2).mean() < 0.3


def test_what_is_refused():
    X, y = make(4)
    with pytest.raises(ValueError, match="'sample_ratio' parameter of ProbabilityTreeClassifier must be a finite"):
        plain_classifier(sample_ratio=0.5).fit(X, y)
    with pytest.raises(ValueError, match="compares each test with the mean of all"):
        plain_classifier("gain_ratio", sample_ratio=10.0).fit(X, y)
    with pytest.raises(ValueError, match="need all rows; set lookahead=1 or sample_ratio=None"):
        plain_classifier(sample_ratio=10.0, lookahead=2).fit(X, y)
