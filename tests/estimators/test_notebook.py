"""What notebooks show: the tree, by itself, inside a pipeline, and of many trees the most probable one."""

from __future__ import annotations

import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import estimator_html_repr

from petree import OptionTreeClassifier, ProbabilityTreeClassifier
from petree.demo import make_loans
from petree.pruning import BestSize
from petree.reading import to_html


@pytest.fixture(scope="module")
def tree() -> ProbabilityTreeClassifier:
    return ProbabilityTreeClassifier().fit(*make_loans(300))


def test_a_pipeline_shows_the_tree_of_its_last_step(tree: ProbabilityTreeClassifier) -> None:
    pipeline = Pipeline([("same", FunctionTransformer()), ("tree", tree)])
    page = estimator_html_repr(pipeline)
    assert to_html(tree) in page
    assert "FunctionTransformer" in page
    assert "min_samples_leaf" in page  # the parameters are there as well
    assert pipeline._repr_html_() is not None


def test_the_size_of_a_large_tree_stands_above_it(tree: ProbabilityTreeClassifier) -> None:
    assert "leaves" not in tree._repr_html_()
    large = ProbabilityTreeClassifier(pruning=BestSize(saving=0)).fit(*make_loans(3000)).resized(90)
    assert large.get_n_leaves() > 50
    notice = large.export_text().split("\n\n")[1].splitlines()
    assert notice[0].startswith(f"The tree has {large.get_n_leaves()} leaves. Levels shown: ")
    for page in (large._repr_html_(), estimator_html_repr(make_pipeline(large))):
        assert f"<div>The tree has {large.get_n_leaves()} leaves.<br>{'<br>'.join(notice[1:])}</div>" in page
    for limit, line in zip((20, 50), notice[2:], strict=True):
        smaller = large.resized(limit)
        bits = dict(zip(large.sizes_.n_leaves, large.sizes_.bits, strict=True))
        loss, own = bits[smaller.get_n_leaves()], bits[large.get_n_leaves()]
        assert line == (
            f"  model.resized({limit}): {smaller.get_n_leaves()} leaves, {loss:.4f} bits ({loss / own - 1:+.1%})"
        )


def test_before_the_fit_a_pipeline_shows_parameters() -> None:
    page = estimator_html_repr(make_pipeline(FunctionTransformer(), ProbabilityTreeClassifier()))
    assert "petree-tree" not in page
    assert "min_samples_leaf" in page


def test_a_search_shows_the_tree_that_it_found() -> None:
    search = GridSearchCV(ProbabilityTreeClassifier(pruning="chi"), {"max_depth": [1, 2]}, cv=2)
    X, y = make_loans(100)
    search.fit(pd.DataFrame(X), y)
    assert "petree-tree" in estimator_html_repr(search)


def test_a_tree_with_options_shows_its_summary_and_says_so() -> None:
    model = OptionTreeClassifier(max_depth=2, n_searches=1).fit(*make_loans(60))
    assert model.tree_.is_dag
    html = model._repr_html_()
    assert to_html(model.summary()) in html
    assert f"many trees within {model.tree_.n_nodes:,} nodes with options" in html
    assert to_html(model.summary()) in estimator_html_repr(make_pipeline(model))
