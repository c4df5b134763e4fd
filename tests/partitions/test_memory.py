"""A fit takes no more memory than it may."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from tests.growing.checks import assert_same_tree
from tests.partitions.made import LITTLE, UNEQUAL, assert_nearly_same_tree, code, make_frame, make_weights

from petree import ProbabilityTreeClassifier
from petree.columns import Column
from petree.partitions import ground
from petree.partitions.engines import use
from petree.partitions.engines.base import parts_of
from petree.partitions.kept import KeptNodes, Reach
from petree.partitions.partition import CodedData, Partition
from petree.sources.coding import BinnedColumn

N_COLUMNS = 10
N_BINS = 200
MEMORY = 40_000_000
# Peak memory of a fit above what the process had before, in a process of its own; a small fit comes first, since that
# imports what a fit needs.
PEAK = """
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from petree import ProbabilityTreeClassifier
from petree.partitions import use
from tests.partitions.executor import ByExecutor
from tests.partitions.test_memory import MEMORY, make_folder, status

data = make_folder(Path(sys.argv[1]), int(sys.argv[2]))
model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace", max_depth=7, n_jobs=2)
engine = ByExecutor(ThreadPoolExecutor(2)) if sys.argv[3] == "executor" else None
with use(engine, memory=20_000):
    model.fit(make_folder(Path(sys.argv[1]), 2_000))
Path("/proc/self/clear_refs").write_text("5")
before = status("VmRSS")
with use(engine, memory=MEMORY):
    model.fit(data)
print(model.tree_.n_leaves, status("VmHWM") - before)
"""


# The same of a whole command, which codes files first.
PEAK_OF_COMMAND = """
import sys
from pathlib import Path
from petree.cli.app import main
from tests.partitions.test_memory import status

def fit(folder):
    words = ["fit", str(folder), "--target", "y", "--out", str(folder / "model.json"), "--memory", "256MB"]
    try:
        main(words)
    except SystemExit as end:
        assert not end.code

fit(Path(sys.argv[1]) / "2000")
Path("/proc/self/clear_refs").write_text("5")
before = status("VmRSS")
fit(Path(sys.argv[1]) / "800000")
print(status("VmHWM") - before)
"""


def status(name: str) -> int:
    """Bytes that Linux reports for this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def write_parquet(folder: Path, n_rows: int) -> None:
    random = np.random.default_rng(0)
    values = random.normal(size=(20, n_rows))
    classes = np.where(values[0] + values[1] * values[2] + random.normal(size=n_rows) > 0, "yes", "no")
    columns = {f"x{place}": column for place, column in enumerate(values)}
    folder.mkdir()
    pyarrow.parquet.write_table(pyarrow.table({**columns, "y": classes}), folder / "a.parquet", row_group_size=200_000)


@dataclass(frozen=True)
class Made:
    """Rows in files, which may be large for the memory."""

    path: Path
    n_rows: int
    name: str = "made"

    def read(self) -> Partition:
        narrow = np.memmap(self.path, np.uint8, "r", shape=(self.n_rows, N_COLUMNS))
        classes = np.memmap(self.path.with_suffix(".classes"), np.uint16, "r")
        keys = np.broadcast_to(np.uint64(0), self.n_rows)
        return Partition(narrow, np.empty((self.n_rows, 0), np.uint32), classes, None, keys)


