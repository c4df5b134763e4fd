"""Ways to treat missing values: where they are alike, with which parts they go, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.growing.checks import assert_same_tree, fit
from tests.plain import plain_classifier
from tests.strategies import rules, tables

from petree import ProbabilityTreeClassifier
from petree.pruning import MEMBERS as CRITERIA
from petree.pruning import ErrorBased, Permutation, ReducedError
from petree.smoothing import MEMBERS as SMOOTHINGS
from petree.sources.missing import WAYS
from petree.splitting import MEMBERS as SPLITS
from petree.storage import dumps, loads

OTHERS = [way for way in WAYS if way != "branch"]
# Criteria that permute or draw rows one by one.
PERMUTING = ("rand", "permutation", "sampled", "subtree_randomisation")
every_way = pytest.mark.parametrize("way", OTHERS)


def some_rows(seed: int = 0, n: int = 120) -> tuple[dict[str, Any], Any]:
    """Numbers and words, one in five missing."""
    random = np.random.default_rng(seed)
    signal = random.normal(size=n)
    X: dict[str, Any] = {"a": signal.round(1), "b": (signal + random.normal(size=n) / 2).round(1)}
    X["c"] = np.array(["low", "middle", "high"], object)[np.digitize(signal + random.normal(size=n) / 2, (-0.5, 0.5))]
    y = np.where(signal + random.normal(size=n) / 2 > 0, "yes", "no")
    for name in X:
        X[name][random.random(n) < 0.2] = None if name == "c" else np.nan
    return X, y


# -- where nothing is missing -------------------------------------------------------------------------------------


@every_way
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_without_missing_values_all_ways_grow_the_same_tree(way: str, data: Any) -> None:
    table = data.draw(tables(max_rows=25))
    whole = table.frame.notna().all(axis=1).to_numpy()
    kept = table.take(np.flatnonzero(whole).tolist())
    if len(set(kept.labels)) < 2:
        return
    tests = data.draw(st.sampled_from(["binary", "sets", *["multiway"] * (way == "fractions")]))
    chosen = data.draw(rules(tests, data.draw(st.sampled_from(["gain", "gini", "gain_ratio"]))))
    ours, usual = fit(kept, chosen, missing=way), fit(kept, chosen)
    assert_same_tree(ours.tree_, usual.tree_)
    np.testing.assert_array_equal(ours.predict_proba(table.frame), usual.predict_proba(table.frame))


@every_way
def test_the_default_chooses_the_same_tree_without_missing_values(way: str) -> None:
    X, y = some_rows()
    whole = {"a": np.nan_to_num(X["a"]), "b": np.nan_to_num(X["b"])}
    ours = ProbabilityTreeClassifier(missing=way).fit(whole, y)
    usual = ProbabilityTreeClassifier().fit(whole, y)
    assert_same_tree(ours.tree_, usual.tree_)
    np.testing.assert_array_equal(ours.predict_proba(X), usual.predict_proba(X))
    np.testing.assert_array_equal(ours.predict_interval(whole)[0], usual.predict_interval(whole)[0])


# -- with which parts they go -------------------------------------------------------------------------------------


def check_answers(model: ProbabilityTreeClassifier, X: Any) -> None:
    answers = model.predict_proba(X)
    np.testing.assert_allclose(answers.sum(axis=1), 1)
    leaves = model.tree_.counts[model.tree_.is_leaf].sum(axis=0)
    np.testing.assert_allclose(leaves, model.tree_.counts[0], rtol=1e-9)
    lower, upper, _ = model.predict_interval(X)
    assert (lower <= answers + 1e-9).all()
    assert (answers <= upper + 1e-9).all()
    again = loads(dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), answers)


@every_way
@pytest.mark.parametrize("name", [name for name in SPLITS if name != "bayes"])
def test_every_split_score(way: str, name: str) -> None:
    X, y = some_rows()
    check_answers(plain_classifier(name, missing=way, max_depth=3).fit(X, y), X)


@pytest.mark.parametrize("name", [*CRITERIA, ErrorBased(raising=True)], ids=str)
def test_every_criterion_works_with_parts_of_rows_or_refuses_before_the_fit(name: Any) -> None:
    X, y = some_rows()
    model = ProbabilityTreeClassifier(pruning=name, smoothing="laplace", missing="fractions", max_depth=4)
    if name in PERMUTING:
        with pytest.raises(ValueError, match=r"missing='fractions' d.*missing='branch'"):
            model.fit(X, y)
    else:
        check_answers(model.fit(X, y), X)


@pytest.mark.parametrize("way", ["majority", "surrogates"])
@pytest.mark.parametrize("name", ["rand", "cost_complexity", "reduced_error", "chi"])
def test_criteria_that_look_at_rows_work_where_these_stay_whole(way: str, name: str) -> None:
    X, y = some_rows()
    model = ProbabilityTreeClassifier(pruning=name, smoothing="laplace", missing=way, max_depth=3, random_state=0)
    model.fit(X, y)
    assert 1 < model.tree_.n_leaves <= 8


@pytest.mark.parametrize("way", ["fractions", "surrogates"])
@pytest.mark.parametrize("name", SMOOTHINGS)
def test_every_smoothing(way: str, name: str) -> None:
    X, y = some_rows()
    check_answers(plain_classifier(smoothing=name, missing=way, max_depth=3).fit(X, y), X)


@every_way
@pytest.mark.parametrize(
    "parameters",
    [
        {"honest": True},
        {"first_test": "b < 0.2"},
        {"first_test": "a"},
        {"lookahead": 2, "pruning": "none", "max_depth": 2},
        {"class_weight": {"no": 3.0, "yes": 1.0}},
        {"tests": "sets", "max_leaf_nodes": 4},
    ],
    ids=str,
)
def test_the_default_with_other_parameters(way: str, parameters: dict[str, Any]) -> None:
    X, y = some_rows()
    model = ProbabilityTreeClassifier(missing=way, **parameters)
    model.fit(X, y, sample_weight=np.tile([1.0, 2.0], 60), groups=np.repeat(np.arange(60), 2))
    check_answers(model, X)


@every_way
def test_neither_the_order_of_rows_nor_copies_matter(way: str) -> None:
    X, y = some_rows()
    model = plain_classifier(missing=way, min_samples_leaf=3)
    usual = model.fit(X, y).predict_proba(X)
    order = np.random.default_rng(1).permutation(len(y))
    turned = model.fit({name: column[order] for name, column in X.items()}, y[order])
    np.testing.assert_allclose(turned.predict_proba(X), usual, atol=1e-9)
    twice = model.fit({name: np.repeat(column, 2) for name, column in X.items()}, np.repeat(y, 2)).predict_proba(X)
    weighted = model.fit(X, y, sample_weight=np.full(len(y), 2)).predict_proba(X)
    np.testing.assert_allclose(twice, weighted, atol=1e-9)


# -- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"missing": "mean"}, "'missing' parameter"),
        ({"missing": "fractions", "split": "bayes"}, "set split='gain'"),
        ({"missing": "majority", "split": "bayes"}, "set split='gain'"),
        ({"missing": "fractions", "pruning": "rand"}, "permutes or draws whole ones"),
        ({"missing": "fractions", "pruning": ReducedError(alpha=0.5)}, "permutes or draws whole ones"),
        ({"missing": "surrogates", "pruning": ErrorBased(raising=True)}, "raising=False"),
        ({"missing": "surrogates", "pruning": Permutation()}, 'when="post"'),
        ({"missing": "majority", "tests": "multiway"}, "two branches"),
        ({"missing": "surrogates", "tests": "multiway"}, "two branches"),
        ({"missing": "majority", "interaction_cst": "pairwise"}, "interaction_cst"),
    ],
    ids=str,
)
def test_what_does_not_go_together_is_refused_before_the_fit(parameters: dict[str, Any], sentence: str) -> None:
    X, y = some_rows()
    whole = {"a": np.arange(len(y))}
    for table in (X, whole):
        with pytest.raises(ValueError, match=sentence):
            ProbabilityTreeClassifier(**parameters).fit(table, y)


def test_a_given_tree_says_itself_where_missing_values_go() -> None:
    X, y = some_rows()
    tree = plain_classifier(missing="majority").fit(X, y).tree_
    with pytest.raises(ValueError, match="leave out 'missing'"):
        ProbabilityTreeClassifier.from_tree(tree, missing="majority")
    model = ProbabilityTreeClassifier.from_tree(tree)
    assert model.predict_proba(X).shape == (len(y), 2)


@pytest.mark.parametrize("form", ["sql", "python", "sklearn", "onnx", "treelite"])
def test_programs_refuse_surrogates(form: str) -> None:
    pytest.importorskip({"onnx": "onnx", "treelite": "treelite"}.get(form, "numpy"))
    X, y = some_rows()
    model = plain_classifier(missing="surrogates", max_depth=2).fit({"a": X["a"], "b": X["b"]}, y)
    with pytest.raises(ValueError, match=r"Surrogates decide .* cannot carry"):
        model.export(form)


@pytest.mark.parametrize("form", ["sklearn", "treelite"])
def test_programs_that_cannot_blend_refuse_parts_of_rows(form: str) -> None:
    pytest.importorskip({"treelite": "treelite"}.get(form, "numpy"))
    X, y = some_rows()
    model = plain_classifier(missing="fractions", max_depth=2).fit({"a": X["a"], "b": X["b"]}, y)
    with pytest.raises(ValueError, match="several leaves together"):
        model.export(form)


def test_explanations_and_reports_refuse_surrogates() -> None:
    from petree import make_report

    X, y = some_rows()
    model = plain_classifier(missing="surrogates", max_depth=2).fit(X, y)
    with pytest.raises(ValueError, match="not defined"):
        model.explain(X)
    with pytest.raises(ValueError, match="cannot explain"):
        make_report(model)


@pytest.mark.parametrize("way", ["fractions", "majority"])
def test_programs_answer_as_the_model_does(way: str) -> None:
    X, y = some_rows()
    model = plain_classifier(missing=way, max_depth=3).fit(X, y)
    program: dict[str, Any] = {}
    exec(model.export("python"), program)
    rows = [{name: _plain(column[row]) for name, column in X.items()} for row in range(len(y))]
    answers = [list(program["predict_proba"](row).values()) for row in rows]
    np.testing.assert_allclose(answers, model.predict_proba(X), atol=1e-12)
    assert len(model.explain({name: column[:2] for name, column in X.items()})) == 2


def _plain(value: Any) -> Any:
    return None if value is None or value != value else value


@pytest.mark.parametrize("way", ["branch", "fractions", "majority"])
def test_directions_are_kept(way: str) -> None:
    random = np.random.default_rng(0)
    a = random.normal(size=200)
    b = a + 0.3 * random.normal(size=200)
    y = 3 * a - 2 * b + 0.5 * random.normal(size=200) > 0
    b[:40] = np.nan
    model = ProbabilityTreeClassifier(missing=way, monotonic_cst={"a": 1, "b": -1}).fit({"a": a, "b": b}, y)
    rising = {"a": np.linspace(-3, 3, 60), "b": np.full(60, np.nan)}
    assert np.diff(model.predict_proba(rising)[:, 1]).min() >= 0


def test_surrogates_cannot_keep_directions() -> None:
    """A surrogate on a column with a direction would send a row another way where another column is missing."""
    model = ProbabilityTreeClassifier(missing="surrogates", monotonic_cst=[1, 0])
    with pytest.raises(ValueError, match="'monotonic_cst'"):
        model.fit([[0.0, 1.0], [1.0, 0.0]], [0, 1])
