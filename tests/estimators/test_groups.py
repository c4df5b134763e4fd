"""Groups stay together wherever rows are left out, and are refused where rows are permuted or drawn one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.estimators.tuning.tuned import make_data
from tests.plain import plain_classifier
from tests.pruning.grown import make_cases
from tests.relational.made_trees import made_database

from petree import OptionTreeClassifier, ProbabilityTreeClassifier, RelationalTreeClassifier
from petree.estimators.learning.cases import Cases
from petree.estimators.tuning.folds import Fold, deal_folds
from petree.estimators.tuning.ranking import leaves_at, rank_moments, rank_scores
from petree.pruning import MEMBERS, Criterion, Permutation, Rand, ReducedError, Sampled, SubtreeRandomisation
from petree.pruning.engine.weakest_links import smoothed_links
from petree.routing import Router
from petree.smoothing import Laplace
from petree.threads import Threads
from petree.tree import Tree

X, Y = make_data(120)
GROUPS = np.arange(120) // 6
PERMUTING = [Rand(), Rand(when="pre"), Rand(correction="cases"), Rand(randomise="attributes"), Permutation()]
PERMUTING += [Permutation(when="post"), SubtreeRandomisation(), Sampled(), ReducedError(alpha=0.5)]


@pytest.fixture
def left_out(monkeypatch: pytest.MonkeyPatch) -> list[Fold]:
    """Every fold of which anything was learned or held out."""
    asked: list[Fold] = []
    take = Fold.rest

    def rest(fold: Fold) -> Cases:
        asked.append(fold)
        return take(fold)

    monkeypatch.setattr(Fold, "rest", rest)
    return asked


def groups_of(fold: Fold) -> tuple[set[int], set[int]]:
    """The groups to learn from, and those held out."""
    learnt, held = fold.n_copies - fold.n_held, fold.n_held
    of_rows = fold.cases.groups
    assert of_rows is not None
    return set(of_rows[learnt > 0].tolist()), set(of_rows[held > 0].tolist())


@pytest.mark.parametrize(
    "parameters",
    [
        {"pruning": "best_size"},
        {"pruning": "cost_complexity"},
        {"pruning": "reduced_error"},
        {"pruning": ReducedError(backfitting=True)},
        {"smoothing": "default"},
        {"honest": True},
        {"honest": True, "pruning": "reduced_error", "smoothing": "default"},
    ],
)
def test_no_group_is_divided(parameters: dict[str, Any], left_out: list[Fold]) -> None:
    plain_classifier(**parameters).fit(X, Y, groups=GROUPS)
    assert left_out
    for fold in left_out:
        learnt, held = groups_of(fold)
        assert learnt
        assert held
        assert learnt.isdisjoint(held)


def test_folds_of_related_tables_keep_groups(left_out: list[Fold]) -> None:
    database = made_database(0)
    keys = database.keys("patient")
    model = RelationalTreeClassifier(database, "patient.class", max_links=1, aggregates=())
    model.fit(keys, groups=np.arange(len(keys)) // 3)
    assert left_out
    assert all(set.isdisjoint(*groups_of(fold)) for fold in left_out)


def test_the_variance_of_ranks_is_that_of_groups() -> None:
    """Groups are drawn, and all their rows with them: the scores of a group are summed before they are squared."""
    weights = np.random.default_rng(0).random(120) + 0.1
    cases = make_cases(X, Y, weights, None, GROUPS)
    tree = plain_classifier(max_depth=4).fit(X, Y).tree_
    links = smoothed_links(tree, Laplace().estimate(tree))
    price = np.array([float(np.median(links.path.alphas))])
    (leaves,) = leaves_at(links, price)
    pruned = links.path.at(float(price[0]))
    assert 1 < len(leaves) == pruned.n_leaves < tree.n_leaves
    fold = deal_folds(cases, 3, 0)[0]
    rest = fold.rest()
    assert rest.groups is not None
    counts, estimates = fold.counts(tree), Laplace().estimate(tree)
    scores = np.zeros(pruned.counts.shape)
    scores[pruned.is_leaf] = rank_scores(counts[leaves], estimates[leaves])
    answers = Router.of(pruned).probabilities(rest.table, scores, Threads(1))
    own = answers[np.arange(len(rest.codes)), rest.codes] * rest.amounts
    of_groups = np.array([own[rest.groups == group].sum() for group in np.unique(rest.groups)])
    score, variance, _ = rank_moments(tree, leaves, counts, estimates, fold)
    assert variance == pytest.approx((of_groups**2).sum())
    assert score == pytest.approx((scores[pruned.is_leaf] * counts[leaves]).sum())


@pytest.mark.parametrize("criterion", PERMUTING, ids=repr)
def test_what_permutes_rows_refuses_groups(criterion: Criterion) -> None:
    sentence = r"permutes or draws rows one by one.*leave out groups, or set pruning .*'best_size'"
    with pytest.raises(ValueError, match=sentence):
        plain_classifier(pruning=criterion).fit(X, Y, groups=GROUPS)


def test_related_tables_refuse_groups_as_well() -> None:
    database = made_database(0)
    keys = database.keys("patient")
    with pytest.raises(ValueError, match="permutes or draws rows one by one"):
        RelationalTreeClassifier(database, "patient.class", pruning="rand").fit(keys, groups=keys)


@pytest.mark.parametrize("alias", [alias for alias, kind in MEMBERS.items() if not kind().exchanges_rows])
def test_all_others_take_groups(alias: str) -> None:
    model = ProbabilityTreeClassifier(pruning=alias, smoothing="laplace")
    assert model.fit(X, Y, groups=GROUPS).get_n_leaves() >= 1


def test_which_criteria_permute() -> None:
    named = {alias for alias, kind in MEMBERS.items() if kind().exchanges_rows}
    assert named == {"rand", "permutation", "subtree_randomisation", "sampled"}


def test_a_criterion_of_ones_own_that_gets_the_rows() -> None:
    class Own:
        needs: tuple[str, ...] = ("source",)

        def prune(self, tree: Tree, context: Any = None) -> Tree:
            return tree

    with pytest.raises(ValueError, match="permutes or draws rows"):
        plain_classifier(pruning=Own()).fit(X, Y, groups=GROUPS)
    plain_classifier(pruning=Own()).fit(X, Y)

    class Counting(Own):
        needs = ()

    plain_classifier(pruning=Counting()).fit(X, Y, groups=GROUPS)


def test_too_few_groups_to_divide_again() -> None:
    with pytest.raises(ValueError, match=r"or all that are to be divided again.*give rows of more groups"):
        plain_classifier(honest=True).fit(X, Y, groups=GROUPS % 2)


def test_option_trees_leave_no_rows_out_and_take_no_groups() -> None:
    with pytest.raises(TypeError, match="groups"):
        OptionTreeClassifier().fit(X, Y, groups=GROUPS)
