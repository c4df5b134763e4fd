"""How soon option trees that grow best first have found what they will find.

Evidence is the logarithm of the sum over all trees at the root; the gain is what it has more than that of a single
leaf. The same tree grows with ever larger `max_nodes`, and the least that reaches 95% of the final gain is looked for.
Buntine's option trees have no bound on depth here: best first, nodes bound them. Depth first, as many nodes mean less
depth everywhere. Times are of the process, so that a machine that does other things matters little.

Examples
--------
PETREE_DATA=... python -m lab.choices.anytime                          ten sets, some minutes
PETREE_DATA=... python -m lab.choices.anytime --kind default voting    the default searches, on one set
"""

from __future__ import annotations

import argparse
import time
import warnings
from dataclasses import dataclass

import numpy as np
from rich.progress import track

from lab.experiments.report.tables import Table
from lab.quality.data import FrameSet, find_folder, load
from petree import OptionTreeClassifier, presets

SETS = (
    "australian_credit",
    "balance_scale",
    "breast_wisconsin",
    "german_credit",
    "heart_cleveland",
    "ionosphere",
    "pima_diabetes",
    "segment",
    "vehicle",
    "voting",
)
KINDS = {
    "ind-option-1": lambda **bounds: presets["ind-option-1"](max_depth=40, **bounds),
    "default": OptionTreeClassifier,
}
# The next budget is so many times the one before.
STEP = 1.4
WANTED = 0.95


@dataclass(frozen=True)
class Grown:
    """What a fit took and found."""

    nodes: int
    seconds: float
    evidence: float


def grow(data: FrameSet, kind: str, max_nodes: int, growing: str) -> Grown:
    """A fit, timed by the processor."""
    model = KINDS[kind](max_nodes=max_nodes, growing=growing)
    begin = time.process_time()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The tree has depth")
        model.fit(data.columns, data.y)
    return Grown(model.tree_.n_nodes, time.process_time() - begin, float(model.shares_.log_evidence[0]))


def first_with(data: FrameSet, kind: str, evidence: float) -> Grown:
    """The smallest tree, of those tried, that has so much evidence."""
    budget = 10.0
    while (found := grow(data, kind, int(budget), "best_first")).evidence < evidence:
        budget *= STEP
    return found


def line(data: FrameSet, kind: str, max_nodes: int) -> tuple[list[str], float]:
    """A line of the table, and the share of the time in which the wanted part of the gain was reached."""
    root = grow(data, kind, 1, "best_first")
    last = grow(data, kind, max_nodes, "best_first")
    deep = grow(data, kind, max_nodes, "depth_first")
    gain = last.evidence - root.evidence
    soon = first_with(data, kind, root.evidence + WANTED * gain)
    share = soon.seconds / last.seconds
    best = [str(last.nodes), f"{last.seconds:.2f}", f"{gain:.1f}", str(soon.nodes), f"{soon.seconds:.2f}"]
    others = [str(deep.nodes), f"{deep.seconds:.2f}", f"{deep.evidence - root.evidence:.1f}"]
    return [data.name, str(len(data.y)), *best, f"{share:.0%}", *others], share


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("sets", nargs="*", default=SETS)
    options.add_argument("--kind", choices=KINDS, default="ind-option-1")
    options.add_argument("--max-nodes", type=int, default=100_000)
    chosen = options.parse_args()
    folder = find_folder()
    lines = [line(load(folder, name), chosen.kind, chosen.max_nodes) for name in track(chosen.sets, transient=True)]
    shares = np.array([share for _, share in lines])
    note = f"{(shares <= 0.5).sum()} of {len(shares)} reach {WANTED:.0%} of the gain in half of the time."
    heads = (
        "set", "rows", "nodes", "seconds", "gain, nats", "nodes of 95%", "seconds", "of the time",
        "depth first, nodes", "seconds", "gain, nats",
    )  # fmt: skip
    print(Table(f"Any-time option trees, {chosen.kind}", heads, [cells for cells, _ in lines], note).to_markdown())


if __name__ == "__main__":
    main()
