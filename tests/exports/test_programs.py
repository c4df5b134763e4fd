"""Trees as programs of Python, ONNX, scikit-learn and Treelite give the probabilities of `predict_proba`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pandas as pd
import pytest
import treelite
from tests.exports.cases import Case, random_case

from petree import OptionTreeClassifier, ProbabilityTreeClassifier, exports
from petree.exports import drawing, python
from petree.exports.onnx import traversal

N_CASES = 12


# -- Python -------------------------------------------------------------------------------------------------------


def by_python(source: str, rows: pd.DataFrame) -> np.ndarray:
    made: dict[str, Any] = {}
    exec(source, made)
    return np.array([list(made["predict_proba"](row).values()) for row in rows.to_dict("records")])


@pytest.mark.parametrize("seed", range(N_CASES))
def test_python_answers_alike(seed: int) -> None:
    case = random_case(seed)
    answers = by_python(case.model.to_python(), case.rows)
    assert abs(answers - case.model.predict_proba(case.rows)).max() < 1e-14


def test_python_takes_a_row_without_a_column_for_missing() -> None:
    model = random_case(1).model
    made: dict[str, Any] = {}
    exec(model.to_python(), made)
    nothing = {name: [None] for name in model.feature_names_in_}
    assert made["predict_proba"]({}) == pytest.approx(
        dict(zip(model.classes_, model.predict_proba(nothing)[0], strict=True))
    )


def test_names_are_never_run() -> None:
    X = {'""" + __import__(\'os\').abort() + """': ["x'); abort((", "y", "x'); abort((", "y"]}
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(X, ["{a}", "b\n", "{a}", "b\n"])
    assert np.array_equal(by_python(model.to_python(), pd.DataFrame(X)), model.predict_proba(X))


def test_too_deep_a_tree_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python, "MOST_LEVELS", 1)
    with pytest.raises(ValueError, match="levels is too deep for a Python program; the most are 1"):
        random_case(0).model.to_python()


# -- ONNX ---------------------------------------------------------------------------------------------------------


def by_onnx(model: onnx.ModelProto, rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    session = onnxruntime.InferenceSession(model.SerializeToString())
    feeds = {}
    for one in session.get_inputs():
        column = rows[one.name]
        if one.type == "tensor(string)":
            values = column.astype(object).where(column.notna(), "").to_numpy(object)
        else:
            values = column.astype("Float64").to_numpy(np.float64, na_value=np.nan)
        feeds[one.name] = values.reshape(-1, 1)
    label, probabilities = session.run(None, feeds)
    return label, probabilities


def check_onnx(case: Case) -> None:
    label, probabilities = by_onnx(case.model.to_onnx(), case.rows)
    assert abs(probabilities - case.model.predict_proba(case.rows)).max() < 1e-14
    assert np.array_equal(label, case.model.predict(case.rows))


@pytest.mark.parametrize("seed", range(N_CASES))
def test_onnx_answers_alike(seed: int) -> None:
    check_onnx(random_case(seed))


def test_onnx_answers_a_leaf_exactly() -> None:
    """Where every value has a branch there is nothing to round."""
    case = random_case(2, has_categories=False)
    known = case.rows.dropna()
    assert len(known) > 5
    assert np.array_equal(by_onnx(case.model.to_onnx(), known)[1], case.model.predict_proba(known))


def test_onnx_answers_a_single_leaf() -> None:
    model = ProbabilityTreeClassifier(min_samples_leaf=4).fit({"x": [1.0, 2, 3, 4]}, [0, 0, 1, 0])
    assert model.get_n_leaves() == 1
    check_onnx(Case(model, pd.DataFrame({"x": [1.0, np.nan]})))


def test_onnx_answers_whole_numbers_as_categories_and_class_weights() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"code": rng.integers(0, 5, 200), "x": rng.normal(size=200)})
    y = np.where(rng.random(200) < 0.2 + 0.1 * X["code"], 7, 3)
    model = ProbabilityTreeClassifier(pruning="none", categorical_features=["code"], class_weight="balanced").fit(X, y)
    check_onnx(Case(model, X.assign(code=rng.integers(0, 8, 200))))


OPTIONS: dict[str, dict[str, Any]] = {
    "one search": {"n_searches": 1},
    "several searches": {"n_searches": 4},
    "multiway": {"n_searches": 4, "tests": "multiway", "class_weight": "balanced"},
    "options at every node": {"n_searches": 1, "max_features": None, "max_options": 3, "option_depth": None},
    "leaves alone": {"n_searches": 3, "weights": "even", "option_depth": 2},
    "stumps": {"n_searches": 3, "max_depth": 1},
    "one leaf": {"min_samples_leaf": 60},
}


