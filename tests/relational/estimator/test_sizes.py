"""Other sizes of a tree of related tables, from the same fit."""

from __future__ import annotations

import numpy as np
import pytest

from petree import RelationalTreeClassifier
from petree.relational import Database
from petree.storage import dumps, loads


@pytest.fixture(scope="module")
def fitted() -> RelationalTreeClassifier:
    """A tree of more than 50 leaves: the class changes 72 times with a number in the other table."""
    n = np.arange(1800)
    place = {"machine": n, "at": n / 1000}
    machine = {"id": n, "stripe": np.array(list("abc"))[n * 72 // 1800 % 3]}
    database = Database({"machine": machine, "place": place}, links=["place.machine -> machine.id"])
    return RelationalTreeClassifier(database, "machine.stripe").fit(n)


def test_another_size_of_the_same_fit(fitted: RelationalTreeClassifier) -> None:
    n_leaves = fitted.get_n_leaves()
    assert n_leaves > 50
    small = fitted.resized(20)
    assert small.get_n_leaves() == max(size for size in fitted.sizes_.n_leaves if size <= 20)
    assert len(set(small.apply(np.arange(1800)).tolist())) == small.get_n_leaves()
    np.testing.assert_array_equal(small.resized(n_leaves).node_probabilities_, fitted.node_probabilities_)


def test_the_text_of_a_large_tree_has_the_loss_of_smaller_ones(fitted: RelationalTreeClassifier) -> None:
    bits = dict(zip(fitted.sizes_.n_leaves, fitted.sizes_.bits, strict=True))
    small = fitted.resized(20).get_n_leaves()
    share = bits[small] / bits[fitted.get_n_leaves()] - 1
    for style in ("sentences", "prolog"):
        notice = fitted.export_text(style).split("\n\n")[1].splitlines()
        assert notice[0].startswith(f"The tree has {fitted.get_n_leaves()} leaves. Levels shown: ")
        assert notice[1].startswith(f"Its out-of-fold log loss is {bits[fitted.get_n_leaves()]:.4f} bits. ")
        assert notice[2] == f"  model.resized(20): {small} leaves, {bits[small]:.4f} bits ({share:+.1%})"
    loaded = loads(dumps(fitted)).export_text().splitlines()
    assert loaded[-2] == f"  at most 20 leaves: {small} leaves, {bits[small]:.4f} bits ({share:+.1%})"
