"""The work: what is done, what is not done again, and what happens when a method fails."""

from __future__ import annotations

import hashlib
import io
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.lab.experiments.made import Fails, Shares, small_set

from lab.experiments.data import DataSet
from lab.experiments.measuring import MEASURES
from lab.experiments.methods import Method, find_methods
from lab.experiments.results import HEADS, ResultsFile
from lab.experiments.running import MEASURING, Job, Results, _followed, _noted, do, run
from lab.experiments.trials import Trial, cross_validated
from petree.progress import watched_by

SETS = (small_set("a"), small_set("b", seed=1))
METHODS = (Method("flat", Shares(0.0)), Method("plain", Shares(1.0)), Method("sharp", Shares(2.0)))


class Work:
    """Experiments in one file; the measures are made up, so that equal work gives equal files."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = path
        self.fits: Counter[tuple[str, str, int]] = Counter()
        self.seeds: list[tuple[int, int]] = []
        monkeypatch.setattr("lab.experiments.running.measure", self.measure)

    def measure(self, method: Method, trial: Trial, seed: int) -> dict[str, float]:
        self.fits[trial.data.name, method.name, trial.part.run] += 1
        self.seeds.append((trial.part.run, seed))
        made = hashlib.sha256(f"{method.settings} {trial.digest} {seed}".encode()).digest()
        return {name: made[place] / 256 for place, name in enumerate(MEASURES)}

    def __call__(
        self,
        data_sets: Sequence[DataSet] = SETS,
        methods: Sequence[Method] = METHODS,
        runs: int = 2,
        folds: int = 3,
        seed: int = 0,
    ) -> Results:
        self.fits.clear()
        trials = cross_validated(data_sets, runs, folds, seed)
        return run(trials, methods, ResultsFile(self.path), seed=seed, jobs=1)

    @property
    def n_fits(self) -> int:
        return self.fits.total()

    @property
    def content(self) -> bytes:
        return self.path.read_bytes()


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    return Work(tmp_path / "results.csv", monkeypatch)


# -- all of it -----------------------------------------------------------------------------------------------


def test_every_method_on_every_trial_in_order(work: Work) -> None:
    results = work()
    assert results.failures == []
    expected = [
        (data.name, method.name, run, fold)
        for data in SETS
        for run in range(2)
        for fold in range(3)
        for method in METHODS
    ]
    assert [(key.data_set, key.method, key.run, key.fold) for key in results.measures] == expected
    assert list(ResultsFile(work.path).read()) == list(results.measures)
    assert set(work.fits.values()) == {3}


def test_learners_are_seeded_by_seed_and_run(work: Work) -> None:
    work(seed=5)
    assert set(work.seeds) == {(0, 5), (1, 6)}


def test_one_seed_gives_one_file_and_another_another(work: Work) -> None:
    work()
    first = work.content
    work.path.unlink()
    work()
    assert work.content == first
    work.path.unlink()
    work(seed=1)
    assert work.content != first


def test_real_measures_of_one_seed(tmp_path: Path) -> None:
    """All but the times are the same."""
    methods = find_methods("none,rand,tree=sklearn.tree.DecisionTreeClassifier(max_features=1)")
    made = []
    for name in ("one.csv", "other.csv"):
        file = ResultsFile(tmp_path / name)
        run(cross_validated([small_set()], 1, 2), methods, file, jobs=1)
        lines = [line.split(",") for line in file.path.read_text().splitlines()]
        made.append([[cell for cell, head in zip(cells, HEADS, strict=True) if head != "seconds"] for cells in lines])
    assert len(made[0]) == 1 + 2 * 3
    assert made[0] == made[1]


# -- what is done already ------------------------------------------------------------------------------------


def test_nothing_is_done_twice(work: Work) -> None:
    first, content = work(), work.content
    second = work()
    assert work.n_fits == 0
    assert work.content == content
    assert list(second.measures) == list(first.measures)


def test_a_file_cut_anywhere_is_completed_to_the_same_file(work: Work) -> None:
    work(SETS[:1])
    whole = work.content
    n_lines = whole.count(b"\n") - 1
    for length in range(0, len(whole), 53):
        work.path.write_bytes(whole[:length])
        work(SETS[:1])
        assert work.content == whole
        assert work.n_fits == n_lines - max(whole[:length].count(b"\n") - 1, 0)


CHANGED = replace(SETS[1], y=SETS[1].y[::-1])


@pytest.mark.parametrize(
    ("change", "n_fits", "sets", "methods"),
    [
        ({"methods": (*METHODS, Method("new", Shares(3.0)))}, 12, "ab", {"new"}),
        ({"methods": (*METHODS[:2], Method("sharp", Shares(9.0)))}, 12, "ab", {"sharp"}),
        ({"methods": METHODS[:1]}, 0, "", set()),
        ({"data_sets": (*SETS, small_set("c", seed=2))}, 18, "c", {"flat", "plain", "sharp"}),
        ({"data_sets": (SETS[0], CHANGED)}, 18, "b", {"flat", "plain", "sharp"}),
        ({"data_sets": SETS[::-1]}, 0, "", set()),
        ({"runs": 3}, 18, "ab", {"flat", "plain", "sharp"}),
        ({"runs": 1}, 0, "", set()),
        ({"folds": 4}, 48, "ab", {"flat", "plain", "sharp"}),
        ({"seed": 1}, 36, "ab", {"flat", "plain", "sharp"}),
    ],
)
def test_a_change_recomputes_what_it_touches(
    work: Work, change: dict[str, object], n_fits: int, sets: str, methods: set[str]
) -> None:
    work()
    before = work.content
    results = work(**change)  # type: ignore[arg-type]
    assert work.n_fits == n_fits
    assert {name for name, _, _ in work.fits} == set(sets)
    assert {name for _, name, _ in work.fits} == methods
    assert work.content.startswith(before)
    assert work.content.count(b"\n") == before.count(b"\n") + n_fits
    work()
    assert work.n_fits == 0
    assert results.failures == []


def test_more_runs_are_only_the_new_ones(work: Work) -> None:
    work()
    work(runs=3)
    assert {run for _, _, run in work.fits} == {2}


def test_the_seed_of_the_learners_is_part_of_the_setting(work: Work) -> None:
    trials = list(cross_validated(SETS, 1, 3))
    for seed in (0, 1):
        work.fits.clear()
        run(trials, METHODS, ResultsFile(work.path), seed=seed, jobs=1)
        assert work.n_fits == 18


def test_results_are_of_what_was_asked(work: Work) -> None:
    work()
    results = work(SETS[1:], METHODS[:1], runs=1)
    assert [(key.data_set, key.method, key.run, key.fold) for key in results.measures] == [
        ("b", "flat", 0, fold) for fold in range(3)
    ]


def test_a_changed_method_keeps_no_old_results(work: Work) -> None:
    old = work()
    new = work(methods=[Method("flat", Shares(7.0))])
    assert not set(new.measures) & set(old.measures)


# -- failures ------------------------------------------------------------------------------------------------


def test_a_method_that_fails_is_told_once_and_the_others_go_on(tmp_path: Path) -> None:
    methods = [Method("bad", Fails()), Method("good", Shares())]
    file = ResultsFile(tmp_path / "results.csv")
    results = run(cross_validated(SETS, 2, 3), methods, file, jobs=1)
    assert {key.method for key in results.measures} == {"good"}
    assert len(results.measures) == 12
    assert len(results.failures) == 2
    for sentence, name in zip(results.failures, "ab", strict=True):
        assert sentence.startswith(f"bad failed on {name}: ArithmeticError: no luck with ")
        assert "\n" not in sentence


def test_what_failed_is_tried_again(tmp_path: Path) -> None:
    file = ResultsFile(tmp_path / "results.csv")
    trials = list(cross_validated(SETS, 1, 2))
    bad, good = Method("sometimes", Fails()), Method("sometimes", Fails(at_most=0))
    assert run(trials, [bad], file, jobs=1).measures == {}
    assert run(trials, [bad], file, jobs=1).failures
    repaired = run(trials, [good], file, jobs=1)
    assert len(repaired.measures) == 4
    assert repaired.failures == []


def test_a_method_may_fail_on_some_trials_only(tmp_path: Path) -> None:
    data_sets = [small_set("small", n_rows=10), small_set("large")]
    results = run(
        cross_validated(data_sets, 1, 2), [Method("m", Fails(at_most=10))], ResultsFile(tmp_path / "r.csv"), jobs=1
    )
    assert {key.data_set for key in results.measures} == {"large"}
    assert [sentence.split(":")[0] for sentence in results.failures] == ["m failed on small"]


# -- what is seen of it --------------------------------------------------------------------------------------


def test_progress_is_shown_on_a_terminal(
    work: Work, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    work(runs=1)
    assert capsys.readouterr() == ("", "")
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    work([replace(SETS[0], name="[x] and [/y]")], runs=1)
    assert capsys.readouterr().out == ""
    assert "9/9" in stream.getvalue()


def test_each_method_on_each_fold_is_noted_for_the_process_that_shows_it(tmp_path: Path) -> None:
    jobs_of = [Job(trial, METHODS) for trial in cross_validated(SETS[:1], 1, 2)]
    notes = tmp_path / "notes"
    done = [_noted(partial(do, seed=0), notes, job) for job in jobs_of]
    assert [one.data_set for one in done] == ["a", "a"]
    items = notes.read_text().splitlines()
    assert items == [f"a, run 1, fold {fold}: {name}" for fold in (1, 2) for name in ("flat", "plain", "sharp")]


def test_notes_are_followed_while_jobs_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.experiments.running.PATIENCE", 0.001)
    reports: list[tuple[Any, ...]] = []
    has_items = threading.Event()

    def watch(doing: str, done: int, total: int, item: str = "") -> None:
        reports.append((doing, done, total, item))
        if item:
            has_items.set()

    notes = tmp_path / "notes"
    with watched_by(watch), _followed(notes, 6) as steps:
        notes.write_text("a\nb\n")
        assert has_items.wait(60)
        steps.reach(6)
    assert reports == [(MEASURING, 0, 6, ""), (MEASURING, 2, 6, "b"), (MEASURING, 6, 6, "")]
