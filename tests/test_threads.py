"""Pieces of work side by side: every piece once, in order, whatever happens to one of them or to the process."""

from __future__ import annotations

import multiprocessing
import sys
import threading
import time
from collections.abc import Sequence

import pytest

from petree.threads import Threads


def squares(n_threads: int, n_pieces: int) -> list[int]:
    return Threads(n_threads).run(lambda number: number**2, [(number,) for number in range(n_pieces)])


@pytest.mark.parametrize("n_threads", [1, 2, 3, 8])
@pytest.mark.parametrize("n_pieces", [0, 1, 2, 50])
def test_results_come_in_the_order_of_the_pieces(n_threads: int, n_pieces: int) -> None:
    assert squares(n_threads, n_pieces) == [number**2 for number in range(n_pieces)]


def test_pieces_run_side_by_side() -> None:
    meeting = threading.Barrier(2, timeout=20)
    assert sorted(Threads(2).run(meeting.wait, [(), ()])) == [0, 1]


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


def _answer(n_threads: Sequence[int]) -> list[list[int]]:
    return [squares(number, 5) for number in n_threads]


@pytest.mark.skipif(sys.platform == "win32", reason="processes are not forked on Windows")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    expected = squares(2, 5)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(_answer, ([2, 2],)).get(timeout=60) == [expected, expected]
