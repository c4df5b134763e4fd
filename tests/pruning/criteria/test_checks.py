"""Bad parameters of criteria are refused before anything is read or grown."""

from __future__ import annotations

import math
from inspect import signature
from typing import Any

import numpy as np
import pytest
from tests.families.prunings import PRUNINGS
from tests.plain import plain_classifier

from petree import pruning
from petree.pruning import MDL, Chi, ErrorBased, Rand, ReducedError
from petree.tree import Tree

BAD: dict[str, dict[str, tuple[Any, ...]]] = {alias: bad for alias, _, _, bad in PRUNINGS}
CASES = [(alias, name, value) for alias in BAD for name in BAD[alias] for value in BAD[alias][name]]
# together with another parameter, or while growing
OTHERS = [
    Chi(when="pre", alpha=-1),
    Chi(when="pre", correction="cases"),
    Rand(when="pre", permutations=0),
    MDL(when="pre", class_exponent=-1),
    ErrorBased(0.6, "j48"),
    ReducedError(alpha=0.5, fresh=len),
]


class Unread:
    """Rows that nobody may look at."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} of X was asked for.")


def refuse(member: Any, word: str) -> None:
    for X in (Unread(), np.zeros((4, 1))):
        with pytest.raises((ValueError, TypeError), match=word):
            plain_classifier(pruning=member).fit(X, [0, 1, 1, 0])
    with pytest.raises((ValueError, TypeError), match=word):
        member.prune(Tree.from_counts([3, 4]))


def test_every_parameter_has_bad_values() -> None:
    assert set(BAD) == set(pruning.MEMBERS)
    for alias, member in pruning.MEMBERS.items():
        assert set(BAD[alias]) == (
            set(signature(member).parameters) if member.__init__ is not object.__init__ else set()
        )


@pytest.mark.parametrize(("alias", "name", "value"), CASES)
def test_bad_parameters_are_refused_before_anything_is_read(alias: str, name: str, value: Any) -> None:
    member = pruning.MEMBERS[alias](**{name: value})
    is_plain = isinstance(value, str | float | int | type(None))
    refuse(member, f"'{name}' parameter" if is_plain else "parameter of|cannot be used inside of|depend on the row")


@pytest.mark.parametrize("member", OTHERS, ids=repr)
def test_bad_parameters_are_refused_in_every_mode(member: Any) -> None:
    refuse(member, f"{type(member).__name__}")


def test_good_parameters_are_not_refused() -> None:
    for member in pruning.MEMBERS.values():
        pruning.resolve_pruning(member())
    for alpha in (0, 1, np.float32(0.5)):
        pruning.resolve_pruning(Rand(alpha=alpha))


# -- criteria of a user's own ------------------------------------------------------------------------------------------


class Own:
    """A criterion of a user's own."""

    def __init__(self, pruned: Any) -> None:
        self.pruned = pruned

    def prune(self, tree: Tree, context: Any = None) -> Any:
        return self.pruned(tree)


class Checked(Own):
    """One that checks itself."""

    def check(self) -> None:
        raise ValueError("Not this one.")


def test_a_criterion_needs_no_check() -> None:
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    assert plain_classifier(pruning=Own(lambda tree: tree.cut([0]))).fit(X, y).tree_.n_nodes == 1
    with pytest.raises(ValueError, match="Not this one"):
        plain_classifier(pruning=Checked(lambda tree: tree)).fit(Unread(), y)


def test_a_criterion_has_to_return_a_tree() -> None:
    sentence = "The method 'prune' of Own must return a Tree. Got None instead."
    with pytest.raises(TypeError, match=sentence):
        plain_classifier(pruning=Own(lambda tree: None)).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(TypeError, match=sentence):
        pruning.prune(Own(lambda tree: None), Tree.from_counts([3, 4]))


# -- names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "error", "sentence"),
    [
        ("RAND", ValueError, "Unknown pruning 'RAND'; valid names are .* Did you mean 'rand'?"),
        ("Chis", ValueError, "Did you mean 'chi'?"),
        (None, TypeError, "'pruning' parameter must be one of .*, cost_complexity, default, .* Got None instead.$"),
        (Rand, TypeError, r"or an object with a method 'prune'. Got <class .*> instead. Did you mean Rand\(\)\?"),
    ],
)
def test_what_is_no_criterion_is_told_what_would_be(said: Any, error: type, sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        plain_classifier(pruning=said).fit(Unread(), [0, 1])


@pytest.mark.parametrize("n_tests", [-5, 0, 1.5, math.inf, math.nan, "x", None, True])
def test_numbers_of_tests_are_whole_and_positive(n_tests: Any) -> None:
    with pytest.raises(ValueError, match=f"'n_tests' of a tree, .* a whole number of at least 1. Got {n_tests!r} inst"):
        Tree.from_counts([[3, 1], [1, 3]], n_tests=n_tests)
    assert Tree.from_counts([[3, 1], [1, 3]], n_tests=np.int64(3)).n_tests.tolist() == [3, 3, 3]