@pytest.mark.parametrize("parameters", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("has_missing", [False, True])
def test_onnx_equals_trees_with_options(
    parameters: dict[str, Any], has_missing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if rows come in several blocks, and not all items of the stack fit in one iteration."""
    monkeypatch.setattr(traversal, "ROWS_PER_BLOCK", 16)
    monkeypatch.setattr(traversal, "ITEMS_PER_STEP", 32)
    rng = np.random.default_rng(0)
    X, y, rows = option_data(rng, has_missing)
    model = OptionTreeClassifier(max_depth=6).set_params(**parameters).fit(X, y)
    made = model.to_onnx()
    assert (b"TopK" in made.SerializeToString()) == (parameters.get("option_depth", 3) is None)  # merges items
    label, probabilities = by_onnx(made, rows)
    assert abs(probabilities - model.predict_proba(rows)).max() < 1e-13
    assert np.array_equal(label, model.predict(rows))


def option_data(rng: np.random.Generator, has_missing: bool) -> tuple[pd.DataFrame, np.ndarray, pd.DataFrame]:
    """A table, its labels, and rows with missing values and new categories."""
    X = pd.DataFrame(
        {
            "age": rng.normal(size=110),
            "home": rng.choice(["own", "rent"], 110).astype(object),
            "grade": rng.choice(["a", "b", "c"], 110).astype(object),
        }
    )
    y = np.where((X["age"] > 0) ^ (rng.random(110) < 0.2), X["home"], "own")
    rows = X.iloc[:50].assign(age=rng.normal(size=50))
    rows[rng.random(rows.shape) < 0.2] = None
    rows.loc[::7, "home"] = "new"
    return X.mask(rng.random(X.shape) < 0.2 * has_missing), y, rows


PEAK = """
import resource, sys
import numpy as np, onnxruntime
session = onnxruntime.InferenceSession(sys.argv[1])
X = np.random.default_rng(1).normal(size=(4000, 3))
X[::2, 1] = np.nan
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
session.run(None, {one.name: X[:, place : place + 1] for place, one in enumerate(session.get_inputs())})
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_the_memory_of_onnx_does_not_grow_with_nodes_times_rows(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(4000, 3)), columns=["a", "b", "c"])
    model = OptionTreeClassifier(n_searches=10).fit(X, rng.random(4000) < 0.5)
    n_nodes = model.tree_.n_nodes
    assert n_nodes > 20_000
    file = tmp_path / "model.onnx"
    file.write_bytes(model.export("onnx"))
    assert file.stat().st_size < 60 * n_nodes
    kilobytes = int(subprocess.run([sys.executable, "-c", PEAK, file], capture_output=True, check=True).stdout)
    assert kilobytes < 4000 * n_nodes * 8 / 1024 / 5


def test_onnx_breaks_ties_under_class_weights_as_predict_does() -> None:
    """Weighted probabilities that are equal but for rounding: the label is the first class."""
    n_ones = np.arange(1, 200)
    leaf = np.repeat(n_ones, n_ones + 7)
    y = np.concatenate([np.arange(n + 7) < n for n in n_ones])
    X = pd.DataFrame({"leaf": leaf.astype(float)})
    n_ties = 0
    for one in (3, 5, 9, 11, 13):
        model = ProbabilityTreeClassifier(pruning="none", smoothing="none", class_weight={False: one / 7, True: 1.0})
        model.fit(X, y)
        weighted = model.predict_proba(X) * [one / 7, 1.0]
        n_ties += int((abs(weighted[:, 0] / weighted[:, 1] - 1) < 1e-12).sum())
        assert np.array_equal(by_onnx(model.to_onnx(), X)[0], model.predict(X))
    assert n_ties > 0


def test_categories_that_onnx_does_not_know_are_refused() -> None:
    X = {"x": ["a", 1, "a", 1]}
    model = ProbabilityTreeClassifier(pruning="none").fit(pd.DataFrame(X, dtype="category"), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="Column 'x' has texts and numbers among its categories, and ONNX knows one"):
        model.to_onnx()
    empty = ProbabilityTreeClassifier(pruning="none").fit({"x": ["a", "", "a", ""]}, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="Column 'x' has the empty text among its categories"):
        empty.to_onnx()


def test_onnx_takes_missing_truths_and_numbers_that_are_categories() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"ok": pd.array(rng.random(200) < 0.5, "boolean"), "code": pd.array(rng.integers(0, 5, 200), "Int64")}
    )
    X[rng.random(X.shape) < 0.2] = pd.NA
    y = (X["ok"].fillna(False) ^ (X["code"].fillna(1) == 1)).to_numpy(bool)
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace", categorical_features=["ok", "code"]).fit(
        X, y
    )
    check_onnx(Case(model, X.assign(code=pd.array(rng.integers(0, 7, 200), "Int64"))))


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"The format onnx needs onnx: pip install 'petree\[onnx\]'"):
        random_case(0).model.to_onnx()


