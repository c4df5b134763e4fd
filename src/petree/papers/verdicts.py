"""Our numbers beside a paper's, and whether its conclusions hold here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from petree.experiments.report.tables import Table
from petree.papers.printed import conclusions

RULES = (
    "The papers' sentences leave open how much is much: the rules that decide, and their thresholds, are ours, and "
    "some were set after a first look at results on the same data."
)


def beside(own: float, paper: float, decimals: int) -> str:
    """Ours, and in brackets the paper's number and the difference of the two as shown."""
    shown = f"{own:.{decimals}f}"
    printed = f"{paper:.{decimals}f}"
    if shown == printed:
        return f"{shown} (=)"
    return f"{shown} ({printed}, {float(shown) - float(printed):+.{decimals}f})"


class Verdict(NamedTuple):
    """Whether a conclusion of a paper holds here, and the figure that decides; None where it could not be tried."""

    holds: bool | None
    figure: str


def verdict_table(paper: str, verdicts: Mapping[str, Verdict], missing: str) -> Table:
    """All conclusions of a paper, what decides them, and whether they hold.

    Parameters
    ----------
    paper : str
        As in `petree.papers.printed`.
    verdicts : dict of Verdict
        By the key of the conclusion.
    missing : str
        What is said of conclusions without a verdict.
    """
    words = {True: "holds", False: "does not hold", None: "not tried"}
    rows = []
    for conclusion in conclusions(paper):
        verdict = verdicts.get(conclusion.key, Verdict(None, missing))
        rows.append([conclusion.statement, conclusion.section, words[verdict.holds], verdict.figure])
    heads = ("conclusion", "section", "here", "the figure that decides")
    return Table("Conclusions of the paper", heads, rows, RULES)
