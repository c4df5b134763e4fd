"""A first test by hand: the root has it, the rest grows as always, and pruning does not take it away."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.plain import plain_classifier

from petree import ProbabilityTreeClassifier
from petree.binning import Exact
from petree.columns import NOMINAL, ORDERED, Column
from petree.growing.first_test import read_test
from petree.pruning import MEMBERS, Chi, ErrorBased, Rand, ReducedError, SubtreeRandomisation
from petree.pruning.engine.by_hand import ONLY_FIRST, keep_first_test
from petree.pruning.engine.log import log_of
from petree.pruning.engine.stumps import Verdicts
from petree.reading import why
from petree.sources.coding import CodedTable
from petree.storage import dumps, loads
from petree.threads import Threads
from petree.tree import Tree

RNG = np.random.default_rng(1)
X = pd.DataFrame(
    {
        "age": RNG.normal(size=200).round(2),
        "age at home": np.where(RNG.random(200) < 0.2, np.nan, RNG.normal(size=200)),
        "home": RNG.choice(["own", "rent", "none"], 200),
        "grade": pd.Categorical(RNG.choice(["a", "b", "c"], 200), ["a", "b", "c"], ordered=True),
    }
)
Y = (X["age"] > 0.5) ^ (RNG.random(200) < 0.1)
NOISE = RNG.integers(0, 2, 200)
TESTS = ["age < 0.25", "age at home < 0", "age at home is missing", "home = rent", "home in {none, own}", "grade < b"]


def part(model: ProbabilityTreeClassifier, child: int) -> np.ndarray[Any, Any]:
    """The rows that take a branch of the root."""
    return model.decision_path(X)[:, [model.tree_.children[child]]].toarray().ravel() > 0


@pytest.mark.filterwarnings("ignore:Column 'age at home' has no values")
@pytest.mark.parametrize("text", TESTS)
@pytest.mark.parametrize("split", ["gain", "gain_ratio", "bayes"])
def test_the_branches_grow_as_their_rows_would(text: str, split: str) -> None:
    model = plain_classifier(split, first_test=text, binning=Exact(), max_depth=3).fit(X, Y)
    assert str(model.tree_.conditions[0]).removesuffix(" or missing") == text
    if split == "bayes":
        return
    for child in (0, 1):
        rows = part(model, child)
        alone = plain_classifier(split, binning=Exact(), max_depth=2).fit(X[rows], Y[rows], classes=[False, True])
        np.testing.assert_allclose(alone.predict_proba(X[rows]), model.predict_proba(X[rows]))


@pytest.mark.parametrize("split", ["gain", "gain_ratio", "msee"])
@pytest.mark.parametrize("tests", ["binary", "sets", "multiway"])
@pytest.mark.parametrize("column", X.columns)
def test_a_column_alone_has_its_best_test(column: str, tests: str, split: str) -> None:
    forced = plain_classifier(split, first_test=column, tests=tests, max_depth=1).fit(X, Y)
    alone = plain_classifier(split, tests=tests, max_depth=1).fit(X[[column]], Y)
    if split != "gain_ratio":  # of one column alone it takes the best ratio, of several first the best gains
        assert forced.export_text() == alone.export_text()
    assert forced.tree_.conditions.column[0] == X.columns.tolist().index(column)
    assert forced.tree_.annotations["gain"][0] >= 0


def test_missing_values_take_the_better_branch() -> None:
    y = (X["age at home"] > 0) | X["age at home"].isna()
    model = plain_classifier(first_test="age at home < 0", max_depth=1).fit(X, y)
    assert model.get_n_leaves() == 2
    assert str(model.tree_.conditions[0].branches[1]) == "age at home >= 0 or missing"
    assert model.score(X, y) == 1


@pytest.mark.parametrize("name", [*MEMBERS, "pre", "raising"])
@pytest.mark.parametrize("text", ["age", "home = rent"])
def test_pruning_does_not_take_it_away(name: str, text: str) -> None:
    few: dict[str, Any] = {
        "rand": Rand(permutations=10),
        "subtree_randomisation": SubtreeRandomisation(permutations=5),
        "pre": Chi(when="pre"),
        "raising": ErrorBased(raising=True),
    }
    criterion = few.get(name, name)
    model = plain_classifier(pruning=criterion, first_test=text, max_depth=4).fit(X, NOISE)
    assert str(model.tree_.conditions[0]).startswith(text)
    assert f"The first test was set by hand: {text}." in model.why()
    again = loads(dumps(model))
    assert again.why() == model.why()
    assert again.first_test == text


def test_below_it_stays_what_the_criterion_accepts() -> None:
    grown = Tree.from_counts([[[9, 0], [0, 9]], [[3, 3], [[2, 2], [2, 2]]]])
    inner = np.flatnonzero(~grown.is_leaf)
    assert inner.tolist() == [0, 1, 2, 6]
    verdicts = Verdicts(np.zeros(4), np.ones(4), np.array([False, True, False, True]))
    kept = keep_first_test(grown, log_of("mine", ("a", "b"), grown, inner, verdicts).pruned())
    assert kept.counts.tolist() == grown.counts[[0, 1, 2, 3, 4]].tolist()
    assert why(kept) == [ONLY_FIRST, "if not test 0: test 2 (3 leaves, n=14) was cut. A: 0; b: 1."]
    assert keep_first_test(grown, grown.cut([0])).n_leaves == 2
    assert keep_first_test(grown, grown.cut([1])).n_nodes == grown.cut([1]).n_nodes


def test_cases_that_pruning_counted_are_not_lost() -> None:
    model = plain_classifier(pruning=ReducedError(backfitting=True), first_test="home = rent", max_depth=2)
    n_rent = int((X["home"] == "rent").sum())
    assert model.fit(X, NOISE).tree_.sizes[:3].tolist() == [200, n_rent, 200 - n_rent]


def test_the_default_keeps_it_and_resizes_around_it() -> None:
    noise = np.random.default_rng(1).permutation(NOISE)
    model = ProbabilityTreeClassifier(first_test="home = rent").fit(X, noise)
    assert model.get_n_leaves() == 2
    larger = model.resized(min(size for size in model.sizes_.n_leaves if size > 2))
    assert str(larger.tree_.conditions[0]) == "home = rent"
    assert larger.why()[:1] == ["The first test was set by hand: home = rent."]
    with pytest.raises(ValueError, match="A single leaf has not the first test"):
        model.resized(1)
    honest = ProbabilityTreeClassifier(first_test="home = rent", honest=True).fit(X, Y)
    assert str(honest.tree_.conditions[0]) == "home = rent"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("weight < 3", "begins with no column of X"),
        ("home < 3", "what it cannot be asked"),
        ("age = 3", "what it cannot be asked"),
        ("age < much", "which is no number"),
        ("age < inf", "not finite"),
        ("home = castle", "no category of column 'home'"),
        ("home in {own, castle}", "no category of column 'home'"),
        ("age < 100", "does not divide the rows"),
        ("home in {own, none, rent}", "does not divide the rows"),
        ("age is missing", "does not divide the rows"),
        ("grade < a", "does not divide the rows"),
    ],
)
def test_what_cannot_be_asked_is_told(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        plain_classifier(first_test=text).fit(X, Y)


def test_it_is_a_text() -> None:
    with pytest.raises(TypeError, match="'first_test' parameter must be a text or None"):
        plain_classifier(first_test=3).fit(X, Y)


def test_the_longest_name_is_meant() -> None:
    columns = [Column("age"), Column("age at home"), Column("h", NOMINAL, ("a", "b")), Column("o", ORDERED, (1, 2))]
    assert read_test("age at home < 3", columns).column == 1
    assert read_test("age at home", columns).column == 1
    assert read_test("h in {b}", columns).condition.code == 1
    assert read_test("o < 2", columns).condition.threshold == 1.0


@pytest.mark.parametrize("n_values", [3, 100, 255, 400])
def test_a_cut_is_added_without_more_codes_than_fit(n_values: int) -> None:
    values = np.repeat(np.arange(n_values, dtype=float), 2)
    columns = [Column("other"), Column("age")]
    classes = np.zeros(len(values), np.intp)
    other = np.zeros(len(values))
    coded = CodedTable.of(columns, [other, values], classes, None, 1, Exact(), Threads(1))
    for threshold in (1.5, 1.25, 1.0, 0.5 + n_values / 2):
        cut = coded.copy().with_cut(1, values, threshold)
        thresholds = cut.columns[1].thresholds
        assert threshold in thresholds
        assert np.all(np.diff(thresholds) > 0)
        assert cut.columns[1].is_wide == coded.columns[1].is_wide
        place = cut.places[1]
        codes = cut.wide[:, place - cut.narrow.shape[1]] if cut.columns[1].is_wide else cut.narrow[:, place]
        np.testing.assert_array_equal(codes, np.searchsorted(thresholds, values, side="right"))
