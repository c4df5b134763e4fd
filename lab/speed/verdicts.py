"""The bars that petree wants to clear, each beside its measured figure."""

from __future__ import annotations

from dataclasses import dataclass, field

from lab.speed.cold import ColdStart
from lab.speed.compare import Comparison
from lab.speed.data import Case, size_name
from lab.speed.growth import Growth, exponent
from lab.speed.peers import PEERS, label
from lab.verdicts import Verdict

FIT_BARS = {10_000: 6.0, 100_000: 15.0, 1_000_000: 30.0}
PEER_BAR = 2.0
PEER_SIZES = (100_000, 1_000_000)
CLASSES = (2, 10)
NOMINAL_CASE = Case(100_000, 2, nominal=True)
FAST_PEERS = ("ydf", "hgb")
PREDICT_BARS = {"petree": 2.0, "petree-1": 1.0}
MEMORY_CASE = Case(1_000_000)
MEMORY_BAR = 60 * MEMORY_CASE.rows + 64_000_000
GROWTH_BARS = {None: 1.2, 10: 1.05}
GROWTH_SIZES = (100_000, 10_000_000)
FIRST_FIT_BAR = 2.0
IMPORT_BAR = 0.15


@dataclass
class Results:
    """All that was measured; empty where a part was not run."""

    comparison: Comparison = field(default_factory=dict)
    memory: dict[Case, dict[str, int]] = field(default_factory=dict)
    growth: Growth = field(default_factory=dict)
    cold: ColdStart | None = None
    failures: list[str] = field(default_factory=list)


def judge(results: Results) -> list[Verdict]:
    """Every bar with its verdict."""
    judges = (_against_sklearn, _against_peers, _predictions, _memory, _growth, _cold)
    return [verdict for one in judges for verdict in one(results)]


def _against_sklearn(results: Results) -> list[Verdict]:
    return [
        _faster(results, Case(rows, classes), "petree", ("scikit-learn",), factor, "fit")
        for rows, factor in FIT_BARS.items()
        for classes in CLASSES
    ]


def _against_peers(results: Results) -> list[Verdict]:
    cases = [*(Case(rows, classes) for rows in PEER_SIZES for classes in CLASSES), NOMINAL_CASE]
    return [_faster(results, case, "petree", PEERS, PEER_BAR, "fit") for case in cases]


def _predictions(results: Results) -> list[Verdict]:
    return [
        _faster(results, Case(1_000_000, classes), name, ("scikit-learn",), factor, "predict")
        for name, factor in PREDICT_BARS.items()
        for classes in CLASSES
    ]


def _faster(results: Results, case: Case, name: str, rivals: tuple[str, ...], factor: float, step: str) -> Verdict:
    """Whether petree is `factor` times as fast as the fastest rival, in the medians and in the fastest rounds.

    Both are asked for, because other work on the machine can make a rival's median several times too long.
    """
    rival_name = "scikit-learn" if rivals == ("scikit-learn",) else "the fastest peer"
    method = {"fit": "fit", "predict": "predict_proba"}[step]
    bar = f"{method}: {label(name)} at least {factor:g}x {rival_name}, {case.name}"
    measured = results.comparison.get(case, {})
    needed = rivals if len(rivals) == 1 else FAST_PEERS
    if name not in measured or any(rival not in measured for rival in needed):
        return Verdict(bar)
    ratios = []
    found = []
    for kind, title in ((step, "median"), (f"fastest_{step}", "fastest round")):
        seconds = {one: float(getattr(measured[one], kind)) for one in (name, *rivals) if one in measured}
        own = seconds.pop(name)
        rival = min(seconds, key=seconds.__getitem__)
        ratios.append(seconds[rival] / own)
        found.append(f"{title} {ratios[-1]:.2f}x {rival}")
    return Verdict(bar, "; ".join(found), min(ratios) >= factor)


def _memory(results: Results) -> list[Verdict]:
    bar = f"memory: at most 60 bytes a row + 64 MB = {MEMORY_BAR / 1e6:.0f} MB beyond the input, {MEMORY_CASE.name}"
    peak = results.memory.get(MEMORY_CASE, {}).get("petree")
    return [Verdict(bar) if peak is None else Verdict(bar, f"{peak / 1e6:.1f} MB", peak <= MEMORY_BAR)]


def _growth(results: Results) -> list[Verdict]:
    return [_growth_verdict(results.growth.get(depth, {}), depth, most) for depth, most in GROWTH_BARS.items()]


def _growth_verdict(seconds: dict[int, float], depth: int | None, most: float) -> Verdict:
    fewer, more = GROWTH_SIZES
    tree = "unpruned" if depth is None else f"max_depth={depth}"
    bar = f"growth: fit time at most rows^{most:g} from {size_name(fewer)} to {size_name(more)} rows, {tree}"
    if not {fewer, more} <= set(seconds):
        return Verdict(bar)
    found = exponent(seconds, fewer, more)
    return Verdict(bar, f"rows^{found:.3f} ({size_name(more)} rows: {seconds[more]:.1f} s)", found <= most)


def _cold(results: Results) -> list[Verdict]:
    cold = results.cold
    first = None if cold is None else max(fit.fit for fit in cold.first_fits.values())
    imported = None if cold is None else cold.import_petree
    return [
        _at_most("cold start: first fit of a process", FIRST_FIT_BAR, first),
        _at_most("cold start: import petree, beyond sklearn.base", IMPORT_BAR, imported),
    ]


def _at_most(what: str, most: float, seconds: float | None) -> Verdict:
    bar = f"{what}: at most {most:g} s"
    return Verdict(bar) if seconds is None else Verdict(bar, f"{seconds:.3g} s", seconds <= most)
