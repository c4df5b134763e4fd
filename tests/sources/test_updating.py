"""Trees that grow where older ones stand, against the definition."""

from math import log

import numpy as np
import pytest
from tests.oracles.evidence import Cut, PlainRows
from tests.plain import plain_classifier

N_VALUES = 6


class Declared:
    """Cuts that no row changes."""

    looks_at_classes = False

    def thresholds(self, values, classes, weights, n_classes):
        return np.arange(1.0, N_VALUES)


def make(seed, n_rows=160, n_columns=3):
    random = np.random.default_rng(seed)
    X = random.integers(0, N_VALUES, (n_rows, n_columns))
    return X, (X @ random.choice([0, 1, 3], n_columns) + random.normal(0, 4, n_rows) > 8).astype(int)


def asked_at(tree, node):
    if node < 0 or tree.is_leaf[node]:
        return None
    split = tree.split_start[node]
    return Cut(int(tree.conditions.column[split]), float(tree.conditions.value[split]))


def children_of(tree, node):
    return tree.children_of(np.array([node])).tolist()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("ratio", [1.0, 1.5, 10.0, 1e9])
def test_a_node_keeps_its_test_unless_another_is_so_much_more_probable(seed, ratio):
    X, y = make(seed)
    model = plain_classifier(update_ratio=ratio, binning=Declared()).partial_fit(X[:60], y[:60], [0, 1])
    old = model.tree_
    tree = model.partial_fit(X[60:], y[60:]).tree_
    plain = PlainRows(X.tolist(), y.tolist(), 2, np.arange(1, N_VALUES).tolist())
    log_ratio = log(ratio) if ratio > 1 else -np.inf
    pending = [(0, 0, list(range(len(y))))]
    while pending:
        node, before, members = pending.pop()
        np.testing.assert_array_equal(tree.counts[node], plain.counts(members))
        if tree.is_leaf[node]:
            assert 0 in plain.counts(members) or plain.best(members) is None
            continue
        had = asked_at(old, before)
        wanted = plain.kept_test(members, had, log_ratio)
        assert asked_at(tree, node) == wanted
        assert tree.annotations["gain"][node] == pytest.approx(plain.gain(members, wanted) / len(members))
        below = children_of(old, before) if wanted == had else [-1, -1]
        pending += zip(children_of(tree, node), below, plain.divide(members, wanted), strict=True)


@pytest.mark.parametrize("seed", range(3))
def test_a_test_is_fixed_when_it_leads_by_so_much(seed):
    X, y = make(seed)
    model = plain_classifier(update_ratio=1.5, fix_ratio=30.0, binning=Declared())
    model.partial_fit(X[:60], y[:60], [0, 1]).partial_fit(X[60:], y[60:])
    tree = model.tree_
    plain = PlainRows(X.tolist(), y.tolist(), 2, np.arange(1, N_VALUES).tolist())
    pending = [(0, list(range(len(y))))]
    while pending:
        node, members = pending.pop()
        if not tree.is_leaf[node]:
            test = asked_at(tree, node)
            assert tree.annotations["fixed"][node] == plain.is_fixed(members, test, log(30.0))
            pending += zip(children_of(tree, node), plain.divide(members, test), strict=True)


def test_a_fixed_test_stays_whatever_comes():
    X, y = make(1)
    model = plain_classifier(update_ratio=1.5, fix_ratio=1.0, binning=Declared(), max_depth=1)
    before = model.partial_fit(X, y, [0, 1]).partial_fit(X, y).tree_
    other = (before.conditions.column[0] + 1) % X.shape[1]
    for _ in range(3):
        model.partial_fit(np.repeat(X, 4, axis=0), np.repeat(X[:, other] > 2, 4).astype(int))
    assert str(model.tree_.conditions[0]) == str(before.conditions[0])
    free = plain_classifier(update_ratio=1.5, binning=Declared(), max_depth=1).partial_fit(X, y, [0, 1])
    for _ in range(3):
        free.partial_fit(np.repeat(X, 4, axis=0), np.repeat(X[:, other] > 2, 4).astype(int))
    assert free.tree_.conditions.column[0] == other


@pytest.mark.parametrize(
    ("split", "tests"),
    [
        ("gain", "binary"),
        ("gini", "sets"),
        ("gain", "multiway"),
        ("bayes", "multiway"),
        ("bayes", "binary"),
        ("gain_ratio", "sets"),
    ],
)
def test_categories_and_values_that_begin_to_be_missing(split, tests):
    random = np.random.default_rng(3)
    n_rows = 120
    frame = {
        "letter": random.choice(["u", "v", "w"], n_rows),
        "number": random.integers(0, 5, n_rows).astype(float),
        "other": random.choice(["x", "y"], n_rows),
    }
    y = ((frame["letter"] == "u") ^ (frame["number"] > 2)).astype(int)
    gaps = {name: values.astype(object) for name, values in frame.items()}
    for values in gaps.values():
        values[random.random(n_rows) < 0.2] = None
    gaps["number"] = gaps["number"].astype(float)
    model = plain_classifier(split=split, tests=tests, update_ratio=3.0)
    model.partial_fit(frame, y, [0, 1]).partial_fit(gaps, y)
    tree = model.tree_
    assert tree.sizes[tree.is_leaf].sum() == 2 * n_rows
    np.testing.assert_array_equal(tree.counts[0], 2 * np.bincount(y))
    assert (model.predict(frame) == y).mean() > 0.9
