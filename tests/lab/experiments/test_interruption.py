"""A run that is killed and started again, until it ends, leaves the file of a run that nobody disturbed."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.lab.experiments.interrupted import work

from lab.experiments.results import HEADS

ROOT = Path(__file__).parents[3]
N_LINES = 1 + 2 * 5 * 2 * 2


def start(path: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.lab.experiments.interrupted", str(path)]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)


def n_lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def is_killed_at(moment: int, process: subprocess.Popen[bytes], path: Path) -> bool:
    """Kill the run a little after the file has so many lines; whether it was still at work."""
    while process.poll() is None and n_lines(path) < moment:
        time.sleep(0.005)
    time.sleep(random.random() / 50)
    process.kill()
    return process.wait() == -signal.SIGKILL


def without_times(path: Path) -> list[str]:
    """The lines without their seconds."""
    place = HEADS.index("seconds")
    lines = [line.split(",") for line in path.read_text().splitlines()]
    return [",".join(cells[:place] + cells[place + 1 :]) for cells in lines]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_and_started_again(tmp_path: Path) -> None:
    disturbed, undisturbed = tmp_path / "disturbed.csv", tmp_path / "undisturbed.csv"
    work(undisturbed, jobs=1)
    n_kills = 0
    while is_killed_at(n_lines(disturbed) + random.randrange(16, 34), start(disturbed), disturbed):
        n_kills += 1
        assert n_lines(disturbed) <= N_LINES
    assert n_kills >= 1
    assert len(without_times(disturbed)) == N_LINES
    assert without_times(disturbed) == without_times(undisturbed)
