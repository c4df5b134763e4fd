"""Sentences name the right winner and the right sets."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.lab.experiments.made import made_results, made_summary

from lab.experiments.report.sentences import caveats, findings, left_out
from lab.experiments.summary import Summary

# Five folds of two runs that vary much less than methods differ below.
LEVEL = 0.7 + np.array([[0, 1, 2, 3, 4], [1, 0, 3, 2, 4]]) / 1000
# Gains that are now above and now below 0, with mean just above 0.
LUCK = np.array([[3, -3, 2, -2, 0.1], [3, -3, 2, -2, 0.1]]) / 100


def compared(measure: str = "auc", **gains: Any) -> Summary:
    """One and other methods on sets named by number: the gains of each method on each set over a common level."""
    values = {}
    for method, of_sets in gains.items():
        for place, gain in enumerate(of_sets, 1):
            values[f"set {place}", method] = {measure: LEVEL + gain}
    return made_summary(values)


def sentences(summary: Summary, measure: str = "auc", title: str = "AUC (one-vs-rest)") -> list[str]:
    found = findings(summary, [measure])
    assert all(sentence.startswith(f"{title}: ") for sentence in found)
    return [sentence.removeprefix(f"{title}: ") for sentence in found]


def test_better_on_two_of_three_sets() -> None:
    first, second, *rest = sentences(compared(one=[0, 0, 0], two=[0.1, 0.1, LUCK]))
    assert first == "two has the best average rank, 1.00 of 2 methods."
    assert second.startswith("the average ranks ")
    assert rest == ["two is significantly better than one on 2 of 3 sets (set 1 and set 2)."]


def test_better_here_and_worse_there() -> None:
    *_, last = sentences(compared(one=[0, 0, 0], two=[0.1, 0.1, -0.1]))
    assert last == (
        "two is significantly better than one on 2 of 3 sets (set 1 and set 2), and worse on 1 of 3 sets (set 3)."
    )


def test_best_rank_without_significance() -> None:
    *_, last = sentences(compared(one=[0, 0], two=[LUCK, LUCK], three=[LUCK - 0.001, LUCK - 0.001]))
    assert last == "two does not differ significantly from one on any data set."


def test_the_best_may_be_worse_somewhere() -> None:
    """It wins by luck on two sets, and loses clearly on the third."""
    *_, last = sentences(compared(one=[0, 0, 0], two=[LUCK, LUCK, -0.1]))
    assert last == "two is significantly worse than one on 1 of 3 sets (set 3)."


def test_less_is_better_of_the_brier_score() -> None:
    first, *_, last = sentences(compared("brier", one=[0, 0], two=[0.1, 0.1]), "brier", "Brier score")
    assert first == "one has the best average rank, 1.00 of 2 methods."
    assert last == "one is significantly better than two on 2 of 2 sets (set 1 and set 2)."


def test_methods_that_do_not_differ_share_a_sentence() -> None:
    *_, first, second = sentences(compared(one=[0] * 2, two=[LUCK] * 2, three=[-0.2] * 2, four=[LUCK / 2] * 2))
    assert first == "two is significantly better than three on 2 of 2 sets (set 1 and set 2)."
    assert second == "two does not differ significantly from one and four on any data set."


def test_one_set_has_a_best_value_and_no_ranks() -> None:
    assert sentences(compared(one=[0], two=[0.1])) == ["two is best, 0.802; significantly better than one."]
    assert sentences(compared(one=[0], two=[LUCK], three=[-0.2], four=[LUCK / 2])) == [
        "two is best, 0.702; significantly better than three; not significantly better than one and four."
    ]


def test_equals_are_named_together() -> None:
    together = "two and three are best, 0.802; significantly better than one."
    assert sentences(compared(one=[0], two=[0.1], three=[0.1])) == [together]
    first, *_, last = sentences(compared(one=[0, 0], two=[0.1, 0.1], three=[0.1, 0.1]))
    assert first == "two and three have the best average rank, 1.50 of 3 methods."
    assert last == "two does not differ significantly from three on any data set."


def test_many_sets_are_counted() -> None:
    *_, last = sentences(compared(one=[0] * 7, two=[0.1] * 7))
    assert last == "two is significantly better than one on 7 of 7 sets."


def test_ranks_that_differ() -> None:
    """Two methods close together and one far behind, on eight sets."""
    near = [0.1, 0.2] * 4
    _, second, *_ = sentences(compared(good=near, well=near[::-1], poor=[-0.5] * 8))
    # q of 3 methods is 2.343 (Demsar 2006, Table 5): 2.343 sqrt(3 * 4 / (6 * 8)) = 1.17
    assert "ranks that lie 1.17 apart differ significantly (Nemenyi)" in second
    assert second.startswith("the average ranks differ (p = ")
    assert second.endswith("Groups without a significant difference: good and well.")


def test_ranks_of_which_all_differ() -> None:
    _, second, *_ = sentences(compared(good=[0.5] * 20, fair=[0.2] * 20, poor=[0] * 20))
    assert second.endswith("Groups without a significant difference: none.")


def test_ranks_that_do_not_differ() -> None:
    _, second, *_ = sentences(compared(one=[0, 0.1], two=[0.1, 0]))
    assert second == "the average ranks do not differ significantly (Friedman, Iman-Davenport p = 1)."


@pytest.mark.parametrize("gains", [{"one": [0, 0]}, {"one": [], "two": []}])
def test_nothing_to_compare(gains: dict[str, list[float]]) -> None:
    summary = compared(**gains) if gains["one"] else Summary.of({}, list(gains), [])
    assert findings(summary, ["auc", "brier"]) == []


def test_measures_in_their_order() -> None:
    found = findings(compared(one=[0], two=[0.1]), ["brier", "auc"])
    assert [sentence.split(":")[0] for sentence in found] == ["Brier score", "AUC (one-vs-rest)"]


# -- caveats --------------------------------------------------------------------------------------------------


def test_no_caveats() -> None:
    assert caveats(compared(one=[0], two=[0.1])) == []


def test_few_folds() -> None:
    summary = made_summary({("a", "one"): {"auc": [[0.5, 0.6, 0.7]] * 3}})
    assert caveats(summary) == ["Fewer than ten folds in all: significance means little; take more runs."]


def test_sets_that_were_left_out() -> None:
    results = made_results({("a", "one"): {"auc": LEVEL}, ("b", "one"): {"auc": LEVEL}})
    summary = Summary.of(results, ["one"], ["a", "x", "b", "y"])
    assert caveats(summary) == left_out(summary) == ["Left out, since some method has no result there: x and y."]
    assert caveats(Summary.of({}, ["one"], ["x"])) == ["Left out, since some method has no result there: x."]


def test_measures_that_are_not_defined() -> None:
    summary = made_summary({("a", "one"): {"auc": np.full((2, 5), math.nan)}})
    assert caveats(summary) == ["AUC (one-vs-rest) is not defined on some set, so that there are no ranks of it."]
