"""How quality and size go with a number, as the figures of F05 show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from lab.experiments.report.figures import panels
from lab.experiments.summary import Summary

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def trend(summary: Summary, places: Sequence[int], name: str) -> Figure:
    """AUC above leaves, one curve per method; the sets of the summary stand at `places` of what `name` names."""
    measures = {"AUC": summary.by_method("auc"), "leaves": summary.by_method("leaves")}
    figure = panels(np.array(places), measures, name)
    figure.axes[1].set_yscale("log")
    return figure
