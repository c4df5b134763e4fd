"""Results that have CW488's printed means and marks, to be disturbed by a test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from tests.lab.experiments.made import made_summary

from lab.experiments.summary import Summary
from lab.papers.cw488.tables import MEASURES
from lab.papers.data.datasets import CW488
from lab.papers.printed import cw488_cells, read

CRITERIA = cw488_cells("auc").methods
N_CLASSES = {row["data_set"]: row["n_classes"] for row in read("cw488_results")}
FEW = [name for name in CW488 if N_CLASSES[name] <= 4]
MANY = [name for name in CW488 if N_CLASSES[name] > 4]
# Folds of two runs about a mean; a gain that is spread like this around itself is not significant.
SPREAD = np.array([[-2, -1, 0, 1, 2], [2, 1, 0, -1, -2]])


class Printed:
    """The printed numbers of some sets, the 20 flat ones unless named, by measure, data set and criterion.

    They are in the paper's units. Accuracy is printed only as averages over 26 sets, and seconds as averages over the
    20 and over the others: here they are those of all these sets. `significant` has what differs significantly from
    RAND; of accuracy, EBP on three sets.
    """

    def __init__(self, names: Sequence[str] = CW488) -> None:
        self.names = names
        rows = [row for row in read("cw488_results") if row["data_set"] in names]
        self.values = {(row["measure"], row["data_set"], row["criterion"]): row["value"] for row in rows}
        self.significant = {(row["measure"], row["data_set"], row["criterion"]) for row in rows if row["mark"]}
        self.significant |= {("accuracy", name, "EBP") for name in CW488[:3]}
        averages = {row["criterion"]: row["average"] for row in read("cw488_summary") if row["measure"] == "accuracy"}
        times = {
            (row["data_sets"], row["criterion"]): row["value"]
            for row in read("cw488_times")
            if row["statistic"] == "average"
        }
        for name in names:
            kind = "flat" if name in CW488 else "relational"
            seconds = times[kind, "RAND"]
            for criterion in CRITERIA:
                self.values["accuracy", name, criterion] = averages[criterion]
                share = 1.0 if criterion == "RAND" else times[kind, criterion]
                self.values["seconds", name, criterion] = seconds * share

    def put(
        self,
        measure: str,
        criterion: str,
        like: str,
        *,
        sets: Iterable[str] = CW488,
        plus: float = 0.0,
        times: float = 1.0,
        clearly: bool = True,
    ) -> Printed:
        """Give a criterion the numbers of another, changed; `clearly` says whether it then differs from RAND."""
        for name in sets:
            self.values[measure, name, criterion] = times * self.values[measure, name, like] + plus
            (self.significant.add if clearly else self.significant.discard)((measure, name, criterion))
        return self

    def swap(self, measure: str, one: str, other: str) -> Printed:
        for name in CW488:
            values = [self.values[measure, name, criterion] for criterion in (other, one)]
            self.values[measure, name, one], self.values[measure, name, other] = values
        return self

    def mark(self, measure: str, criteria: Sequence[str], *, clearly: bool) -> Printed:
        """Let all differences from RAND be significant, or none."""
        for criterion in criteria:
            self.put(measure, criterion, criterion, clearly=clearly)
        return self

    def summary(self) -> Summary:
        """Folds with these means: all alike where the difference is significant, and widely spread where it is not."""
        factors = {name: (measure.own, measure.factor) for name, measure in MEASURES.items()}
        factors |= {"accuracy": ("accuracy", 100), "seconds": ("seconds", 1)}
        results: dict[tuple[str, str], dict[str, np.ndarray]] = {
            (name, criterion): {} for name in self.names for criterion in CRITERIA
        }
        for (measure, name, criterion), value in self.values.items():
            own, factor = factors[measure]
            is_clear = (measure, name, criterion) in self.significant
            difference = 0 if is_clear else value - self.values[measure, name, "RAND"]
            results[name, criterion][own] = (value + 0.6 * difference * SPREAD) / factor
        return made_summary(results)
