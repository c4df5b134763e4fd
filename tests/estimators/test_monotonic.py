"""Monotonic columns: no two rows that differ in one of them alone are answered against its direction."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.base import clone

from petree import ProbabilityTreeClassifier, pruning, smoothing, splitting
from petree.smoothing import Average, Hierarchical, MBranch, MEstimate
from petree.smoothing.base import goes_by_row

Numbers = NDArray[np.float64]
SIGNS = {"age": 1, "debt": -1, "grade": 1}
GRADES = ["low", "middle", "high", "top"]
BY_LEAF = [alias for alias in smoothing.MEMBERS if not goes_by_row(smoothing.resolve_smoothing(alias))]
TUNED = [MEstimate("auto"), Average([Hierarchical("auto"), MBranch("auto")])]
ROUNDING = 1e-12
STEPS = {"age": np.linspace(-3, 13, 33), "debt": np.array([-3, -1, 0, 0.55, 4]), "grade": np.array(GRADES)}


def draw_frame(random: np.random.Generator, n_rows: int) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "age": random.integers(0, 12, n_rows).astype(float),
            "debt": random.normal(size=n_rows).round(1),
            "grade": pd.Categorical(random.choice(GRADES, n_rows), GRADES, ordered=True),
            "home": random.choice(["own", "rent", "none"], n_rows).astype(object),
            "noise": random.normal(size=n_rows),
        }
    )
    for column in frame.columns:
        if random.random() < 0.5:
            frame.loc[random.random(n_rows) < 0.2, column] = None
    return frame


def draw_table(random: np.random.Generator) -> tuple[pd.DataFrame, NDArray[Any], NDArray[Any] | None]:
    """A table whose classes follow the columns some way or other, and weights of its rows."""
    n_rows = int(random.integers(30, 150))
    frame = draw_frame(random, n_rows)
    noise = random.normal(size=n_rows) * random.choice([0.3, 1.0, 3.0])
    signal = random.normal() * frame["age"].fillna(3) / 4 + random.normal() * frame["debt"].fillna(0)
    signal += random.normal() * (frame["home"] == "own") * frame["age"].fillna(0) / 4 + noise
    weights = (None, random.integers(0, 4, n_rows), random.random(n_rows) + 0.01)[random.integers(3)]
    y = np.where(signal > signal.median(), "yes", "no")
    y[:2] = ["no", "yes"]
    if weights is not None:
        weights[:2] = 1
    return frame, y, weights


def questions(random: np.random.Generator, frame: pd.DataFrame) -> pd.DataFrame:
    """Rows to ask about, with values that are missing where none was, and a category that nobody knows."""
    asked = frame.sample(25, replace=True, random_state=int(random.integers(1000))).reset_index(drop=True)
    for column in ("debt", "noise", "age", "home"):
        asked.loc[random.random(25) < 0.25, column] = None
    asked.loc[random.random(25) < 0.2, "home"] = "tent"
    return asked


def assert_monotone(model: ProbabilityTreeClassifier, asked: pd.DataFrame, signs: dict[str, int]) -> None:
    """Ask about all rows with one value of a column after the other."""
    for column, sign in signs.items():
        values = STEPS[column]
        rows = pd.concat([asked] * len(values), ignore_index=True)
        rows[column] = pd.Series(np.repeat(values, len(asked))).astype(asked[column].dtype)
        answers = model.predict_proba(rows)[:, 1].reshape(len(values), len(asked))
        assert (sign * np.diff(answers, axis=0) >= -ROUNDING).all(), f"{column} in {model}"


def draw_model(random: np.random.Generator, **parameters: Any) -> ProbabilityTreeClassifier:
    """Everything that `parameters` leave open, at random."""
    drawn = {
        "split": random.choice(list(splitting.MEMBERS)),
        "pruning": random.choice(["none", "none", "chi", "error_based", "cost_complexity", "reduced_error"]),
        "smoothing": random.choice(BY_LEAF),
        "min_samples_leaf": int(random.choice([1, 1, 5])),
        "class_weight": random.choice([None, "balanced"]),
        "honest": bool(random.random() < 0.2),
        "monotonic_cst": SIGNS,
        "random_state": 1,
        "n_jobs": 1,
    }
    drawn |= parameters
    kinds = ["binary", "multiway"] if drawn["split"] == "bayes" else ["binary", "sets", "multiway"]
    return ProbabilityTreeClassifier(**{"tests": random.choice(kinds), **drawn})


def check(seed: int, **parameters: Any) -> ProbabilityTreeClassifier:
    random = np.random.default_rng(seed)
    frame, y, weights = draw_table(random)
    model = draw_model(random, **parameters).fit(frame, y, sample_weight=weights)
    assert_monotone(model, questions(random, frame), SIGNS)
    return model


@pytest.mark.parametrize("member", BY_LEAF)
def test_every_smoothing_is_kept_in_order(member: str) -> None:
    for seed in range(2):
        check(seed, smoothing=member, pruning="none")


@pytest.mark.parametrize("member", TUNED, ids=str)
def test_tuned_smoothings_are_kept_in_order(member: Any) -> None:
    check(0, smoothing=member, pruning="chi", honest=False)


@pytest.mark.filterwarnings("ignore:The weights are whole numbers")
@pytest.mark.parametrize("member", [alias for alias in pruning.MEMBERS if alias != "subtree_randomisation"])
def test_every_pruning_leaves_a_tree_in_order(member: str) -> None:
    check(1, pruning=member, honest=False)


@pytest.mark.parametrize("member", list(splitting.MEMBERS))
def test_every_split_score_grows_a_tree_in_order(member: str) -> None:
    check(1, split=member)


def test_subtrees_that_are_grown_again_do_not_break_the_order() -> None:
    check(0, pruning=pruning.SubtreeRandomisation(permutations=5), min_samples_leaf=10, honest=False)


def test_what_looks_ahead_keeps_to_the_order() -> None:
    check(3, split="gain", tests="binary", lookahead=2, pruning="none")


def test_the_default_keeps_to_the_order_at_every_size() -> None:
    model = check(2, pruning="default", smoothing="default", honest=False, class_weight=None, split="gain")
    random = np.random.default_rng(2)
    asked = questions(random, draw_table(random)[0])
    for size in (1, 3, 8):
        assert_monotone(model.resized(size), asked, SIGNS)


def test_an_interval_contains_what_is_answered() -> None:
    for parameters in ({"pruning": "none", "smoothing": "laplace"}, {"pruning": "default", "smoothing": "default"}):
        random = np.random.default_rng(5)
        frame, y, _ = draw_table(random)
        model = ProbabilityTreeClassifier(**parameters, monotonic_cst=SIGNS).fit(frame, y)
        asked = questions(random, frame)
        lower, upper, _ = model.predict_interval(asked)
        answers = model.predict_proba(asked)
        assert ((lower <= answers + ROUNDING) & (answers <= upper + ROUNDING)).all()


def test_a_tree_that_need_not_be_moved_answers_what_its_smoothing_says() -> None:
    ages = np.arange(60.0)
    y = (ages > 30) ^ (ages % 7 == 0)
    free = ProbabilityTreeClassifier(pruning="none", smoothing="laplace", max_depth=1).fit(ages[:, None], y)
    bound = clone(free).set_params(monotonic_cst=[1]).fit(ages[:, None], y)
    np.testing.assert_array_equal(free.node_probabilities_, bound.node_probabilities_)


@pytest.mark.parametrize("split", list(splitting.MEMBERS))
def test_a_test_against_the_direction_is_not_taken(split: str) -> None:
    ages = np.arange(60.0)
    falls = (ages < 30).astype(int)
    model = ProbabilityTreeClassifier(split, "none", "laplace", monotonic_cst=[1]).fit(ages[:, None], falls)
    assert model.get_n_leaves() == 1
    assert clone(model).set_params(monotonic_cst=[-1]).fit(ages[:, None], falls).get_n_leaves() == 2


def test_names_and_places_mean_the_same() -> None:
    random = np.random.default_rng(7)
    frame, y, _ = draw_table(random)
    by_name = ProbabilityTreeClassifier("gain", "none", monotonic_cst=SIGNS).fit(frame, y)
    by_place = clone(by_name).set_params(monotonic_cst=np.array([1, -1, 1, 0, 0])).fit(frame, y)
    np.testing.assert_array_equal(by_name.node_probabilities_, by_place.node_probabilities_)
    assert by_name.get_params()["monotonic_cst"] == SIGNS


@pytest.mark.filterwarnings("ignore:Column 'x0' has no values")
def test_a_column_without_values_may_have_a_direction() -> None:
    X = np.column_stack((np.full(40, np.nan), np.arange(40.0)))
    model = ProbabilityTreeClassifier(pruning="none", monotonic_cst=[1, 1]).fit(X, X[:, 1] > 20)
    assert model.get_n_leaves() == 2


REFUSED = [
    ({"monotonic_cst": {"wage": 1}}, "names 'wage', but X has no such column"),
    ({"monotonic_cst": {"age": 2}}, "of column 'age' must be -1, 0 or 1. Got 2"),
    ({"monotonic_cst": {"home": 1}}, "column 'home', whose values have no order"),
    ({"monotonic_cst": [1, 0]}, "for each of the 5 columns"),
    ({"monotonic_cst": SIGNS, "smoothing": "confusion"}, "needs a smoothing of leaves"),
    ({"monotonic_cst": SIGNS, "smoothing": Average(["doubt", "m_branch"])}, "needs a smoothing of leaves"),
]


@pytest.mark.parametrize(("parameters", "sentence"), REFUSED, ids=[sentence for _, sentence in REFUSED])
def test_what_has_no_direction_is_refused(parameters: dict[str, Any], sentence: str) -> None:
    frame, y, _ = draw_table(np.random.default_rng(0))
    with pytest.raises(ValueError, match=sentence):
        ProbabilityTreeClassifier(**parameters).fit(frame, y)


def test_more_than_two_classes_are_refused() -> None:
    frame, y, _ = draw_table(np.random.default_rng(0))
    y = np.where(np.arange(len(y)) % 5 == 0, "maybe", y)
    with pytest.raises(ValueError, match="second of two classes, but there are 3 classes"):
        ProbabilityTreeClassifier(monotonic_cst=SIGNS).fit(frame, y)
