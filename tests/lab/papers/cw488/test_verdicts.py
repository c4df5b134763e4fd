"""The conclusions of CW488: its own numbers make them hold, others make each of them fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tests.lab.papers.cw488.made import (
    CLASSES,
    DOWN,
    LARGER,
    SKEW,
    SLOWER,
    UP,
    UP_AND_DOWN,
    changed,
    made_curve,
    made_rows,
    made_when,
)
from tests.lab.papers.cw488.printed_summary import CRITERIA, FEW, MANY, SPREAD, Printed

from lab.papers.cw488.protocol import RELATIONAL
from lab.papers.cw488.questions import Found
from lab.papers.cw488.verdicts import verdicts
from lab.papers.cw488.when import CRITERIA as TWICE
from lab.papers.data.datasets import CW488
from lab.papers.printed import conclusions

# -- all of them -------------------------------------------------------------------------------------------


def flat() -> Printed:
    """The paper's sizes without any spread, as in trees of whole folds, of which Figure 3 speaks."""
    return Printed().mark("size", CRITERIA, clearly=True)


PARTS = Found(
    post=flat().summary(),
    when=made_when(),
    curves=[made_curve("a", {"RAND": UP_AND_DOWN, "CHI": UP_AND_DOWN[::-1]}), made_curve("b", {"BIC": UP_AND_DOWN})],
    classes=made_rows(CLASSES),
    skew=[made_rows(SKEW), made_rows(SKEW)],
)
# What speaks of relational sets alone.
RELATED = {"time_relational"}


def judged(**parts: Any) -> dict[str, bool | None]:
    return {key: verdict.holds for key, verdict in verdicts(PARTS._replace(**parts)).items()}


def test_the_papers_results_make_its_conclusions_hold() -> None:
    """As far as the 20 flat sets and the numbers of the text decide them."""
    found = judged()
    assert set(found) == {conclusion.key for conclusion in conclusions("cw488")} - RELATED
    assert [key for key, holds in found.items() if holds is not True] == []


def test_the_papers_marks_make_them_hold_too() -> None:
    """Sizes that are spread where the paper has no mark; single folds then tell nothing."""
    found = judged(post=Printed().summary())
    assert [key for key, holds in found.items() if holds is not True] == ["figure_3"]


def test_they_hold_with_relational_sets() -> None:
    sets = (*CW488, *RELATIONAL)
    found = judged(post=Printed(sets).summary())
    assert set(found) == {conclusion.key for conclusion in conclusions("cw488")}
    assert [key for key, holds in found.items() if holds is not True] == ["figure_3"]
    told = verdicts(PARTS._replace(post=Printed(sets).summary()))["auc_ebp_skew"].figure
    assert told == "significantly worse on hiv of these sets"


@pytest.mark.parametrize(
    "changed_sets",
    [
        lambda printed: printed.put("auc", "EBP", "EBP", sets=["hiv"], clearly=False),
        lambda printed: printed.put("auc", "EBP", "RAND", sets=["voting"], plus=-1.0),
    ],
)
def test_error_based_pruning_is_worse_on_hiv_alone(changed_sets: Callable[[Printed], Printed]) -> None:
    post = changed_sets(Printed((*CW488, *RELATIONAL))).summary()
    assert judged(post=post, when=ONE_SET)["auc_ebp_skew"] is False


LARGE = ("EBP", "NOPRUNING")
# Enough where another part decides.
ONE_SET = made_when().of_sets(["hiv"])
TWO_SETS = flat().summary().of_sets([FEW[0], MANY[0]])
BETTER = {"auc": 1.0, "cll": -0.05}


def better(measure: str, criterion: str, sets: Sequence[str]) -> Printed:
    """A criterion is significantly better than RAND on some sets."""
    return flat().put(measure, criterion, "RAND", sets=sets, plus=BETTER[measure])


def worse(measure: str, criterion: str, sets: Sequence[str]) -> Printed:
    return flat().put(measure, criterion, "RAND", sets=sets, plus=-BETTER[measure])


