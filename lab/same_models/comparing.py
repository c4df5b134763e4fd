"""What differs between two records of models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from lab.same_models.recording import Numbers, Record, read_file

# What must be the same, in the order in which a difference is told.
EXACT = ("error", "conditions", "counts", "leaves", "smoothing")
# Numbers that are probabilities; all others, such as gains, come out of sums that lose digits.
PROBABILITIES = ("answers", "nodes", "summary answers", "summary nodes")
# A difference of so many units of the last place is rounding. Values below the least count in units of the least, since
# what is small is often what large numbers leave of each other.
MOST_UNITS = 4
LEAST = 2.0**-10
N_SHOWN = 20


def units(old: NDArray[np.float64], new: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far apart numbers are, in units of the last place of the larger, or of `LEAST`; infinite if one is NaN."""
    with np.errstate(invalid="ignore"):
        apart = np.where(old == new, 0.0, np.abs(old - new))
        found = apart / np.spacing(np.maximum(np.maximum(np.abs(old), np.abs(new)), LEAST))
    is_nan = np.isnan(old), np.isnan(new)
    return np.where(is_nan[0] & is_nan[1], 0.0, np.where(is_nan[0] | is_nan[1] | np.isnan(found), np.inf, found))


def are_same_bits(old: NDArray[np.float64], new: NDArray[np.float64]) -> bool:
    """Whether all bits are the same, but for those of a NaN."""
    is_nan = np.isnan(old)
    same = old.view(np.uint64) == new.view(np.uint64)
    return bool(np.array_equal(is_nan, np.isnan(new)) and (same | is_nan).all())


class Difference:
    """What differs between two records of one model."""

    def __init__(self, old: tuple[Record, Numbers], new: tuple[Record, Numbers]) -> None:
        self.record = old[0]
        other = new[0]
        own = old[1]
        self.broken = [name for name in EXACT if self.record.get(name) != other.get(name)]
        self.texts = (self.record.get("error"), other.get("error"))
        self.far: dict[str, float] = {}
        for name in sorted({*own, *new[1]}):
            here = own.get(name)
            there = new[1].get(name)
            if here is None or there is None or here.shape != there.shape:
                self.far[name] = np.inf
            elif not are_same_bits(np.ascontiguousarray(here), np.ascontiguousarray(there)):
                self.far[name] = float(units(here, there).max())

    def most_units(self, probabilities: bool) -> float:
        """The largest difference of the probabilities, or of all other numbers; -1 where all bits are the same."""
        return max((far for name, far in self.far.items() if (name in PROBABILITIES) == probabilities), default=-1.0)

    @property
    def reason(self) -> str:
        parts = [f"other {name}" for name in self.broken]
        if "error" in self.broken:
            parts += [f"once {self.texts[0]!r}, now {self.texts[1]!r}"]
        parts += [f"{name} by {far:.3g} units" for name, far in self.far.items()]
        return "; ".join(parts)


def grades(found: Sequence[Difference], probabilities: bool) -> Counter[str]:
    """How many models have numbers that are the same, nearly the same, and not."""
    far = [one.most_units(probabilities) for one in found]
    words = ["bit for bit" if one < 0 else "rounding" if one <= MOST_UNITS else "more" for one in far]
    return Counter(words)


def compare(old_path: Path, new_path: Path, console: Console) -> int:
    """Print what differs; the exit status."""
    (old_versions, old) = read_file(old_path)
    (new_versions, new) = read_file(new_path)
    console.print(f"old: {old_versions}\nnew: {new_versions}", highlight=False)
    for missing, where in ((old.keys() - new.keys(), new_path), (new.keys() - old.keys(), old_path)):
        if missing:
            console.print(f"{len(missing)} models are not in {where}, such as {min(missing)!r}")
    found = [Difference(one, new[name]) for name, one in old.items() if name in new]
    broken = [one for one in found if one.broken]
    refused = sum("error" in one.record for one in found)
    console.print(f"{len(found)} models, {refused} of them refused; {len(found) - len(broken)} have the same")
    console.print(f"{', '.join(EXACT[1:])}, or the same error; {len(broken)} do not")
    for title, probabilities in (("probabilities", True), ("other numbers", False)):
        of = grades(found, probabilities)
        most = max((one.most_units(probabilities) for one in found), default=-1.0)
        console.print(
            f"{title}: {of['bit for bit']} models bit for bit, {of['rounding']} within {MOST_UNITS} units of the last "
            f"place, {of['more']} more; at most {max(most, 0):.3g} units"
        )
    console.print(member_table(found))
    print_differences(found, console)
    return 1 if broken or old.keys() ^ new.keys() else 0


def member_table(found: Sequence[Difference]) -> Table:
    """One line for each member of a family: its models, and how many of them differ."""
    table = Table(title="Models by member")
    for place, head in enumerate(
        ("family", "member", "models", "refused", "other exactly", "bits", "more than rounding")
    ):
        table.add_column(head, justify="right" if place > 1 else "left")
    members = sorted({pair for one in found for pair in one.record["members"].items()})
    for family, member in members:
        own = [one for one in found if one.record["members"].get(family) == member]
        far = [one.most_units(True) for one in own]
        cells = (
            len(own), sum("error" in one.record for one in own), sum(bool(one.broken) for one in own),
            sum(one >= 0 for one in far), sum(one > MOST_UNITS for one in far),
        )  # fmt: skip
        table.add_row(family, member, *map(str, cells))
    return table


def print_differences(found: Sequence[Difference], console: Console) -> None:
    """The models that differ, the worst kinds first."""
    differing = [one for one in found if one.broken or one.far]
    differing.sort(key=lambda one: (not one.broken, -one.most_units(True), -one.most_units(False)))
    if differing:
        console.print(f"The first {min(N_SHOWN, len(differing))} of {len(differing)} models that differ in anything:")
    for one in differing[:N_SHOWN]:
        text = f"{one.record['name']}: {one.reason}\n    {one.record['text']}"
        console.print(text, markup=False, highlight=False, soft_wrap=True)
