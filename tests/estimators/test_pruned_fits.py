"""Fitting with every pruning criterion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.plain import plain_classifier

from petree import pruning
from petree.estimators.learning import contexts, recipe
from petree.pruning import BIC, MDL, CostComplexity, ErrorBased, ReducedError, Sampled, SubtreeRandomisation

CRITERIA = [
    *(pruning.MEMBERS[alias]() for alias in pruning.MEMBERS if alias not in ("none", "subtree_randomisation")),
    SubtreeRandomisation(permutations=20),
    CostComplexity("log", 4, "1-SE"),
    CostComplexity("brier", 3),
    CostComplexity(alpha=0.01),
    ReducedError("training"),
    ReducedError(alpha=0.5, backfitting=True),
    Sampled(MDL()),
    Sampled(BIC(), 0.3),
    pruning.Rand(permutations=20, when="pre"),
    pruning.Permutation(permutations=200, when="post"),
    ErrorBased(raising=True),
]


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "tone": random.choice(["red", "green", "blue"], 260),
            "grade": pd.Categorical(random.choice(["low", "high"], 260), ["low", "high"], ordered=True),
            "size": random.normal(size=260).round(1),
            "age": random.integers(0, 6, 260),
        }
    )
    frame.loc[::7, "tone"] = None
    frame.loc[::5, "size"] = np.nan
    return frame


@pytest.fixture(scope="module")
def labels(frame: pd.DataFrame) -> Any:
    """Three classes that depend on age and tone, a fifth of them at random."""
    random = np.random.default_rng(1)
    classes = np.where(frame["age"] > 2, "old", np.where(frame["tone"] == "red", "red", "young"))
    return np.where(random.random(260) < 0.2, random.choice(["old", "red", "young"], 260), classes)


@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
@pytest.mark.parametrize("case", ["plain", "copies", "fractions", "balanced", "multiway"])
def test_every_criterion_prunes_every_kind_of_table(
    criterion: Any, case: str, frame: pd.DataFrame, labels: Any
) -> None:
    random = np.random.default_rng(2)
    weights = {"copies": random.integers(0, 3, 260), "fractions": random.random(260)}.get(case)
    parameters: dict[str, Any] = {
        "class_weight": "balanced" if case == "balanced" else None,
        "tests": "multiway" if case == "multiway" else "binary",
    }
    model = plain_classifier(pruning=criterion, **parameters).fit(frame, labels, sample_weight=weights)
    log = model.tree_.pruning_log
    assert log.grown.n_leaves >= model.tree_.n_leaves
    assert len(log.nodes)
    probabilities = model.predict_proba(frame)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    two = plain_classifier(pruning=criterion, n_jobs=2, **parameters).fit(frame, labels, sample_weight=weights)
    np.testing.assert_array_equal(two.predict_proba(frame), probabilities)
    np.testing.assert_array_equal(two.tree_.pruning_log.verdicts.statistic, log.verdicts.statistic)


@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
def test_the_order_of_the_rows_does_not_matter(criterion: Any, frame: pd.DataFrame, labels: Any) -> None:
    order = np.random.default_rng(3).permutation(len(frame))
    one = plain_classifier(pruning=criterion).fit(frame, labels)
    other = plain_classifier(pruning=criterion).fit(frame.iloc[order], labels[order])
    np.testing.assert_array_equal(one.predict_proba(frame), other.predict_proba(frame))
    np.testing.assert_array_equal(one.tree_.counts, other.tree_.counts)


@pytest.mark.parametrize("criterion", [pruning.Permutation(when="post"), ReducedError(alpha=0.5), Sampled()], ids=repr)
def test_what_is_drawn_follows_from_the_random_state(criterion: Any, frame: pd.DataFrame, labels: Any) -> None:
    def log_of(seed: int) -> Any:
        model = plain_classifier(pruning=criterion, random_state=seed).fit(frame, labels)
        return model.tree_.pruning_log.verdicts

    same, other = log_of(0), [log_of(seed) for seed in (1, 2, 3)]
    np.testing.assert_array_equal(log_of(0).statistic, same.statistic)
    found = np.concatenate((same.statistic, same.threshold))
    assert any(not np.array_equal(np.concatenate((one.statistic, one.threshold)), found) for one in other)


def test_pruned_trees_are_smaller_and_no_worse(frame: pd.DataFrame, labels: Any) -> None:
    """A third of the rows to look at; the tree itself has four leaves to find."""
    rows = np.arange(260) % 3 > 0
    grown = plain_classifier().fit(frame[rows], labels[rows])
    for criterion in ("cost_complexity", "reduced_error", "permutation", "sampled"):
        model = plain_classifier(pruning=criterion).fit(frame[rows], labels[rows])
        assert model.get_n_leaves() < grown.get_n_leaves() / 2
        assert model.score(frame[~rows], labels[~rows]) >= grown.score(frame[~rows], labels[~rows])


def test_backfitting_counts_all_rows_and_nothing_else_changes(frame: pd.DataFrame, labels: Any) -> None:
    plain, filled = (
        plain_classifier(pruning=ReducedError(backfitting=backfitting)).fit(frame, labels)
        for backfitting in (False, True)
    )
    assert plain.tree_.sizes[0] == 173
    assert filled.tree_.sizes[0] == 260
    assert filled.tree_.counts[0].tolist() == np.unique(labels, return_counts=True)[1].tolist()
    assert plain.export_text().count("\n") == filled.export_text().count("\n")
    assert plain.tree_.conditions.value.tolist() == filled.tree_.conditions.value.tolist()


# -- structureless data ------------------------------------------------------------------------------------------------


def coins(random: np.random.Generator, n_rows: int) -> tuple[Any, Any]:
    """Thirty fair binary columns, and a fair class that does not depend on them."""
    return random.integers(0, 2, (n_rows, 30)).astype(float), random.integers(0, 2, n_rows)


def test_other_cases_for_every_decision_cure_reduced_error_pruning() -> None:
    X, y = coins(np.random.default_rng(3), 1000)
    random = np.random.default_rng(4)
    fresh: Callable[[int], tuple[Any, Any]] = lambda n: coins(random, n)  # noqa: E731
    n_nodes = {
        name: plain_classifier(pruning=criterion).fit(X, y).tree_.n_nodes
        for name, criterion in {
            "none": "none",
            "all": ReducedError(),
            "half": ReducedError(alpha=0.5),
            "fresh": ReducedError(fresh=fresh),
        }.items()
    }
    assert n_nodes["none"] > 300
    assert n_nodes["all"] > 60
    assert n_nodes["half"] < n_nodes["all"] / 3
    assert n_nodes["fresh"] <= 5


# -- interrupts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(
    ("criterion", "name"),
    [(CostComplexity(), "deal_folds"), (SubtreeRandomisation(), "grow")],
    ids=["folds", "regrown"],
)
def test_an_interrupt_in_the_middle_leaves_the_model_as_it_was(
    criterion: Any, name: str, n_jobs: int, frame: pd.DataFrame, labels: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = plain_classifier(pruning=criterion, n_jobs=n_jobs, max_depth=4).fit(frame, labels)
    before, answers = dict(vars(model)), model.predict_proba(frame)
    called = []

    def interrupted(*arguments: Any, **others: Any) -> Any:
        called.append(1)
        raise KeyboardInterrupt

    monkeypatch.setattr(contexts, name, interrupted)
    with pytest.raises(KeyboardInterrupt):
        model.fit(frame.iloc[::-1], labels[::-1])
    assert called
    assert vars(model).keys() == before.keys()
    assert all(vars(model)[key] is before[key] for key in before)
    np.testing.assert_array_equal(model.predict_proba(frame), answers)
    new = plain_classifier(pruning=criterion, n_jobs=n_jobs)
    with pytest.raises(KeyboardInterrupt):
        new.fit(frame, labels)
    assert not hasattr(new, "tree_")


def test_after_an_interrupt_no_further_fold_is_grown(
    frame: pd.DataFrame, labels: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The third of ten trees is interrupted in its growing, and no fourth is begun."""
    calls, grow = [], recipe.grow

    def growing(*arguments: Any, **others: Any) -> Any:
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return grow(*arguments, **others)

    monkeypatch.setattr(recipe, "grow", growing)
    model = plain_classifier(pruning="cost_complexity", n_jobs=2)
    with pytest.raises(KeyboardInterrupt):
        model.fit(frame, labels)
    assert len(calls) == 4
    assert not hasattr(model, "tree_")


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_criteria_that_need_more_cannot_stand_inside_others(frame: pd.DataFrame, labels: Any) -> None:
    """Trees of permuted classes have no cases held out."""
    criterion = SubtreeRandomisation(criterion=ReducedError())
    with pytest.raises(ValueError, match="ReducedError needs cases that the tree was not grown from"):
        plain_classifier(pruning=criterion).fit(frame, labels)


def test_bad_fresh_cases_are_refused(frame: pd.DataFrame, labels: Any) -> None:
    model = plain_classifier(pruning=ReducedError(fresh=lambda n: (frame[:n], ["blue"] * n)))
    with pytest.raises(ValueError, match="A case to prune with has the class 'blue', which no training case has"):
        model.fit(frame, labels)
