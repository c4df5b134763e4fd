"""Work reports its progress to who watches; a terminal shows a bar, anything else gets lines now and then."""

from __future__ import annotations

import io
import sys
import threading

import pytest
from tests.relational.molecules import KEYS, make_model

from petree import OptionTreeClassifier, progress
from petree.progress import Lines, Steps, begin, report, shown, steps, watched_by

Report = tuple[str, int, int, str]


class Reports(list[Report]):
    """A watcher that keeps all reports."""

    def __call__(self, doing: str, done: int, total: int, item: str = "") -> None:
        self.append((doing, done, total, item))


def test_a_relational_fit_reports_every_wave() -> None:
    reports = Reports()
    with watched_by(reports):
        model = make_model().fit(KEYS)
    assert reports[0][1:3] == (0, len(KEYS))
    done = [one[1] for one in reports]
    assert done == sorted(done)
    assert len(reports) == model.get_depth()
    report("more", 1, 2)
    assert len(reports) == model.get_depth()


def test_intervals_of_option_trees_report_their_rows() -> None:
    X = [[float(i % 7), float(i % 5)] for i in range(60)]
    for n_classes, n_computed in ((2, 1), (3, 3)):
        model = OptionTreeClassifier(max_depth=3).fit(X, [i % 7 % n_classes for i in range(60)])
        reports = Reports()
        with watched_by(reports):
            model.predict_interval(X)
        assert reports[0][1:3] == (0, 60 * n_computed)
        assert reports[-1][1:3] == (60 * n_computed, 60 * n_computed)


def test_steps_are_counted_for_the_innermost_watcher_when_they_begin() -> None:
    outer, inner = Reports(), Reports()
    with watched_by(outer):
        counted = Steps("outer", 3)
        with watched_by(inner):
            assert list(steps("inner", "ab")) == ["a", "b"]
            counted.advance(2)
    counted.reach(1)  # known already
    counted.reach(3, "the last")
    assert outer == [("outer", 0, 3, ""), ("outer", 2, 3, ""), ("outer", 3, 3, "the last")]
    assert inner == [("inner", done, 2, "") for done in (0, 1, 2)]
    assert begin("nobody", 3) is progress.ignore


def test_a_line_says_what_is_going_on() -> None:
    now = [5.0]
    lines = Lines("Learning", clock=lambda: now[0])
    now[0] = 17.4
    assert lines.line() == "petree: Learning, 12 s"
    lines("counting", 0, 8)
    lines("counting", 3, 8)
    assert lines.line() == "petree: Learning: counting 3 of 8, 12 s"
    lines("counting", 0, 8, "a\x1bb")
    assert lines.line() == r"petree: Learning: counting (2) 0 of 8 (a\x1bb), 12 s"


class Stream(io.StringIO):
    """An error stream with an event for the first line after a report."""

    def __init__(self) -> None:
        super().__init__()
        self.has_lines = threading.Event()

    def write(self, text: str) -> int:
        written = super().write(text)
        if self.getvalue().endswith("\n") and " of " in self.getvalue():  # a line written after the first report
            self.has_lines.set()
        return written


def replaced_stderr(monkeypatch: pytest.MonkeyPatch) -> Stream:
    stream = Stream()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "SECONDS", 0.001)
    return stream


def test_lines_are_written_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = replaced_stderr(monkeypatch)
    with shown("Working"), shown("Reading"):
        report("steps", 1, 4)
        assert stream.has_lines.wait(60)
    written = stream.getvalue()
    assert written.splitlines()[-1] == "petree: Working: steps 1 of 4, 0 s"
    assert "\x1b" not in written
    assert written.count("\n") == written.count("petree: Working")  # no lines of a block within
    report("steps", 2, 4)  # nobody shows it any more
    assert stream.getvalue() == written


def test_a_terminal_gets_no_lines_and_no_bar_among_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = replaced_stderr(monkeypatch)
    monkeypatch.setattr(stream, "isatty", lambda: True)
    with shown("Working", on_terminal=False):
        report("steps", 1, 4)
    assert stream.getvalue() == ""
