"""The contenders of the quality benchmark."""

import numpy as np
import pytest
from tests.plain import plain_classifier

from lab.experiments.trials import Trial
from lab.quality.contenders import PRUNINGS, all_contenders, answer, choose
from lab.quality.data import load, shuffled_folds
from lab.statistics.resampling import TrainTest
from petree import smoothing, splitting
from petree.estimators.tuning.grid import Grid, candidates_of


def test_every_split_score_meets_every_smoothing():
    names = set(all_contenders())
    for split in splitting.MEMBERS:
        for one in smoothing.MEMBERS:
            assert {f"{split}/{one}", f"{split}-multiway/{one}"} <= names
    assert {"gain/hierarchical-auto", "imodels/unpruned", "scikit-learn/forest"} <= names


def test_all_smoothings_are_tuned_with_one_score_and_one_with_all():
    tuned = [one for one in all_contenders().values() if one.is_tuned and "+" not in one.growth]
    assert {one.growth for one in tuned if one.smoothing == "hierarchical-auto"} == set(splitting.MEMBERS)
    for name in ("average", "confusion-of-hierarchical", "doubt", "doubt-of-m_branch", "average-of-doubts"):
        assert {one.growth for one in tuned if one.smoothing == f"{name}-auto"} == {"gain"}
    for one in tuned:
        assert Grid.of(one.learner.smoothing).names == tuple(candidates_of(one.learner.smoothing))


def test_pruned_trees_of_the_main_score_take_part():
    for pruning in PRUNINGS:
        found = [one for one in all_contenders().values() if one.growth == f"gain+{pruning}"]
        assert {"laplace", "doubt-auto"} < {one.smoothing for one in found}
        assert {one.learner.pruning for one in found} == {pruning}


@pytest.mark.filterwarnings("ignore:.*least populated class")
def test_an_average_of_doubts_is_that_of_its_tuned_parts(folder):
    trial = next(shuffled_folds(load(folder, "other"), (0,)))
    chosen = choose("gain/doubt-auto,gain/doubt-of-m_branch-auto,gain/average-of-doubts-auto")
    first, second, mean = (one.probabilities for group in answer(chosen, trial) for one in group)
    np.testing.assert_allclose(mean, (first + second) / 2)
    assert np.abs(first - second).max() > 1e-3


def test_names_and_patterns_choose():
    assert [one.name for one in choose("gain/none, scikit-learn/l*,gain/none")] == ["gain/none", "scikit-learn/laplace"]
    assert len(choose(None)) == len(all_contenders())
    with pytest.raises(ValueError, match=r"No contender is called 'gian/none'; the names are gain/none, gain/laplace"):
        choose("gian/none")


@pytest.mark.filterwarnings("ignore:.*least populated class")
def test_contenders_that_share_a_tree_answer_as_if_they_were_alone(folder):
    trial = next(shuffled_folds(load(folder, "other"), (0,)))
    chosen = choose("gain/none,gain/laplace,gain/hierarchical,gain/hierarchical-auto,scikit-learn/laplace")
    answers = {one.contender.name: one for group in answer(chosen, trial) for one in group}
    assert list(answers) == [one.name for one in chosen]
    for name in ("none", "laplace", "hierarchical"):
        alone = plain_classifier(smoothing=name).fit(*trial.train)
        np.testing.assert_allclose(answers[f"gain/{name}"].probabilities, alone.predict_proba(trial.test[0]))
        assert answers[f"gain/{name}"].leaves == alone.get_n_leaves()
    for one in answers.values():
        np.testing.assert_allclose(one.probabilities.sum(axis=1), 1)


def test_a_class_that_was_not_learned_has_probability_zero(folder):
    data = load(folder, "other")
    learn, test = np.flatnonzero(data.y != 1), np.flatnonzero(data.y == 1)
    for [one] in answer(choose("gain/laplace,scikit-learn/laplace"), Trial(data, TrainTest(0, 0, learn, test))):
        assert one.probabilities.shape == (10, 3)
        assert (one.probabilities[:, 1] == 0).all()
        assert (one.probabilities[:, [0, 2]] > 0).all()


def test_laplace_on_a_tree_of_scikit_learn_is_that_of_petree(folder):
    data = load(folder, "voting")
    rows = np.arange(40)
    trial = Trial(data, TrainTest(0, 0, rows, rows))
    [[one]] = answer(choose("scikit-learn/laplace"), trial)
    sizes = 1 / (1 - one.probabilities.max(axis=1)) - 2
    assert np.allclose(sizes, sizes.round()), "the leaves are pure, so the largest probability is (n + 1) / (n + 2)"
    assert sum(1 / sizes) == pytest.approx(one.leaves)


def test_shrinkage_of_imodels_takes_classes_that_an_inner_fold_lacks(folder):
    pytest.importorskip("imodels")
    data = load(folder, "other")
    learn = np.flatnonzero(data.y != 1)[:12].tolist() + np.flatnonzero(data.y == 1)[:1].tolist()
    [[one]] = answer(choose("imodels/unpruned"), Trial(data, TrainTest(0, 0, np.array(learn), np.arange(30))))
    np.testing.assert_allclose(one.probabilities.sum(axis=1), 1)


def test_a_contender_that_fails_says_so_and_the_others_go_on(folder):
    trial = next(shuffled_folds(load(folder, "voting"), (0,)))
    broken, whole = choose("gain/hierarchical-auto,gain/none")
    broken.learner.tests = "ternary"
    failure, answers = sorted(answer([broken, whole], trial), key=lambda one: not isinstance(one, str))
    assert failure.startswith("petree gain/hierarchical-auto: ValueError: The 'tests' parameter")
    assert [one.contender.name for one in answers] == ["gain/none"]
