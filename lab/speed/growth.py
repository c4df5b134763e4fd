"""How petree's fit time grows with the number of rows."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from statistics import median

from lab.speed.data import Case
from lab.speed.peers import Limits
from lab.speed.workers import Workers

BUDGET_SECONDS = 10.0
DEPTHS = (None, 10)

Growth = dict[int | None, dict[int, float]]


def measure_growth(sizes: Sequence[int], workers: Workers, repeats: int) -> Growth:
    """Median fit seconds by depth limit (None for unpruned) and number of rows."""
    seconds: Growth = {depth: {} for depth in DEPTHS}
    for rows in sizes:
        case = Case(rows)
        workers.ask("petree", f"{case.name}, table and warm-up", "prepare", case, False)
        for depth in DEPTHS:
            times = _fit_times(case, depth, workers, repeats)
            if times:
                seconds[depth][rows] = median(times)
    return seconds


def _fit_times(case: Case, depth: int | None, workers: Workers, repeats: int) -> list[float]:
    times: list[float] = []
    while workers.names and len(times) < repeats and sum(times) < BUDGET_SECONDS:
        seconds = workers.ask("petree", f"{case.name}, max_depth={depth}", "fit", Limits(max_depth=depth))
        times += [] if seconds is None else [seconds]
    return times


def exponent(seconds: dict[int, float], fewer: int, more: int) -> float:
    """The b of ``time ~ rows^b`` between two numbers of rows."""
    return log(seconds[more] / seconds[fewer]) / log(more / fewer)
