"""Explanations as people and other libraries get them."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from tests.core.fits import make_database
from tests.estimators.explaining.test_contributions import six_columns
from tests.plain import plain_classifier

from petree import OptionTreeClassifier, ProbabilityTreeClassifier, RelationalTreeClassifier
from petree.storage import dumps, loads

LOANS = {
    "income": [24, 80, None, 45, 31, 95, 52, 28, 66, None, 38, 71, 59, 33],
    "home": ["rent", "own", "rent", "own", "rent", "own", "rent", "rent", "own", "rent", "own", "own", "rent", "own"],
}
REPAID = ["no", "yes", "no", "yes", "no", "yes", "no", "no", "yes", "no", "yes", "yes", "yes", "no"]
NEW = {"income": [40.0, None, 80.0, 20.0], "home": ["boat", "rent", "own", None]}


@pytest.fixture(scope="module")
def model() -> ProbabilityTreeClassifier:
    return plain_classifier(min_samples_leaf=2).fit(LOANS, REPAID)


WORDS = """\
row 0: P(yes)=0.78 [0.52, 0.96] (n=6)
  all rows                                                      P(yes)=0.50
  income >= 35                                                  P(yes)=0.80
  home = own (the heaviest branch, since the value is unknown)  P(yes)=0.88
  the answer, a blend of leaves                                 P(yes)=0.78
nearest other verdict:
  income < 35 or missing instead of 40 -> P(no)=0.88 (n=6)
contributions to P(yes), 0.50 with nothing known:
  income = 40  +0.281

row 1: P(no)=0.88 [0.65, 0.99] (n=6)
  all rows                P(no)=0.50
  income < 35 or missing  P(no)=0.88
nearest other verdict:
  income >= 35 instead of missing and home = own instead of rent -> P(yes)=0.88 (n=6)
contributions to P(no), 0.50 with nothing known:
  income is missing  +0.295
  home = rent        +0.080