@pytest.mark.parametrize(
    ("key", "make"),
    [
        ("figure_3", lambda: flat().put("size", "NOPRUNING", "EBP", sets=["yeast"], plus=-1)),
        ("figure_3", lambda: flat().put("size", "BIC", "MDL", sets=["yeast"], plus=-0.1)),
        ("size_mdl_smallest", lambda: flat().put("size", "MDL", "BIC", sets=["voting"], plus=1)),
        ("size_bic_near_mdl", lambda: flat().put("size", "BIC", "MDL", sets=FEW)),
        ("size_bic_near_mdl", lambda: flat().put("size", "BIC", "MDL", sets=MANY, times=1.3)),
        ("size_bic_few_classes", lambda: flat().put("size", "BIC", "NOPRUNING", sets=MANY)),
        ("size_bic_few_classes", lambda: flat().put("size", "BIC", "RAND", sets=FEW, times=0.9)),
        ("size_ebp_large", lambda: flat().swap("size", "EBP", "CHI")),
        ("size_unpruned_largest", lambda: flat().put("size", "NOPRUNING", "EBP", sets=["yeast"], plus=-1)),
        ("size_unpruned_largest", lambda: flat().put("size", "EBP", "NOPRUNING", times=0.9)),
        ("size_ebp_large", lambda: flat().put("size", "EBP", "MDL", sets=CW488[:6])),
        ("auc_rand_best", lambda: flat().swap("auc", "RAND", "NOPRUNING")),
        ("auc_beaten_by_unpruned_only", lambda: better("auc", "CHI", ["voting"])),
        ("auc_beaten_by_unpruned_only", lambda: better("auc", "NOPRUNING", FEW[:3])),
        ("cll_beaten_by_unpruned_only", lambda: better("cll", "CHI", ["voting"])),
        ("cll_beaten_by_unpruned_only", lambda: better("cll", "NOPRUNING", FEW[:3])),
        ("auc_penalties_many_classes", lambda: flat().mark("auc", ["BIC"], clearly=False)),
        ("auc_penalties_many_classes", lambda: worse("auc", "MDL", FEW)),
        ("auc_bic_few_classes", lambda: worse("auc", "BIC", FEW[:7])),
        ("auc_mdl_worst", lambda: flat().swap("auc", "MDL", "CHI")),
        ("auc_ebp_skew", lambda: worse("auc", "EBP", ["voting"])),
        ("auc_size", lambda: flat().put("size", "MDL", "RAND", plus=1).put("size", "BIC", "RAND", plus=1)),
        ("auc_size", lambda: better("auc", "NOPRUNING", FEW)),
        ("cll_rand_best", lambda: flat().swap("cll", "RAND", "CHI")),
        ("cll_chi_second", lambda: flat().swap("cll", "CHI", "EBP")),
        ("cll_chi_second", lambda: worse("cll", "CHI", CW488[:5])),
        ("cll_unpruned_poor", lambda: flat().swap("cll", "NOPRUNING", "CHI")),
        ("cll_unpruned_poor", lambda: worse("cll", "NOPRUNING", FEW)),
        ("cll_penalties_many_classes", lambda: flat().mark("cll", ["MDL"], clearly=False)),
        ("cll_large_trees", lambda: flat().mark("cll", LARGE, clearly=False)),
        ("cll_large_trees", lambda: flat().mark("cll", ["EBP"], clearly=False)),
        ("accuracy_ebp_best", lambda: flat().swap("accuracy", "EBP", "CHI")),
        ("accuracy_ebp_best", lambda: flat().mark("accuracy", ["EBP"], clearly=True)),
        ("accuracy_mdl_worst", lambda: flat().swap("accuracy", "MDL", "BIC")),
        ("time_rand_longest", lambda: flat().swap("seconds", "RAND", "CHI")),
        ("time_rand_longest", lambda: flat().put("seconds", "RAND", "MDL", times=60)),
        ("time_others", lambda: flat().put("seconds", "CHI", "EBP", times=1.2)),
        ("time_others", lambda: flat().put("seconds", "BIC", "CHI", times=1.1)),
    ],
)
def test_other_results_make_them_fail(key: str, make: Callable[[], Printed]) -> None:
    assert judged(post=make().summary(), when=ONE_SET)[key] is False


@pytest.mark.parametrize(
    ("key", "part", "make"),
    [
        ("post_size", "when", lambda: made_when(larger=LARGER | {"MDL": 12})),
        ("post_size", "when", lambda: made_when(larger=LARGER | {"RAND": 8})),
        ("post_size", "when", lambda: made_when(larger=LARGER | {"CHI": 18})),
        ("post_auc", "when", lambda: made_when(slightly=-0.001)),
        ("post_quality", "when", lambda: made_when(worse=["set 1"])),
        ("post_quality", "when", lambda: made_when(better=["hiv", "set 1"])),
        ("post_hiv", "when", lambda: made_when(better=[])),
        ("post_time", "when", lambda: made_when(slower=SLOWER | {"CHI": 1.7})),
        ("post_time", "when", lambda: made_when(slower=SLOWER | {"CHI": 4.5})),
        ("figure_3", "when", lambda: made_when(smaller=["hiv"])),
        ("post_data_size", "curves", lambda: [made_curve("a", {"RAND": UP})]),
        ("post_data_size", "curves", lambda: [made_curve("a", {"RAND": UP_AND_DOWN, "BIC": DOWN})]),
        ("classes_size", "classes", lambda: changed(CLASSES, "inner_nodes", RAND=(30, 30, 19))),
        ("classes_size", "classes", lambda: changed(CLASSES, "inner_nodes", RAND=(30, 31, 60))),
        ("classes_size", "classes", lambda: changed(CLASSES, "inner_nodes", CHI=(25, 12, 25))),
        ("classes_auc", "classes", lambda: changed(CLASSES, "auc", BIC=(0.89, 0.86, 0.84))),
        ("classes_auc", "classes", lambda: changed(CLASSES, "auc", EBP=(0.9, 0.8, 0.76))),
        ("classes_cll", "classes", lambda: changed(CLASSES, "log_likelihood", NOPRUNING=(-1.5, -2, -2.8))),
        ("classes_cll", "classes", lambda: changed(CLASSES, "log_likelihood", EBP=(-1, -1.7, -2))),
        ("classes_cll_penalties", "classes", lambda: changed(CLASSES, "log_likelihood", MDL=(-0.99, -1.8, -2.3))),
        ("classes_cll_penalties", "classes", lambda: changed(CLASSES, "log_likelihood", BIC=(-1.3, -1.8, -2.3))),
        ("classes_cll_chi", "classes", lambda: changed(CLASSES, "log_likelihood", CHI=(-1, -1.53, -2.1))),
        ("skew_ebp", "skew", lambda: [made_rows(SKEW), changed(SKEW, "inner_nodes", EBP=(20, 20, 2))]),
        ("skew_ebp", "skew", lambda: [changed(SKEW, "inner_nodes", EBP=(60, 10, 2)), made_rows(SKEW)]),
        ("skew_ebp", "skew", lambda: [made_rows(SKEW), changed(SKEW, "inner_nodes", EBP=(60, 20, 8))]),
    ],
)
def test_other_experiments_make_them_fail(key: str, part: str, make: Callable[[], object]) -> None:
    assert judged(**{"post": TWO_SETS, "when": ONE_SET, part: make()})[key] is False


