"""The tables of speed, memory, growth and cold start."""

from __future__ import annotations

from collections.abc import Sequence

from lab.report import Table
from lab.speed.cold import ColdStart, FirstFit
from lab.speed.compare import Measured
from lab.speed.data import Case, size_name
from lab.speed.growth import Growth, exponent
from lab.speed.peers import PEERS, THREADS, label

NOMINAL_NOTE = (
    "petree gets a pandas frame of category columns, scikit-learn the codes as numbers, HistGradientBoosting and "
    "LightGBM the codes declared categorical, ydf byte strings declared categorical."
)


def own_rows(rows: Sequence[Sequence[str]]) -> list[int]:
    """The rows that are about petree, to be highlighted."""
    return [number for number, row in enumerate(rows) if row[0].startswith("petree")]


def timing_table(case: Case, measured: dict[str, Measured]) -> Table:
    """One case: a row a library, petree first, then the peers from fast to slow."""
    order = sorted(measured, key=lambda name: (name in PEERS, measured[name].fit))
    heads = (
        "library",
        "rounds",
        "fit s",
        "fastest",
        "x scikit-learn",
        "x peer",
        "predict ms",
        "fastest",
        "x scikit-learn",
        "x peer",
        "leaves",
        "accuracy",
    )
    rows = [_timing_row(name, measured) for name in order]
    return Table(case.name, heads, rows, NOMINAL_NOTE if case.nominal else "", own_rows(rows))


def _timing_row(name: str, measured: dict[str, Measured]) -> list[str]:
    own = measured[name]
    sklearn = [measured["scikit-learn"]] if "scikit-learn" in measured else []
    peers = [measured[peer] for peer in PEERS if peer in measured]
    return [
        label(name),
        str(len(own.timings)),
        _short(own.fit),
        _short(own.fastest_fit),
        _times([peer.fit for peer in sklearn], own.fit),
        _times([peer.fit for peer in peers], own.fit),
        _short(1000 * own.predict),
        _short(1000 * own.fastest_predict),
        _times([peer.predict for peer in sklearn], own.predict),
        _times([peer.predict for peer in peers], own.predict),
        str(own.leaves),
        f"{own.accuracy:.3f}",
    ]


def memory_table(case: Case, peaks: dict[str, int]) -> Table:
    """Peak memory beyond the input; petree with one and two threads and every peer."""
    rows = [(label(name), f"{peak / 1e6:.0f}", f"{peak / case.rows:.0f}") for name, peak in peaks.items()]
    note = "Growth of the peak resident memory during the fit, in a new process after a warm-up on a small table."
    return Table(f"Peak memory beyond the input: {case.name}", ("library", "MB", "bytes a row"), rows, note)


def growth_table(growth: Growth) -> Table:
    """Fit seconds and exponents by number of rows."""
    rows = []
    for depth, seconds in growth.items():
        name = "petree, unpruned" if depth is None else f"petree, max_depth={depth}"
        sizes = sorted(seconds)
        for before, rows_now in zip([None, *sizes], sizes, strict=False):
            step = "" if before is None else f"{exponent(seconds, before, rows_now):.3f}"
            overall = "" if before is None else f"{exponent(seconds, sizes[0], rows_now):.3f}"
            rows.append((name, size_name(rows_now), _short(seconds[rows_now]), step, overall))
    heads = ("", "rows", "fit s", "exponent since the size before", "exponent since the smallest")
    return Table(f"Growth with the rows, {THREADS} threads", heads, rows, "exponent: the b of time ~ rows^b")


def cold_table(cold: ColdStart) -> Table:
    """First fits and imports, in seconds."""
    heads = ("", "import s", "fit s", "predict_proba s", "second fit s")
    rows = [_cold_row(f"a new process, {kind}", fit) for kind, fit in cold.first_fits.items()]
    rows.append(["import petree, beyond sklearn.base", f"{cold.import_petree:.3f}", "", "", ""])
    rows.append(["ProbabilityTreeClassifier, beyond sklearn.base", f"{cold.import_estimator:.3f}", "", "", ""])
    note = "Tables of 1e4 rows; a fit includes what it imports. Medians."
    return Table("Cold start of petree", heads, rows, note)


def _cold_row(name: str, fit: FirstFit) -> list[str]:
    return [name, *(f"{seconds:.3f}" for seconds in (fit.imported, fit.fit, fit.predict, fit.second_fit))]


def _short(value: float) -> str:
    """Three significant digits."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _times(rivals: Sequence[float], own: float) -> str:
    """How many times shorter the own time is than the shortest of the rivals'."""
    return f"{_short(min(rivals) / own)}x" if rivals else ""
