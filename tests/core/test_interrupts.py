"""Long loops can be left: by an interrupt, by another thread's error, and by the end of the interpreter."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from petree import OptionTreeClassifier, ProbabilityTreeClassifier, core
from petree.splitting import GainRatio
from petree.threads import Threads

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals for threads")


@pytest.fixture(autouse=True)
def _interrupts_count() -> Iterator[None]:
    """A process in the background may have been started deaf to them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def noise(n_rows: int, n_columns: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(0)
    return generator.normal(size=(n_rows, n_columns)), generator.integers(0, 2, n_rows)


LONG_FITS = {
    "options": (OptionTreeClassifier(max_depth=20, max_nodes=10**7, n_jobs=2), 20_000),
    "default": (ProbabilityTreeClassifier(), 200_000),
    "default, two threads": (ProbabilityTreeClassifier(n_jobs=2), 200_000),
    "permutations": (ProbabilityTreeClassifier(pruning="rand", n_jobs=2), 400_000),
    "ratio": (ProbabilityTreeClassifier(split=GainRatio(), pruning="none"), 400_000),
    "bayes": (ProbabilityTreeClassifier(split="bayes", pruning="none"), 400_000),
}


@needs_signals
@pytest.mark.parametrize("name", LONG_FITS)
def test_an_interrupt_ends_a_fit_and_leaves_the_old_model(name: str) -> None:
    model, n_rows = LONG_FITS[name]
    X, y = noise(n_rows, 20)
    model.fit(X[:200], y[:200])
    before, fitted, caller = model.predict_proba(X[:50]), model.tree_, threading.get_ident()
    rung: list[float] = []

    def ring() -> None:
        rung.append(time.monotonic())
        signal.pthread_kill(caller, signal.SIGINT)

    alarm = threading.Timer(0.3, ring)
    alarm.start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert time.monotonic() - rung[0] < 2  # a tenth of that, on a machine that does nothing else
    assert model.tree_ is fitted
    np.testing.assert_array_equal(model.predict_proba(X[:50]), before)


@needs_signals
def test_an_interrupt_ends_best_first_growing_and_leaves_what_is_there() -> None:
    X, y = noise(20_000, 20)
    caller = threading.get_ident()
    alarm = threading.Timer(0.5, lambda: signal.pthread_kill(caller, signal.SIGINT))
    model = OptionTreeClassifier(max_nodes=10**7, growing="best_first")
    alarm.start()
    with pytest.warns(UserWarning, match="Growing was interrupted"):
        model.fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X[:50]).sum(axis=1), 1)


def long_loop(threads: Threads) -> Callable[[], None]:
    """Random tables, more of them than anybody waits for."""
    tables, logs = np.full((4, 2), 50, np.int64), np.zeros(1)

    def run() -> None:
        found = np.zeros(1, np.int64)
        core.draws.improbable_tables(
            tables, np.array([0, 4]), np.array([1], np.uint64), logs, 10**12, 10**12, found, threads.stop
        )

    return run


def test_an_error_of_one_thread_stops_the_loops_of_the_others() -> None:
    threads = Threads(2)
    loop, meeting = long_loop(threads), threading.Barrier(2, timeout=20)

    def work(fails: bool) -> None:
        meeting.wait()
        if fails:
            raise ZeroDivisionError
        loop()

    with pytest.raises(ZeroDivisionError):
        threads.run(work, [(True,), (False,)])
    assert threads.run(abs, [(-1,), (-2,)]) == [1, 2]  # nothing of it is left
    assert not threads.stop[0]


def test_a_flag_stops_a_loop() -> None:
    threads = Threads(1)
    loop = long_loop(threads)
    threads.stop[0] = 1
    with pytest.raises(core.Stopped):
        loop()


LEAVE = """
import threading, time
import numpy as np
from petree import OptionTreeClassifier, ProbabilityTreeClassifier
X, y = np.random.default_rng(0).normal(size=(100_000, 20)), np.arange(100_000) % 2
for model in (OptionTreeClassifier(max_nodes=10**7, n_jobs=2), ProbabilityTreeClassifier(n_jobs=2)):
    threading.Thread(target=model.fit, args=(X, y), daemon=True).start()
time.sleep(0.5)
print("leaving", flush=True)
"""


def test_the_interpreter_can_be_left_in_the_middle_of_a_fit() -> None:
    done = subprocess.run([sys.executable, "-c", LEAVE], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert done.stdout == "leaving\n"
    assert done.stderr == ""


def test_permutations_of_a_small_node_can_be_stopped() -> None:
    """However many are asked for."""
    generator = np.random.default_rng(0)
    rows = core.tables.Rows(
        core.tables.Columns(
            np.array([60, 60]), np.zeros(2, np.int64), np.arange(2, dtype=np.int32), np.zeros(2, np.int64), np.empty(0)
        ),
        2,
        generator.integers(0, 60, (64, 2)).astype(np.uint8),
        np.empty((64, 0), np.uint32),
        generator.integers(0, 2, 64).astype(np.uint16),
        np.empty(0, np.uint32),
        np.empty(0),
        np.empty(0),
        np.arange(64, dtype=np.uint32),
    )
    search = core.search.Search("gain", np.empty(0), np.empty(0), 1, np.empty(0), True, False)
    key, most = np.array([1], np.uint64), 10**12
    trials = core.permutation.Trials(np.array([[0, 64]]), key, np.array([0.2]), np.array([most]), most)
    one, stop = np.zeros(1, np.int64), np.zeros(1, np.uint8)
    progress = core.permutation.Progress(np.array([-1], np.int32), one.copy(), one.copy(), one.copy())
    threading.Timer(0.1, lambda: stop.fill(1)).start()
    with pytest.raises(core.Stopped):
        core.permutation.exceedances(search, rows, trials, progress, np.array([0]), stop)


AT_THE_END = """
import atexit
import numpy as np
X, y = np.random.default_rng(0).normal(size=(500, 3)), np.arange(500) % 2
atexit.register(lambda: print(len(model.predict_proba(X))))
from petree import ProbabilityTreeClassifier
model = ProbabilityTreeClassifier(n_jobs=2).fit(X, y)
"""


def test_a_model_answers_while_the_interpreter_is_left() -> None:
    done = subprocess.run([sys.executable, "-c", AT_THE_END], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "500\n", "")


FORK = """
import os, threading, time
import numpy as np
from petree import OptionTreeClassifier, ProbabilityTreeClassifier, threads
X, y = np.random.default_rng(0).normal(size=(50_000, 20)), np.arange(50_000) % 2
threading.Thread(target=OptionTreeClassifier(max_nodes=10**7).fit, args=(X, y), daemon=True).start()
while not threads._running:
    time.sleep(0.01)
child = os.fork()
if child == 0:
    n_running = len(threads._running)
    ProbabilityTreeClassifier(n_jobs=2).fit(X[:500], y[:500])
    os._exit(n_running)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@needs_signals
def test_a_forked_process_does_not_wait_for_threads_that_it_lacks() -> None:
    done = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "0\n")