def make_folder(folder: Path, n_rows: int) -> CodedData:
    path = folder / str(n_rows)
    if not path.exists():
        narrow = np.random.default_rng(0).integers(0, N_BINS, (n_rows, N_COLUMNS), np.uint8)
        narrow.tofile(path)
        classes = (narrow[:, 0] > narrow[:, 1]) ^ (narrow[:, 2] > 150)
        classes.astype(np.uint16).tofile(path.with_suffix(".classes"))
    part = Made(path, n_rows)
    cuts = np.arange(1.0, N_BINS)
    columns = tuple(BinnedColumn(Column(f"x{place}"), cuts, N_BINS, False, False) for place in range(N_COLUMNS))
    totals = np.bincount(part.read().classes, minlength=2).astype(np.float64)
    return CodedData(columns, np.arange(2), totals, (part, part, part))


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="needs what Linux tells of a process")
@pytest.mark.parametrize("engine", ["threads", "executor"])
def test_a_fit_takes_no_more_than_its_budget_and_a_fifth(engine: str, tmp_path: Path) -> None:
    """More codes than it may take, in parts that are larger than what it may take for them."""
    command = [sys.executable, "-c", PEAK, str(tmp_path), "1600000", engine]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    n_leaves, n_bytes = map(int, done.stdout.split())
    assert n_leaves > 100
    assert n_bytes < 1.2 * MEMORY


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="needs what Linux tells of a process")
def test_a_command_takes_no_more_than_its_memory_and_a_fifth(tmp_path: Path) -> None:
    """Coding and learning together, beside the program, all of which a small fit has imported."""
    for n_rows in (2_000, 800_000):
        write_parquet(tmp_path / str(n_rows), n_rows)
    command = [sys.executable, "-c", PEAK_OF_COMMAND, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    assert int(done.stdout.split()[-1]) < 1.2 * 256_000_000


@pytest.mark.parametrize("n_nodes", [3, 255, 256, 70_000])
def test_nodes_are_kept_as_long_as_there_is_room(n_nodes: int) -> None:
    nodes = np.array([-1, 0, n_nodes - 1, 1], np.int32)
    n_bytes = 4 * (1 if n_nodes < 256 else 2 if n_nodes < 65_536 else 4)
    kept = KeptNodes(2 * n_bytes)
    for part in range(4):
        kept.keep(part, Reach(7, n_nodes, nodes))
    assert kept.n_bytes == 2 * n_bytes
    for part in (0, 1):
        found = kept.at(part, 7)
        assert found is not None
        assert (found.token, found.n_nodes) == (7, n_nodes)
        np.testing.assert_array_equal(found.nodes, nodes)
    assert [kept.at(part, token) for part, token in ((2, 7), (3, 7), (0, 8), (0, 7))] == [None] * 4
    assert kept.n_bytes == n_bytes
    kept.keep(3, Reach(8, n_nodes, nodes))  # in the room of the one that was of another tree
    assert kept.at(3, 8) is not None


def test_parts_that_are_large_for_the_memory_are_cut() -> None:
    parts = parts_of(code(*make_frame(), None, UNEQUAL).parts, 100)
    assert [(part.number, part.first_row, part.start, part.n_rows) for part in parts] == [
        (0, 0, 0, 7), (1, 7, 0, 100), (2, 107, 100, 100), (3, 207, 200, 43), (4, 250, 0, 100), (5, 350, 100, 50),
    ]  # fmt: skip
    np.testing.assert_array_equal(parts[3].read().classes, parts[3].reader.read().classes[200:])


@pytest.mark.parametrize("weights", ["none", "copies", "fractions"])
def test_neither_room_for_nodes_nor_cuts_matter(monkeypatch: pytest.MonkeyPatch, weights: str) -> None:
    data = code(*make_frame(n_classes=2), make_weights(weights), UNEQUAL)

    def fit() -> ProbabilityTreeClassifier:
        with use(memory=LITTLE):
            return ProbabilityTreeClassifier(n_jobs=2).fit(data)

    expected = fit().tree_
    monkeypatch.setattr(ground, "LEAST_ROWS", 50)
    monkeypatch.setattr("petree.partitions.engines.choosing.SHARE_OF_NODES", 0.01)
    (assert_nearly_same_tree if weights == "fractions" else assert_same_tree)(expected, fit().tree_)


def test_counters_of_few_nodes_at_a_time_give_the_same_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    frame, classes = make_frame()
    data = code(frame, classes, None, UNEQUAL)
    monkeypatch.setattr(ground, "SHARE_OF_ROWS", 0.0)
    parameters = {"pruning": "bic", "smoothing": "laplace"}
    expected = ProbabilityTreeClassifier(**parameters).fit(frame, classes).tree_
    for share in (0.0, 1.0, 100.0):  # one node, some, all
        monkeypatch.setattr(ground, "SHARE_OF_COUNTERS", share)
        with use(memory=LITTLE):
            assert_same_tree(expected, ProbabilityTreeClassifier(**parameters).fit(data).tree_)
