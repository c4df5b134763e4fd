"""The simulation of clusters: its clock, the formulas beside it, and its section of a page."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from lab.scale import simulated
from lab.scale.rows import read, write
from lab.scale.sections import Section, markdown
from lab.scale.simulation.machines import Hardware, Machines
from lab.scale.simulation.measuring import COUNTING, GATHERING, fit, simulate
from lab.scale.simulation.paper import OnPaper, Rates
from petree.partitions.engines import dask

N_ROWS = 20_000
MEMORY = 2_500_000
AT_ONCE = Hardware(float("inf"), float("inf"), 0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Rows in twenty parts, each of them a run of its own if there are workers for so many."""
    monkeypatch.setattr(dask, "LEAST_ROWS", 1000)
    write(tmp_path, N_ROWS, 1000)
    return read(tmp_path, N_ROWS, 1000)


def test_a_run_keeps_what_else_is_on_the_page(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(dask, "LEAST_ROWS", 1000)
    page = tmp_path / "page.md"
    section = simulated.SECTION
    page.write_text(f"before\n{section.begin}\nold\n{section.end}\nafter\n")
    words = ["--rows", str(N_ROWS), "--part", "1000", "--memory", str(MEMORY), "--scale", "10", "--workers", "1", "4"]
    options = simulated.arguments([*words, "--real", "--many", "0", "--page", str(page)])
    told = StringIO()
    simulated.run(options, Console(file=told))
    text = page.read_text()
    assert text.startswith(f"before\n{section.begin}\nMade on ")
    assert text.endswith(f"{section.end}\nafter\n")
    assert "old" not in text
    assert "| 2e+04 | 2.5MB | 4 |" in text
    assert "| 2e+05 | 25MB | 1 |" in text
    assert "1e+10 rows" in text
    assert "Simulation of 4" in told.getvalue()


def test_the_tree_is_that_of_threads_and_more_workers_take_less_time(data) -> None:
    expected = fit(data, None, MEMORY)
    one, many = (simulate(data, MEMORY, n_workers, AT_ONCE) for n_workers in (1, 5))
    assert simulated.same(one.tree, expected)
    assert simulated.same(many.tree, expected)
    assert not simulated.same(expected, replace(expected, counts=expected.counts + 1))
    worked = one.total(lambda done: done.worked)
    assert one.seconds == pytest.approx(worked + one.client, rel=0.2)  # but for what is done at the same time
    assert many.seconds < one.seconds
    assert (one.total(lambda done: done.between), one.passes[0].n_runs, many.passes[0].n_runs) == (0, 4, 20)


def test_formulas_are_close_to_what_is_counted(data) -> None:
    found = simulate(data, MEMORY, 5, Hardware())
    on_paper = OnPaper(N_ROWS, 20, 2, MEMORY, 5)
    n_passes = found.n_passes(COUNTING) + found.n_passes(GATHERING)
    assert found.total(lambda done: done.read) == n_passes * N_ROWS * 22
    assert on_paper.waves + on_paper.gathers == pytest.approx(n_passes, abs=2)
    assert on_paper.received == pytest.approx(found.total(lambda done: done.received), rel=0.25)


def test_formulas_by_hand() -> None:
    """8 GB hold 74.2 million rows of 59 bytes: 13.5 times as many are 4 full levels, and 4 of 19 nodes below them."""
    on_paper = OnPaper(10**9, 20, 2, 8 * 10**9, 64)
    assert on_paper.counters == 81_920
    assert on_paper.large_nodes == pytest.approx(13.49, abs=0.01)
    assert (on_paper.waves, on_paper.gathers, on_paper.n_runs) == (5, 19, 256)
    assert on_paper.n_tasks == 5 * 511 + 19 * 256
    assert on_paper.between == 255 * 19 * 81_920
    seconds, client = on_paper.seconds(Rates(0.0, 1e-6), replace(AT_ONCE, disk=1e9))
    assert client == pytest.approx(1000)
    assert seconds == pytest.approx(1000 + 24 * 22 / 64)


def test_machines_keep_their_clocks() -> None:
    machines = Machines.of(2, Hardware(100.0, 1.0, 1.0, 2.0, 3.0))
    assert machines.schedule(5.0, 200.0) == 5 + 2 + 1 + 2
    assert machines.schedule(0.0, 0.0) == 7 + 2 + 1  # after the one before
    first = machines.next_free()
    assert machines.work(first, 10.0, 4.0) == 17.0
    assert machines.next_free() is not first


def test_a_page_without_a_place_is_refused(tmp_path) -> None:
    page = tmp_path / "page.md"
    page.write_text("no place")
    with pytest.raises(SystemExit, match="has no place for what is found: the lines <!-- made by it -->"):
        Section("it").write(page, [markdown(("a", "b"), [("1", "2|3")])])
    assert markdown(("a", "b"), [("1", "2|3")]) == "| a | b |\n| --- | --- |\n| 1 | 2/3 |"
