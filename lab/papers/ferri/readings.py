"""Which AUC, and which cuts of numbers, the printed cells of Ferri, Flach and Hernandez-Orallo agree with."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from lab.experiments.report.pages import Block, Heading, Words
from lab.experiments.report.tables import Table
from lab.experiments.summary import Summary
from lab.papers.ferri.protocol import AUC, ORDER, groups, method_name, percents
from lab.papers.printed import ferri_cells

HAND_TILL = "hand_till_auc"
MEASURES = {AUC: "p_i / (p_i + p_j)", HAND_TILL: "p_i, as Hand and Till"}
CUTS = {"C4.5": "anywhere", "C4.5 release 8": "as in release 8"}


def section(summary: Summary) -> Iterator[Block]:
    yield Heading("Which AUC, and which cuts")
    yield Words(
        "The paper calls its AUC that of Hand and Till, and its trees similar to those of C4.5. Below are our cells "
        "less those printed, by what ranks the cases of a pair of classes and by where numbers may be cut: anywhere, "
        "or as C4.5 has it since its release 8, which asks for some cases on both sides and charges for the choice of "
        "a cut. All other tables go by the first row of each group."
    )
    yield fits_table(summary)


def fits_table(summary: Summary) -> Table:
    """Mean differences from the printed cells, and their mean size, for each measure and rule of cuts."""
    rows = []
    for group, members in groups(summary).items():
        for measure, split in product(MEASURES, CUTS):
            found = differences(members, measure, split)
            cells = [
                f"{mean:+.1f} ({size:.1f})" for mean, size in zip(found.mean(0), np.abs(found).mean(0), strict=True)
            ]
            rows.append([f"{group}: {MEASURES[measure]}, cuts {CUTS[split]}", *cells])
    heads = ("data sets: ranked by, cuts", *ORDER)
    note = "Points of AUC: the mean of ours less the paper's, and in brackets that of the differences without signs."
    return Table("Our cells less the paper's", heads, rows, note)


def differences(summary: Summary, measure: str, split: str) -> NDArray[np.float64]:
    """Ours less the paper's in points, data sets x smoothings."""
    ours = percents(summary, measure)
    paper = ferri_cells()
    return np.array(
        [
            [ours.value(name, method_name(split, one)) - paper.value(name, one) for one in ORDER]
            for name in summary.data_sets
        ]
    )
