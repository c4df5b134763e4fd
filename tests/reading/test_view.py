"""What the readers show: which tree, which probabilities, which texts."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from petree.reading import export_text, rules, to_frame, to_html
from petree.reading.digits import Digits
from petree.reading.view import View, class_shares, view
from petree.tree import Tree

TREE = Tree.from_counts([[[12, 0], [0, 0]], [1, 3]], classes=("good", "bad"))


def test_a_tree_shows_its_raw_shares_and_an_empty_node_its_parents() -> None:
    shares = view(TREE).probabilities
    np.testing.assert_array_equal(shares[TREE.sizes == 0], [[1, 0]])
    np.testing.assert_array_equal(shares[2], [0.25, 0.75])
    np.testing.assert_allclose(shares.sum(axis=1), 1)


def test_emptiness_is_inherited_over_several_levels() -> None:
    tree = Tree.from_counts([[[[0, 0], [0, 0]], [0, 0]], [1, 3]])
    np.testing.assert_array_equal(class_shares(tree), [[0.25, 0.75]] * tree.n_nodes)


def test_an_empty_root_shows_equal_shares() -> None:
    np.testing.assert_array_equal(class_shares(Tree.from_counts([0, 0, 0, 0])), [[0.25] * 4])


def test_an_estimator_shows_its_own_probabilities() -> None:
    probabilities = np.tile([0.1, 0.9], (5, 1))
    model = SimpleNamespace(_view=lambda level: View(TREE, probabilities))
    assert view(model).tree is TREE
    np.testing.assert_array_equal(view(model).probabilities, probabilities)


def test_given_probabilities_win() -> None:
    assert view(TREE, np.tile([0.2, 0.8], (5, 1))).prediction(1) == "P(bad)=0.80"


@pytest.mark.parametrize("read", [export_text, rules, to_frame, to_html])
def test_wrong_things_are_refused_in_a_sentence(read) -> None:
    with pytest.raises(ValueError, match=r"probabilities of shape \(5, 2\), got \(1, 2\)"):
        read(TREE, probabilities=[[0.5, 0.5]])
    with pytest.raises(TypeError, match="fitted petree estimator can be read, got dict"):
        read({})
    with pytest.raises(NotFittedError, match="DecisionTreeClassifier has no petree tree yet"):
        read(DecisionTreeClassifier())


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0.00"), (1, "1.00"), (0.625, "0.62"), (0.9962, "0.996"), (1 - 1e-9, "0.999999999"), (0.0004, "0.0004")],
)
def test_only_certainty_is_shown_as_certainty(share: float, text: str) -> None:
    assert Digits().probability(share) == text