and 2 more rows"""


def test_words(model: ProbabilityTreeClassifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petree.estimators.explaining.explanations.SHOWN", 2)
    found = model.explain(NEW)
    assert str(found) == WORDS
    assert repr(found) == "<Explanations of 4 rows>"
    assert f"{found[0]}\n\n{found[1]}" in WORDS


def test_a_row_is_what_the_model_answers(model: ProbabilityTreeClassifier) -> None:
    found = model.explain(NEW, level=0.5)
    lower, upper, n = model.predict_interval(NEW, level=0.5)
    np.testing.assert_array_equal(found.probabilities, model.predict_proba(NEW))
    assert [one.predicted for one in found] == model.predict(NEW).tolist()
    for one, leaf in zip(found, model.apply(NEW), strict=True):
        code = model.classes_.tolist().index(one.predicted)
        assert (one.lower, one.upper, one.n) == (lower[one.row, code], upper[one.row, code], n[one.row])
        assert one.path[-1].probability == model.node_probabilities_[leaf, code]
        assert one.path[-1].n == model.tree_.sizes[leaf]
        assert sum(one.contributions.values()) + one.base_value == pytest.approx(one.probability)


def test_slices_and_places(model: ProbabilityTreeClassifier) -> None:
    found = model.explain(NEW)
    assert len(found) == 4
    assert [one.row for one in found[1:3]] == [1, 2]
    assert found[-1].row == 3
    assert str(found[2]) == str(found[2:][0])
    with pytest.raises(IndexError):
        found[4]


def test_a_frame_has_the_numbers(model: ProbabilityTreeClassifier) -> None:
    found = model.explain(NEW)
    frame = found.to_frame()
    assert frame["predicted"].tolist() == ["yes", "no", "yes", "no"]
    assert frame["nearest"].tolist() == ["no", "yes", "no", "yes"]
    assert frame["n_changes"].tolist() == found.n_changes.tolist()
    told = frame[["contribution_income", "contribution_home"]].to_numpy()
    np.testing.assert_array_equal(told[0], found.contributions[0, :, 1])
    np.testing.assert_allclose(told.sum(axis=1) + frame["base_value"], frame["probability"])
    assert list(OptionTreeClassifier(n_searches=2).fit(LOANS, REPAID).explain(NEW).to_frame()) == [
        "row", "predicted", "probability", "lower", "upper", "n", "base_value", "contribution_income",
        "contribution_home",
    ]  # fmt: skip


def test_only_the_largest_contributions_are_told() -> None:
    X, y = six_columns(300)
    one = plain_classifier().fit(X, y).explain(X[:1])[0]
    every = one.largest(list(X.columns))
    assert [text.split()[0] for text, _ in every] == sorted(X.columns, key=lambda name: -abs(one.contributions[name]))
    first, others = one.largest(["e"])
    rest = sum(value for name, value in one.contributions.items() if name != "e")
    assert first[0].startswith("e = ")
    assert others == ("5 other columns", f"{rest:+.3f}")


@pytest.mark.parametrize("smoothing", ["doubt", "confusion"])
def test_where_all_leaves_answer_there_are_paths_alone(smoothing: str) -> None:
    model = plain_classifier(smoothing=smoothing, min_samples_leaf=2).fit(LOANS, REPAID)
    found = model.explain(NEW)
    with pytest.raises(ValueError, match="all leaves answer a row"):
        _ = found.contributions
    one = found[2]
    assert (one.nearest, one.base_value, one.contributions) == (None, None, {})
    assert one.steps[-1][0] == "the answer, a blend of leaves"
    assert "contributions" not in str(found)
    assert list(found.to_frame()) == ["row", "predicted", "probability", "lower", "upper", "n"]


def test_related_tables_have_paths_in_sentences() -> None:
    database, keys = make_database()
    model = RelationalTreeClassifier(database, "molecule.mutagenic", pruning="none", smoothing="laplace").fit(keys)
    found = model.explain(keys[:5])
    leaves = model.apply(keys[:5])
    for one, leaf in zip(found, leaves, strict=True):
        assert len(one.path) == model.tree_.levels[leaf] + 1
        assert one.path[1].text in model.export_text()
    with pytest.raises(ValueError, match="queries, not columns"):
        _ = found.base_values
    assert "nearest" not in str(found)


def test_options_have_no_path() -> None:
    found = OptionTreeClassifier(n_searches=2).fit(LOANS, REPAID).explain(NEW)
    assert found[0].path == ()
    assert found[0].nearest is None
    assert str(found).count("contributions to") == 3


def test_a_model_of_a_file_explains_alike(model: ProbabilityTreeClassifier) -> None:
    assert str(loads(dumps(model)).explain(NEW)) == str(model.explain(NEW))


def test_what_becomes_of_the_model_later_does_not_matter() -> None:
    model = plain_classifier(min_samples_leaf=2).fit(LOANS, REPAID)
    found = model.explain(NEW)
    before = str(model.explain(NEW))
    model.set_params(n_jobs="many")
    model.tree_ = None
    assert str(found) == before
    database, keys = make_database()
    related = RelationalTreeClassifier(database, "molecule.mutagenic").fit(keys)
    told = related.explain(keys[:3])
    expected = str(related.explain(keys[:3]))
    related.database = make_database(30)[0]
    assert str(told) == expected


def test_refusals(model: ProbabilityTreeClassifier) -> None:
    with pytest.raises(NotFittedError):
        ProbabilityTreeClassifier().explain(NEW)
    with pytest.raises(ValueError, match="level of an interval"):
        model.explain(NEW, level=1.5)
    with pytest.raises(ValueError, match="X has no column 'home'"):
        model.explain({"income": [1.0]})


def test_names_of_any_characters() -> None:
    x = np.repeat([0.0, 1.0], 5)
    model = plain_classifier().fit({"a\x1b[31mb": x}, x > 0)
    text = str(model.explain({"a\x1b[31mb": [1.0]}))
    assert "\x1b" not in text
    assert '"a\\x1b[31mb" = 1' in text
    assert '"a\\x1b[31mb" < 1 instead of 1' in text


@pytest.mark.skipif(find_spec("shap") is not None, reason="shap is installed")
def test_without_shap_a_sentence_tells_what_to_install(model: ProbabilityTreeClassifier) -> None:
    with pytest.raises(ImportError, match=r"pip install 'petree\[explain\]'"):
        model.explain(NEW).to_shap()


@pytest.mark.skipif(find_spec("shap") is None, reason="shap is not installed")
@pytest.mark.filterwarnings("ignore")
def test_shap_plots_them(model: ProbabilityTreeClassifier) -> None:
    import matplotlib
    import shap

    matplotlib.use("Agg")
    found = model.explain(NEW)
    explanation = found.to_shap()
    assert isinstance(explanation, shap.Explanation)
    np.testing.assert_array_equal(explanation.values, found.contributions)
    assert explanation.display_data.tolist()[0] == ["40", "a category never seen"]
    shap.plots.waterfall(explanation[0, :, 1], show=False)
    shap.plots.bar(explanation[:, :, 1], show=False)
    shap.plots.beeswarm(explanation[:, :, 1], show=False)


@pytest.mark.skipif(find_spec("shap") is None, reason="shap is not installed")
@pytest.mark.filterwarnings("ignore")
def test_shap_finds_the_same_numbers() -> None:
    import shap
    from sklearn.tree import DecisionTreeClassifier

    from petree.inputs import table_of
    from petree.routing import Ways
    from petree.threads import Threads
    from petree.tree import Tree

    random = np.random.default_rng(0)
    X: Any = random.normal(size=(300, 5)).astype(np.float32).astype(np.float64)
    y = (X[:, 0] * X[:, 1] + X[:, 2] > random.normal(size=300)).astype(int)
    theirs = DecisionTreeClassifier(max_leaf_nodes=20, random_state=0).fit(X, y)
    tree = Tree.from_sklearn(theirs)
    says = tree.counts / tree.counts.sum(axis=1, keepdims=True)
    found = Ways.of(tree).contributions(table_of(X), says, Threads(1))
    np.testing.assert_allclose(found, shap.TreeExplainer(theirs).shap_values(X), atol=1e-9)


def test_frames_in_frames_out(model: ProbabilityTreeClassifier) -> None:
    assert str(model.explain(pd.DataFrame(NEW))) == str(model.explain(NEW))


def test_moments_are_told_as_moments() -> None:
    days = np.arange("2024-02-20", "2024-03-12", dtype="datetime64[D]")
    model = plain_classifier().fit({"day": days}, days < np.datetime64("2024-03-01"))
    row = model.explain({"day": [np.datetime64("2024-02-25")]})[0]
    assert row.values == {"day": "day = 2024-02-25"}
    assert row.nearest is not None
    assert row.nearest.changes == ("day >= 2024-03-01 instead of 2024-02-25",)


def test_a_column_that_no_test_asks_has_no_value() -> None:
    X = {"a": [1, 1, 2, 2], "b": [7.0, 7.0, 7.0, 7.0], "c": ["x", "x", "x", "x"]}
    row = plain_classifier().fit(X, ["no", "no", "yes", "yes"]).explain(X)[0]
    assert row.values == {"a": "a = 1"}
    assert row.largest(["b"])[0] == ("b, which no test asks", "+0.000")
