"""The same tree on a real Dask cluster, whoever is killed on the way; and nothing of it is left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from socket import create_server
from typing import Any

import numpy as np
import pytest
from tests.growing.checks import assert_same_tree
from tests.partitions.cluster import Cluster, Deadly, Lethal, wait_until, waiting_parts
from tests.partitions.made import LITTLE
from tests.partitions.tables import frame, write_folder
from tests.partitions.test_engines import SETTINGS, assert_names_the_part, fit, make_data

from petree import ProbabilityTreeClassifier, code_files
from petree.partitions.counting import GatherRows
from petree.partitions.engines import PartitionError, use
from petree.partitions.engines.dask import OnDask, _is_reached


def fit_in_vain(file: Path, folder: Path) -> None:
    """A client that is killed while the parts of a folder of codes are being read."""
    from distributed import Client

    with Client(scheduler_file=str(file)) as client:  # type: ignore[no-untyped-call]
        fit(waiting_parts(folder), client, **SETTINGS[0])


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    pytest.importorskip("distributed", reason="needs the extra dask")
    with ExitStack() as stack:
        made = Cluster(tmp_path_factory.mktemp("dask"), stack)
        made.start_worker()
        made.start_worker()
        yield made


@pytest.fixture(autouse=True)
def small_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several runs of the few rows of these tests."""
    monkeypatch.setattr("petree.partitions.engines.dask.LEAST_ROWS", 1)


@pytest.fixture(scope="module")
def client(cluster: Cluster) -> Iterator[Any]:
    """A client of a scheduler and two workers, each a process of its own."""
    from distributed import Client

    with Client(scheduler_file=str(cluster.file), timeout=60) as found:  # type: ignore[no-untyped-call]
        found.wait_for_workers(2, timeout=60)
        yield found


@pytest.mark.parametrize("parameters", SETTINGS, ids=str)
def test_a_cluster_grows_the_same_tree(client: Any, parameters: dict[str, Any]) -> None:
    data = make_data()
    assert_same_tree(fit(data, **parameters), fit(data, client, **parameters))


def test_a_part_that_fails_on_a_cluster_is_named(client: Any) -> None:
    assert_names_the_part(client)


def test_what_was_begun_is_given_up_where_growing_fails(
    cluster: Cluster, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the error holds on to all that was there when it happened."""
    gathers: list[GatherRows] = []
    start = OnDask.start

    def noted(engine: OnDask, task: Any, parts: Any) -> Any:
        gathers.extend([task] if isinstance(task, GatherRows) else [])
        return start(engine, task, parts)

    def fail(*_: object) -> None:
        raise MemoryError("no room")

    monkeypatch.setattr(OnDask, "start", noted)
    monkeypatch.setattr("petree.partitions.source.grow_below", fail)
    with use(client, memory=LITTLE // 2), pytest.raises(MemoryError, match="no room") as raised:
        ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(make_data())
    assert len(gathers) == 2  # the rows that were to grow, and the next ones
    assert raised.tb is not None
    wait_until(lambda: cluster.n_tasks(client) == 0)


@pytest.mark.parametrize("is_reached", [True, False])
def test_rows_come_from_workers_themselves_where_these_are_reached(
    client: Any, monkeypatch: pytest.MonkeyPatch, is_reached: bool
) -> None:
    if not is_reached:
        monkeypatch.setattr("petree.partitions.engines.dask._is_reached", lambda address: False)
    data = make_data()
    parameters = {"pruning": "none", "smoothing": "laplace"}
    expected = fit(data, **parameters)
    client.run_on_scheduler(_note_what_is_asked)
    assert_same_tree(expected, fit(data, client, **parameters))
    rows_came_by = client.run_on_scheduler(_rows_came_by)
    assert rows_came_by is not is_reached


def test_whether_a_worker_is_reached() -> None:
    with create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        assert _is_reached(f"tcp://127.0.0.1:{port}")
    assert not _is_reached(f"tcp://127.0.0.1:{port}")
    assert not _is_reached("ws://somewhere/else")
    assert _is_reached("inproc://10.0.0.1/7/1")


def test_a_client_that_is_killed_leaves_nothing_and_the_next_one_begins_anew(
    cluster: Cluster, client: Any, tmp_path: Path
) -> None:
    data = write_folder(tmp_path / "data", frame(400)[["few", "gaps", "text", "y"]], [100, 200], 1000)
    expected = fit(code_files(data, "y", tmp_path / "here"), **SETTINGS[0])
    with use(client):
        code_files(data, "y", tmp_path / "codes")
    assert (tmp_path / "codes/plan.json").read_text() == (tmp_path / "here/plan.json").read_text()
    assert expected.n_leaves > 2
    files = sorted(tmp_path.rglob("*"))
    wait_until(lambda: cluster.n_tasks(client) == 0)
    doomed = cluster.start(fit_in_vain, cluster.file, tmp_path)
    wait_until((tmp_path / "begun").exists)
    assert cluster.n_tasks(client) > 0
    doomed.kill()
    doomed.join()
    wait_until(lambda: cluster.n_tasks(client) == 0)
    (tmp_path / "go on").touch()
    assert_same_tree(expected, fit(waiting_parts(tmp_path), client, **SETTINGS[0]))
    wait_until(lambda: cluster.n_tasks(client) == 0)
    assert sorted(tmp_path.rglob("*")) == sorted([*files, tmp_path / "begun", tmp_path / "go on"])


def test_workers_that_are_killed_one_after_the_other_change_nothing(
    cluster: Cluster, client: Any, tmp_path: Path
) -> None:
    data = make_data()
    first, *others, last = data.parts
    parts = (Deadly(first, tmp_path / "first"), *others, Deadly(last, tmp_path / "last"))
    with cluster.kept_up():
        tree = fit(replace(data, parts=parts), client, **SETTINGS[0])
    assert [worker.is_alive() for worker in cluster.workers] == [False, False, True]
    assert_same_tree(fit(data, **SETTINGS[0]), tree)
    assert np.array_equal(tree.counts[0], data.class_totals)


def test_a_part_of_which_workers_die_is_named(client: Any) -> None:
    client.run_on_scheduler(_expect_no_more)
    lethal = replace(make_data(), parts=(Lethal(243),))
    with pytest.raises(PartitionError, match=r"rows 7 to 250 of data\.parquet: worker after worker was killed"):
        fit(lethal, client, **SETTINGS[0])


def _note_what_is_asked(dask_scheduler: Any) -> None:
    """Let the scheduler note the tasks whose results it is asked for."""
    gather = dask_scheduler.handlers["gather"]
    noted: list[str] = []

    async def noting(keys: list[str], **more: Any) -> Any:
        noted.extend(keys)
        return await gather(keys=keys, **more)

    dask_scheduler.handlers["gather"] = noting
    dask_scheduler.noted = noted


def _rows_came_by(dask_scheduler: Any) -> bool:
    """Whether any of them were those of runs of parts, and not what was joined of all."""
    return any(key.startswith("_work_off") for key in dask_scheduler.noted)


def _expect_no_more(dask_scheduler: Any) -> None:
    dask_scheduler.allowed_failures = 0