@pytest.mark.parametrize("key", ["size_ebp_large", "time_relational"])
def test_relational_sets_decide_too(key: str) -> None:
    printed = Printed((*CW488, *RELATIONAL)).put("size", "EBP", "RAND", sets=["hiv"], plus=1)
    printed.put("seconds", "CHI", "CHI", sets=RELATIONAL, times=0.5)
    assert judged(post=printed.summary(), when=ONE_SET)[key] is False


def test_a_conclusion_that_fails_has_a_cause_in_figures() -> None:
    """All that can fail by chance or by the data."""
    found = Found(
        post=worse("auc", "EBP", ["voting"]).put("auc", "CHI", "RAND", sets=["yeast"], plus=1.0).summary(),
        when=made_when(worse=["set 1"], better=[], slower=dict.fromkeys(TWICE, 1.0)),
        curves=[made_curve("a", {"RAND": UP})],
        classes=changed(CLASSES, "inner_nodes", CHI=(25, 25, 25)),
        skew=[changed(SKEW, "inner_nodes", EBP=(60, 10, 2))],
    )
    causes = {key: verdict.cause for key, verdict in verdicts(found).items() if verdict.holds is False}
    assert {"post_quality", "post_hiv", "post_time", "post_data_size", "classes_size", "skew_ebp"} <= set(causes)
    assert all(causes.values())
    assert "2 do. On set 1 the two ways are at most 10.0 points of AUC apart." in causes["post_quality"]
    assert "1 of 1 rise with the rows: RAND on a, 32 rows +1.00." in causes["post_data_size"]
    assert "EBP on voting -1.0 (-0.6)" in causes["auc_ebp_skew"]
    assert causes["auc_beaten_by_unpruned_only"].endswith(
        "1 of 2 have the sign that the paper's cells have, in brackets: NOPRUNING on balance scale +4.4 (+4.4), "
        "CHI on yeast +1.0 (-0.1)."
    )
    assert "first 60 and 20, second 10 and 15, third 2 and 8" in causes["skew_ebp"]
    assert "Points of AUC behind RAND: MDL 2.0 and 15.0, BIC 1.0 and 14.0" in causes["classes_size"]
    assert "inner nodes are RAND 30.0 and 30.0, MDL 10.0 and 2.0" in causes["classes_size"]


def test_the_cause_of_other_ranks_in_accuracy() -> None:
    post = flat().put("accuracy", "EBP", "RAND", plus=-0.1).put("accuracy", "EBP", "RAND", sets=["yeast"], plus=2.0)
    found = verdicts(PARTS._replace(post=post.summary(), when=ONE_SET))["accuracy_ebp_best"]
    assert found.holds is False
    told = "on 1/0/19 sets (on 19/0/7 there); where it wins the median is 2.0 points, where it loses 0.1."
    assert told in found.cause


def test_the_figure_that_decides_is_told() -> None:
    found = verdicts(PARTS)
    assert found["post_size"].figure == "significantly larger on RAND 16, MDL 1, BIC 3, CHI 12 of 26 sets"
    assert found["post_time"].figure == "post / pre: RAND 2.00, MDL 2.50, BIC 2.50, CHI 3.60"
    assert found["post_quality"].figure == "8 of 208 comparisons differ, 0 of them against it, on hiv"
    assert found["auc_ebp_skew"].figure.startswith("significantly worse on none of these sets")
    assert found["size_mdl_smallest"].figure == "on 20 of 20 sets"
    assert found["auc_rand_best"].figure == "rank 2.40; the best is RAND, 2.40"
    assert found["cll_chi_second"].figure == "place 2, rank 2.73; significantly worse on 2 of 20"
    broken = flat().put("size", "BIC", "MDL", sets=["yeast"], plus=-0.1).summary()
    told = verdicts(PARTS._replace(post=broken))["figure_3"].figure
    assert told == f"folds against its 10 relations: BIC >= MDL {SPREAD.size}"
