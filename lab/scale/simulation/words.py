"""What was simulated and measured, as paragraphs and tables of a page."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from lab.scale.sections import markdown
from lab.scale.simulation.machines import Hardware
from lab.scale.simulation.measuring import COUNTING, GATHERING, Real, Simulation
from lab.scale.simulation.paper import OnPaper, Rates
from petree.partitions.budget import write_memory

# The rows and the memory of the costs on paper.
ON_PAPER = (10**8, 10**9, 10**10)
MEMORY_ON_PAPER = 8 * 10**9
WORKERS_ON_PAPER = (4, 16, 64)
N_CLASSES = 2
FORMULAS = (
    "Beside the formulas, what was simulated divided by them. Their constants (1.4 passes, bytes of tasks) were chosen "
    "by fits of these made rows, so that this tells how well they fit here and not elsewhere: trees of these rows are "
    "even. A lopsided tree has other waves and passes, more of them where it is grown to the end."
)


@dataclass(frozen=True)
class Found:
    """All fits of one data set, and what they were of."""

    n_rows: int
    n_columns: int
    n_parts: int
    memory: int
    hardware: Hardware
    simulations: Sequence[Simulation]
    real: Sequence[Real]

    def on_paper(self, simulation: Simulation) -> OnPaper:
        """The same fit from formulas."""
        n_rows = self.n_rows * simulation.scale
        memory = self.memory * simulation.scale
        return OnPaper(n_rows, self.n_columns, N_CLASSES, memory, simulation.n_workers)

    def rates(self, simulation: Simulation) -> Rates:
        """Seconds of processor for a row, as this fit had them."""
        n_rows = self.n_rows * simulation.scale
        worked = simulation.total(lambda one: one.worked)
        return Rates(worked / len(simulation.passes) / n_rows, simulation.client / n_rows)

    def alone(self, scale: int) -> Simulation:
        """The simulation with the fewest workers."""
        of_scale = [one for one in self.simulations if one.scale == scale]
        return min(of_scale, key=lambda one: one.n_workers)


def blocks(found: Found, many: Sequence[Real]) -> list[str]:
    """The section."""
    texts = [how(found), speeds(found), FORMULAS, ratios(found)]
    if found.real:
        texts += [check(found), reality(found)]
    if many:
        texts += [scheduler(many)]
    return [*texts, "And the costs on paper, by these formulas and the seconds a row of these fits:", paper(found)]


def how(found: Found) -> str:
    hardware = found.hardware
    scales = sorted({one.scale for one in found.simulations})
    return (
        f"Simulated: {found.n_rows:,} rows of {found.n_columns} columns in {found.n_parts} parts within "
        f"{write_memory(found.memory)}, a tree of 8 levels, workers of one thread; below, each row and each byte of "
        f"memory stands for {scales[-1]}. Links carry {hardware.network / 1e9:g} GB a second, disks "
        f"{hardware.disk / 1e9:g} GB, a message waits {hardware.latency * 1000:g} ms, and a task takes the scheduler "
        f"{hardware.scheduling * 1000:g} ms, its worker {hardware.beginning * 1000:g} ms and the client "
        f"{hardware.submitting * 1000:g} ms; a byte of a result takes either end {hardware.packing * 1e9:g} ns. "
        "All else was measured. All trees are the same. The client's share is that of the seconds in which it works; "
        "tasks go by way of the scheduler."
    )


def speeds(found: Found) -> str:
    head = ("rows", "memory", "workers", "seconds", "times as fast", "client's share", "waves", "gathering passes",
            "tasks", "MB by the scheduler", "MB between workers", "MB to the client")  # fmt: skip
    return markdown(head, [_speed(found, one) for one in found.simulations])


def _speed(found: Found, one: Simulation) -> list[str]:
    return [
        f"{found.n_rows * one.scale:.0e}",
        write_memory(found.memory * one.scale),
        str(one.n_workers),
        _figure(one.seconds),
        f"{found.alone(one.scale).seconds / one.seconds:.1f}",
        f"{one.client / one.seconds:.0%}",
        str(one.n_passes(COUNTING)),
        str(one.n_passes(GATHERING)),
        f"{one.total(lambda done: done.n_tasks):,.0f}",
        _figure(one.total(lambda done: done.sent) / 1e6),
        _figure(one.total(lambda done: done.between) / 1e6),
        _figure(one.total(lambda done: done.received) / 1e6),
    ]


def ratios(found: Found) -> str:
    head = ("rows", "workers", "waves", "gathering passes", "tasks", "bytes read", "by the scheduler",
            "between workers", "to the client", "seconds")  # fmt: skip
    return markdown(head, [_ratio(found, one) for one in found.simulations])


def _ratio(found: Found, one: Simulation) -> list[str]:
    on_paper = found.on_paper(one)
    seconds = on_paper.seconds(found.rates(found.alone(one.scale)), found.hardware)[0]
    pairs = [
        (one.n_passes(COUNTING), on_paper.waves),
        (one.n_passes(GATHERING), on_paper.gathers),
        (one.total(lambda done: done.n_tasks), on_paper.n_tasks),
        (one.total(lambda done: done.read), on_paper.read),
        (one.total(lambda done: done.sent), on_paper.sent(found.n_parts)),
        (one.total(lambda done: done.between), on_paper.between),
        (one.total(lambda done: done.received), on_paper.received),
        (one.seconds, seconds),
    ]
    shown = [f"{measured / predicted:.2f}" if predicted else "none" for measured, predicted in pairs]
    return [f"{found.n_rows * one.scale:.0e}", str(one.n_workers), *shown]


def check(found: Found) -> str:
    return (
        "The simulation beside real Dask clusters of processes on this machine, where client, scheduler and workers "
        f"share the cores, with the same rows and memory. By processor, real ones took {_range(found, False)} times "
        f"what was simulated; by the clock {_range(found, True)} times, while the load of the machine was "
        f"{os.getloadavg()[1]:.1f} on {os.cpu_count()} cores. What a task and a byte take was itself chosen by "
        "clusters of one and two workers, so that this is no test of it by others."
    )


def _range(found: Found, by_clock: bool) -> str:
    """The least and the most that real clusters took for what was simulated."""
    ratios = [_ratio_of(found, one, by_clock) for one in found.real]
    return f"{min(ratios):.2f} to {max(ratios):.2f}"


def _ratio_of(found: Found, real: Real, by_clock: bool) -> float:
    own = _same(found, real)
    if by_clock:
        return real.seconds / own.seconds
    return (real.client + real.workers) / (own.client + _worked(found, own))


def _same(found: Found, real: Real) -> Simulation:
    """The simulation of a real cluster."""
    return next(one for one in found.simulations if one.n_workers == real.n_workers and one.scale == 1)


def _worked(found: Found, one: Simulation) -> float:
    """Seconds of processor of all workers."""
    return one.total(lambda done: done.worked) + one.total(lambda done: done.n_tasks) * found.hardware.beginning


def reality(found: Found) -> str:
    head = ("workers", "seconds simulated", "real", "real / simulated", "processor of workers simulated", "real",
            "processor of the client simulated", "real", "tasks simulated", "real")  # fmt: skip
    return markdown(head, [_real(found, one) for one in found.real])


def _real(found: Found, real: Real) -> list[str]:
    own = _same(found, real)
    return [
        str(real.n_workers),
        f"{own.seconds:.3g}",
        f"{real.seconds:.3g}",
        f"{real.seconds / own.seconds:.2f}",
        f"{_worked(found, own):.3g}",
        f"{real.workers:.3g}",
        f"{own.client:.3g}",
        f"{real.client:.3g}",
        f"{own.total(lambda done: done.n_tasks):,.0f}",
        f"{real.n_tasks:,}",
    ]


def scheduler(many: Sequence[Real]) -> str:
    head = ("workers", "tasks", "seconds of the scheduler", "ms a task", "MB more", "seconds of the client")
    rows = [
        [
            str(one.n_workers),
            f"{one.n_tasks:,}",
            f"{one.scheduler:.2f}",
            f"{one.scheduler / one.n_tasks * 1000:.2g}",
            f"{one.scheduler_megabytes:.0f}",
            f"{one.client:.2f}",
        ]
        for one in many
    ]
    words = (
        "A real scheduler, with workers that share one process, and a million rows: runs as large as they are, and as "
        "many as such workers get of more rows. The trees are the same as on threads; seconds are of processor."
    )
    return f"{words}\n\n{markdown(head, rows)}"


def paper(found: Found) -> str:
    """The costs of large data, for several numbers of workers."""
    rates = found.rates(found.alone(max(one.scale for one in found.simulations)))
    largest = max(WORKERS_ON_PAPER)
    cases = [OnPaper(n_rows, found.n_columns, N_CLASSES, MEMORY_ON_PAPER, largest) for n_rows in ON_PAPER]
    lines = [
        ["codes and classes, read in each pass", *(_gigabytes(one.n_rows * (one.n_columns + 2)) for one in cases)],
        ["most large nodes at a time", *(f"{one.large_nodes:.0f}" for one in cases)],
        ["waves", *(str(one.waves) for one in cases)],
        ["passes to gather", *(str(one.gathers) for one in cases)],
        ["to the client", *(_gigabytes(one.received) for one in cases)],
        [f"tasks, {largest} workers", *(f"{one.n_tasks:,}" for one in cases)],
        [f"between workers, {largest} workers", *(_gigabytes(one.between) for one in cases)],
    ]
    for n_workers in WORKERS_ON_PAPER:
        own = [OnPaper(one.n_rows, one.n_columns, N_CLASSES, one.memory, n_workers) for one in cases]
        took = [one.seconds(rates, found.hardware) for one in own]
        shown = [f"{_figure(total / 60)} minutes, the client {client / total:.0%} of it" for total, client in took]
        lines.append([f"{n_workers} workers", *shown])
    head = (f"{found.n_columns} columns, two classes, 8 levels, 8 GB", *(f"{n_rows:.0e} rows" for n_rows in ON_PAPER))
    return markdown(head, lines)


def _gigabytes(n_bytes: float) -> str:
    return f"{_figure(n_bytes / 1e9)} GB"


def _figure(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"
