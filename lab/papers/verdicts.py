"""Our numbers beside a paper's, and whether its conclusions hold here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lab.experiments.report.pages import Block, Page, Points
from lab.experiments.report.tables import Table
from lab.papers.printed import conclusions

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
    """Whether a conclusion of a paper holds here, and the figure that decides; None where it could not be tried.

    `cause` is for one that fails: what is likely to lie behind it, and the figures that show it.
    """

    holds: bool | None
    figure: str
    cause: str = ""


@dataclass(frozen=True)
class VerdictTable(Table):
    """A table of conclusions, and the verdict of each by its key."""

    verdicts: Mapping[str, Verdict] = field(default_factory=dict)


def verdict_table(paper: str, verdicts: Mapping[str, Verdict], missing: str) -> VerdictTable:
    """All conclusions of a paper, what decides them, and whether they hold.

    Parameters
    ----------
    paper : str
        As in `lab.papers.printed`.
    verdicts : dict of Verdict
        By the key of the conclusion.
    missing : str
        What is said of conclusions without a verdict.
    """
    words = {True: "holds", False: "does not hold", None: "not tried"}
    listed = conclusions(paper)
    found = {one.key: verdicts.get(one.key, Verdict(None, missing)) for one in listed}
    rows = [[one.statement, one.section, words[found[one.key].holds], found[one.key].figure] for one in listed]
    heads = ("conclusion", "section", "here", "the figure that decides")
    return VerdictTable("Conclusions of the paper", heads, rows, RULES, verdicts=found)


def verdict_blocks(paper: str, verdicts: Mapping[str, Verdict], missing: str) -> list[Block]:
    """The table of all conclusions, and below it why those that fail may do so; those of one cause together."""
    table = verdict_table(paper, verdicts, missing)
    statements: dict[str, list[str]] = {}
    for one in conclusions(paper):
        if _is_explained(table.verdicts[one.key]):
            statements.setdefault(table.verdicts[one.key].cause, []).append(one.statement)
    causes = [f"Not here: {' '.join(listed)} {cause}" for cause, listed in statements.items()]
    return [table, Points(causes)] if causes else [table]


def front_table(pages: Sequence[Page]) -> Table:
    """How many conclusions of each paper hold and fail, and which were not judged and why."""
    judged = {
        page.title: list(block.verdicts.values())
        for page in pages
        for block in page.blocks
        if isinstance(block, VerdictTable)
    }
    rows = [[title, *_numbers(verdicts), _reasons(verdicts)] for title, verdicts in judged.items()]
    rows.append(["together", *_numbers([one for verdicts in judged.values() for one in verdicts]), ""])
    heads = ("paper", "conclusions", "hold", "fail, explained", "fail, not explained", "not judged, and why")
    return Table("The conclusions of all papers", heads, rows, RULES, [len(rows) - 1])


def _numbers(verdicts: Sequence[Verdict]) -> list[str]:
    hold = sum(bool(one.holds) for one in verdicts)
    fail = sum(_fails(one) for one in verdicts)
    explained = sum(_is_explained(one) for one in verdicts)
    return [str(number) for number in (len(verdicts), hold, explained, fail - explained)]


def _fails(verdict: Verdict) -> bool:
    return verdict.holds is not None and not verdict.holds


def _is_explained(verdict: Verdict) -> bool:
    return _fails(verdict) and bool(verdict.cause)


def _reasons(verdicts: Sequence[Verdict]) -> str:
    """How many were not judged for each reason."""
    reasons = Counter(one.figure for one in verdicts if one.holds is None)
    return "; ".join(f"{number}: {reason}" for reason, number in reasons.items()) or "0"
