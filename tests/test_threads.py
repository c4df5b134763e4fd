"""Pieces of work side by side: every piece once, in order, whatever happens to one of them or to the process."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
import weakref

import pytest

from petree.threads import Threads


def squares(n_threads: int, n_pieces: int) -> list[int]:
    return Threads(n_threads).run(lambda number: number**2, [(number,) for number in range(n_pieces)])


@pytest.mark.parametrize("n_threads", [1, 2, 3, 8])
@pytest.mark.parametrize("n_pieces", [0, 1, 2, 50])
def test_results_come_in_the_order_of_the_pieces(n_threads: int, n_pieces: int) -> None:
    assert squares(n_threads, n_pieces) == [number**2 for number in range(n_pieces)]


def test_every_piece_is_done_once() -> None:
    """Also by an interpreter without a lock of its own, whose threads take pieces at the same moment."""
    done: list[int] = []
    Threads(4).run(done.append, [(number,) for number in range(20_000)])
    assert sorted(done) == list(range(20_000))


def test_pieces_run_side_by_side() -> None:
    meeting = threading.Barrier(2, timeout=20)
    assert sorted(Threads(2).run(meeting.wait, [(), ()])) == [0, 1]


@pytest.mark.parametrize("where", ["caller", "helper"])
def test_after_an_error_nobody_begins_another_piece(where: str) -> None:
    caller, begun, meeting = threading.current_thread(), [], threading.Barrier(2, timeout=20)

    def work(number: int) -> None:
        begun.append(number)
        if number < 2:
            meeting.wait()
            if (threading.current_thread() is caller) == (where == "caller"):
                raise ZeroDivisionError
            time.sleep(0.1)

    with pytest.raises(ZeroDivisionError):
        Threads(2).run(work, [(number,) for number in range(50)])
    assert sorted(begun) == [0, 1]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals for threads")
@pytest.mark.parametrize("when", ["in a piece", "while waiting"])
def test_an_interrupt_is_raised_when_all_have_stopped(when: str) -> None:
    """Signals reach the main thread: in the middle of its own piece, or while it waits for the other thread's."""
    meeting, begun, ended = threading.Barrier(2, timeout=20), [], []
    caller = threading.current_thread()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it may be ignored

    def work(number: int) -> None:
        begun.append(number)
        meeting.wait()
        if threading.current_thread() is not caller:
            time.sleep(0.1)
            signal.pthread_kill(caller.ident or 0, signal.SIGINT)
            time.sleep(0.3)
            ended.append(number)
        elif when == "in a piece":
            time.sleep(5)

    n_pieces = 40 if when == "in a piece" else 2
    with pytest.raises(KeyboardInterrupt):
        Threads(2).run(work, [(number,) for number in range(n_pieces)])
    signal.signal(signal.SIGINT, before)
    assert len(begun) == 2
    assert len(ended) == 1


def test_threads_are_kept_and_what_they_did_is_not() -> None:
    class Data:
        pass

    names, meeting = set(), threading.Barrier(2, timeout=20)

    def work(data: Data) -> None:
        meeting.wait()
        names.add(threading.get_ident())

    kept = []
    for _ in range(20):
        data = Data()
        kept.append(weakref.ref(data))
        Threads(2).run(work, [(data,), (data,)])
        del data
    assert len(names) <= os.cpu_count()
    assert not any(reference() for reference in kept)


@pytest.mark.parametrize("culprit", [0, 1])
def test_an_error_of_either_thread_is_raised_once_all_have_stopped(culprit: int) -> None:
    meeting, ended = threading.Barrier(2, timeout=20), []

    def work(number: int) -> None:
        meeting.wait()
        if number == culprit:
            raise ZeroDivisionError(f"piece {number}")
        time.sleep(0.05)
        ended.append(number)

    with pytest.raises(ZeroDivisionError, match=f"piece {culprit}"):
        Threads(2).run(work, [(0,), (1,)])
    assert ended == [1 - culprit]


def test_pieces_may_have_pieces_of_their_own() -> None:
    """Who waits for a pool that is full of others who wait would wait for ever."""
    assert Threads(3).run(squares, [(3, 4)] * 20) == [[0, 1, 4, 9]] * 20


def test_callers_share_a_busy_pool() -> None:
    busy, release = threading.Event(), threading.Event()

    def hold(number: int) -> None:
        busy.set()
        assert release.wait(20)

    caller = threading.Thread(target=Threads(2).run, args=(hold, [(0,), (1,)]))
    caller.start()
    assert busy.wait(20)
    assert squares(2, 5) == [0, 1, 4, 9, 16]
    release.set()
    caller.join(20)
    assert not caller.is_alive()


def _meet(n_times: int) -> list[list[int]]:
    meeting = threading.Barrier(2, timeout=20)
    return [sorted(Threads(2).run(meeting.wait, [(), ()])) for _ in range(n_times)]


@pytest.mark.skipif(sys.platform == "win32", reason="processes are not forked on Windows")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    assert _meet(1) == [[0, 1]]
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(_meet, (2,)).get(timeout=60) == [[0, 1], [0, 1]]
