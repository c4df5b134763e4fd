"""A model is replaced in one step, what is wrong is said before the work, and no file starts a thousand threads."""

from __future__ import annotations

import os
import pickle
from copy import deepcopy
from multiprocessing import get_context
from threading import Thread
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from petree import (
    OptionTreeClassifier,
    ProbabilityTreeClassifier,
    RelationalOptionTreeClassifier,
    RelationalTreeClassifier,
)
from petree.estimators.replacing import MARK, replaced_at_the_end
from petree.inputs import memory
from petree.threads import count_threads

KINDS = (ProbabilityTreeClassifier, OptionTreeClassifier, RelationalTreeClassifier, RelationalOptionTreeClassifier)
X = np.random.default_rng(0).normal(size=(80, 3))
Y = (X[:, 0] > 0).astype(int)


def test_who_predicts_meanwhile_sees_the_old_model_or_the_new_one() -> None:
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(X, Y)
    tables = [(X, Y), (X[:, :3], np.repeat(["x", "y", "z", "w"], 20))]
    expected = [ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(*one).predict(X) for one in tables]
    wrong: list[Any] = []
    is_over = False

    def predict() -> None:
        while not is_over:
            answer = model.predict(X)
            if not any(np.array_equal(answer, one) for one in expected):
                wrong.append(answer)

    thread = Thread(target=predict)
    thread.start()
    for turn in range(60):
        model.fit(*tables[turn % 2])
    is_over = True
    thread.join()
    assert not wrong


def test_calls_of_partial_fit_in_several_threads_follow_each_other() -> None:
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace")
    parts = [slice(start, start + 10) for start in range(0, 80, 10)]
    threads = [Thread(target=model.partial_fit, args=(X[part], Y[part], [0, 1])) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert model.tree_.counts[0].tolist() == np.bincount(Y).tolist()
    assert model.n_rows_kept_ == 80


def test_the_lock_of_a_model_is_no_part_of_copies() -> None:
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace").partial_fit(X, Y, [0, 1])
    with vars(model)["_lock"].held():
        copies = [pickle.loads(pickle.dumps(model)), deepcopy(model), clone(model)]
        threads = [Thread(target=copy.partial_fit, args=(X, Y, [0, 1]), daemon=True) for copy in copies]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive()
    assert [copy.n_rows_kept_ for copy in copies] == [160, 160, 80]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
def test_a_forked_process_does_not_wait_for_a_fit_of_its_parent() -> None:
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(X, Y)
    context = get_context("fork")
    with vars(model)["_lock"].held():
        child = Thread(target=lambda: children[0].start())
        children = [context.Process(target=model.fit, args=(X, Y))]
        child.start()  # in another thread, whose process would otherwise hold the lock itself
        child.join()
        children[0].join(60)
        code = children[0].exitcode
        children[0].kill()
    assert code == 0


def test_a_fit_that_fails_changes_nothing() -> None:
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit({"a": X[:, 0]}, Y)
    before = dict(vars(model))
    with pytest.raises(ValueError, match="one class"):
        model.fit({"b": X[:, 0]}, np.zeros(80))
    assert vars(model) == before


def test_what_is_set_while_a_model_is_fitted_stays_set() -> None:
    model = ProbabilityTreeClassifier(min_gain=0.5)
    with replaced_at_the_end(model) as copy:
        model.set_params(n_jobs=2, min_gain=0.25)
        model.note = "mine"
        copy.tree_ = "tree"
        copy.min_gain = 0.75
    assert (model.n_jobs, model.min_gain, model.note, model.tree_) == (2, 0.75, "mine", "tree")


def test_what_fitting_removes_is_gone() -> None:
    model = ProbabilityTreeClassifier()
    model.tuning_ = model.kept = "old"
    with replaced_at_the_end(model) as copy:
        del copy.tuning_, copy.kept
    assert not hasattr(model, "tuning_")
    assert not hasattr(model, "kept")


def test_of_two_fits_at_once_the_last_to_end_has_all_it_learnt_and_nothing_else() -> None:
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace")
    with replaced_at_the_end(model) as copy:
        model.fit({"a": X[:, 0]}, Y)
        copy.fit(X, Y)
    assert model.tree_ is copy.tree_
    assert not hasattr(model, "feature_names_in_")


def public_members(kind: type) -> dict[str, Any]:
    """Methods and properties of an estimator that petree defines, and what notebooks show."""
    own = [base for base in reversed(kind.__mro__) if base.__module__.startswith("petree")]
    members = {name: member for base in own for name, member in vars(base).items()}
    is_method = {name: callable(member) or isinstance(member, property) for name, member in members.items()}
    return {
        name: member.fget if isinstance(member, property) else member
        for name, member in members.items()
        if is_method[name] and (not name.startswith("_") or name == "_html_repr")
    }


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_reads_a_fitted_model_answers_by_one(kind: type) -> None:
    """Some read nothing but parameters or set, one is told all by a single other method, and one always refuses."""
    others = {"fit", "partial_fit", "cost_complexity_pruning_path", "set_params", "predict_log_proba", "set_base_rates"}
    others |= {"feature_importances_"} if kind in KINDS[2:] else set()
    others |= {"resolved_prior"} if kind in KINDS[1::2] else set()
    members = public_members(kind)
    assert {"predict_proba", "predict"} <= members.keys()
    assert [name for name, member in members.items() if name not in others and not hasattr(member, MARK)] == []


def test_columns_are_warned_of_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def learn(*_: Any) -> Any:
        raise RuntimeError("the work has begun")

    monkeypatch.setattr("petree.estimators.updating.new_rows.learn", learn)
    columns = {"a": X[:, 0], "nothing": np.full(80, np.nan)}
    with pytest.warns(UserWarning, match="'nothing' has no values"), pytest.raises(RuntimeError, match="begun"):
        ProbabilityTreeClassifier().fit(columns, Y)


def test_more_threads_than_processors_are_not_started() -> None:
    assert count_threads(3000) == os.cpu_count()
    assert count_threads(1) == 1


def test_so_many_classes_that_counts_do_not_fit_are_refused_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "memory_of_machine", lambda: 10**6)
    wide, y = np.random.default_rng(1).normal(size=(600, 2)), np.arange(600) // 2
    with pytest.raises(ValueError, match=r"300 classes in 600 rows.*max_depth or min_samples_leaf"):
        ProbabilityTreeClassifier().fit(wide, y)
    bounded = ProbabilityTreeClassifier(max_depth=3, pruning="none", smoothing="laplace")
    assert bounded.fit(wide, y).get_depth() == 3
    monkeypatch.setattr(memory, "memory_of_machine", lambda: 10**7)
    with pytest.warns(
        UserWarning, match=r"300 classes in 600 rows.*may take up to 0.016 GB, if it grows to 1200 nodes"
    ):
        ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(wide, y)


def test_costly_numbers_of_classes_are_announced_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine whose memory suffices, too: what is proposed keeps the bound, and one row less does not."""
    wide, y = np.random.default_rng(1).normal(size=(600, 2)), np.arange(600) % 300
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace")
    monkeypatch.setattr(memory, "memory_of_machine", lambda: 10**12)
    monkeypatch.setattr(memory, "LARGE_COUNTS", 10**6)
    with pytest.warns(UserWarning, match=r"300 classes in 600 rows.*and accordingly long; .* min_samples_leaf=18 it"):
        model.fit(wide, y)
    model.set_params(min_samples_leaf=18).fit(wide, y)
    with pytest.warns(UserWarning, match="300 classes in 600 rows"):
        model.set_params(min_samples_leaf=17).fit(wide, y)