# -- scikit-learn and Treelite ----------------------------------------------------------------------------------------


def coded(case: Case) -> pd.DataFrame:
    """The rows with the codes of their categories, without those that only a blend can answer."""
    rows = case.rows.dropna() if not has_missing(case.model) else case.rows
    codes = {
        column.name: {category: code for code, category in enumerate(column.categories)}
        for column in case.model.columns_
        if column.categories
    }
    return rows.assign(**{name: rows[name].astype(object).map(known) for name, known in codes.items()}).astype(float)


def has_missing(model: ProbabilityTreeClassifier) -> bool:
    return bool((model.tree_.conditions.missing >= 0).all())


@pytest.mark.parametrize("seed", range(N_CASES))
def test_sklearn_answers_alike(seed: int) -> None:
    case = random_case(seed, "binary", has_categories=False)
    rows = coded(case)
    answers = case.model.to_sklearn().predict_proba(rows)
    assert np.array_equal(answers, case.model.predict_proba(case.rows.loc[rows.index]))


@pytest.mark.parametrize("seed", range(N_CASES))
def test_treelite_answers_alike(seed: int) -> None:
    case = random_case(seed, ("binary", "sets")[seed % 3 == 0])
    case = case._replace(rows=case.rows[case.rows["home"] != "new"])
    rows = coded(case)
    answers = treelite.gtil.predict(case.model.to_treelite(), rows.to_numpy())
    expected = case.model.predict_proba(case.rows.loc[rows.index])
    assert np.array_equal(answers.reshape(expected.shape), expected)


def test_what_scikit_learn_cannot_ask_is_refused() -> None:
    X = {"colour": ["red", "green", "blue", "red", "green", "blue"]}
    with pytest.raises(ValueError, match=r"The test colour = green on column 'colour' is no threshold"):
        ProbabilityTreeClassifier(pruning="none").fit(X, [0, 1, 0, 0, 1, 0]).to_sklearn()
    with pytest.raises(ValueError, match="two branches at each test; fit with tests='binary'"):
        ProbabilityTreeClassifier(pruning="none", tests="multiway").fit(X, [0, 1, 0, 0, 1, 0]).to_sklearn()
    close = {"x": [1.0, 1 + 1e-12, 1 + 2e-12, 2.0]}
    with pytest.raises(ValueError, match="thresholds of column 'x' are equal in 32 bits"):
        ProbabilityTreeClassifier(pruning="none").fit(close, [0, 1, 0, 1]).to_sklearn()


# -- pictures -----------------------------------------------------------------------------------------------------


def test_pictures_have_every_node_and_every_branch() -> None:
    model = random_case(3).model
    n_nodes = model.tree_.n_nodes
    dot = model.to_graphviz()
    assert dot.count("[label=") == 2 * n_nodes - 1
    assert dot.count("->") == n_nodes - 1
    assert model.to_mermaid().count("-->") == n_nodes - 1


def test_names_are_text_in_pictures() -> None:
    X = {'a"]; b\\': ["<b>", "`x`", "<b>", "`x`"]}
    model = ProbabilityTreeClassifier(pruning="none").fit(X, ["yes", "no", "yes", "no"])
    asked = str(model.tree_.conditions[0]).replace("\\", "\\\\").replace('"', '\\"')
    assert f'label="{asked}' in model.to_graphviz()
    assert "<b>" not in model.to_mermaid()
    assert "#60;b#62;" in model.to_mermaid()


def test_a_picture_that_nobody_can_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "MOST_NODES", 5)
    with pytest.raises(ValueError, match="nodes cannot be read; the most are 5"):
        random_case(0).model.to_graphviz()


@pytest.mark.parametrize("classes", [("no", "yes"), (3, 5), (False, True)])
def test_an_onnx_file_names_the_classes(classes: tuple[object, object]) -> None:
    X = np.arange(20.0).reshape(-1, 1)
    model = ProbabilityTreeClassifier().fit(X, [classes[int(value > 9)] for value in X[:, 0]])
    (entry,) = model.to_onnx().metadata_props
    assert (entry.key, json.loads(entry.value)) == ("classes", model.classes_.tolist())
