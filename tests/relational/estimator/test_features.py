"""Queries as columns for other learners."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from tests.relational.made_trees import made_database

from petree import RelationalFeatures, RelationalTreeClassifier
from petree.relational import Database
from petree.splitting import score

SEEDS = range(4)


def keys_and_labels(database: Database, seed: int) -> tuple[Any, Any]:
    keys = database.keys("patient")
    return keys, np.random.default_rng(seed).choice(["a", "b"], len(keys))


def unpruned(database: Database, **parameters: Any) -> RelationalTreeClassifier:
    return RelationalTreeClassifier(database, "patient.class", pruning="none", smoothing="laplace", **parameters)


def leaves_by_columns(model: RelationalTreeClassifier, features: RelationalFeatures, holds: Any) -> list[int]:
    """Where each example ends when each test of the tree is looked up in its column."""
    router = model._readable()
    queries = list(features._columns.queries)
    columns = {node: queries.index((*router.query(node), *test)) for node, test in router.literals.items()}
    leaves = []
    for row in holds:
        node = 0
        while node in columns:
            yes, no = model.tree_.children_of(np.array([node])).tolist()
            node = yes if row[columns[node]] else no
        leaves.append(node)
    return leaves


@pytest.mark.parametrize("seed", SEEDS)
def test_columns_of_a_tree_lead_to_its_leaves(seed):
    database = made_database(seed, with_times=seed % 2 == 1)
    keys, y = keys_and_labels(database, seed)
    features = RelationalFeatures(unpruned(database)).fit(keys, y)
    holds = features.transform(keys)
    assert holds.dtype == bool
    assert leaves_by_columns(features.estimator_, features, holds) == features.estimator_.apply(keys).tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_tests_come_in_the_order_of_their_scores(seed):
    database = made_database(seed)
    keys, y = keys_and_labels(database, seed)
    holds = RelationalFeatures(unpruned(database), n_tests=12).fit(keys, y).transform(keys)
    assert 1 < holds.shape[1] <= 12
    is_a = y == "a"
    tables = [[[sum(is_a[side]), sum(~is_a[side])] for side in (column, ~column)] for column in holds.T]
    gains = [float(score("gain", np.array(table, float))) for table in tables]
    assert gains == sorted(gains, reverse=True)
    assert min(gains) > 0
    assert gains[0] == pytest.approx(unpruned(database).fit(keys, y).tree_.annotations["gain"][0])
    assert len({column.tobytes() for column in holds.T}) == holds.shape[1]


@pytest.mark.parametrize("n_tests", [None, 8])
def test_sql_finds_the_examples_of_a_column(n_tests):
    import sqlalchemy as sa

    database = made_database(2)
    keys, y = keys_and_labels(database, 2)
    features = RelationalFeatures(unpruned(database), n_tests).fit(keys, y)
    engine = sa.create_engine("sqlite://")
    database.to_sql(engine)
    holds = features.transform(keys)
    with engine.connect() as connection:
        for place in range(holds.shape[1]):
            found = {row[0] for row in connection.execute(sa.text(features.to_sql(place)))}
            assert found == set(np.asarray(keys)[holds[:, place]].tolist())


def test_names_are_sentences_and_differ():
    database = made_database(1)
    keys, y = keys_and_labels(database, 1)
    features = RelationalFeatures(unpruned(database), 30).fit(keys, y).set_output(transform="pandas")
    frame = features.transform(keys)
    assert list(frame.columns) == list(features.get_feature_names_out())
    assert len(set(frame.columns)) == frame.shape[1]


def test_another_database_is_asked_the_same():
    database = made_database(0)
    keys, y = keys_and_labels(database, 0)
    features = RelationalFeatures(unpruned(database), 8).fit(keys, y)
    np.testing.assert_array_equal(features.transform(keys, database=made_database(0)), features.transform(keys))
    other = made_database(5)
    asked = features.transform(other.keys("patient"), database=other)
    assert not np.array_equal(asked, features.transform(keys))
    features.estimator.database = other
    np.testing.assert_array_equal(features.transform(other.keys("patient")), asked)
    with pytest.raises(TypeError, match="'database' must be a petree"):
        features.transform(keys, database={})


def test_a_pipeline_learns_from_the_columns():
    database = made_database(3)
    keys, y = keys_and_labels(database, 3)
    pipeline = make_pipeline(RelationalFeatures(unpruned(database), n_tests=5), LogisticRegression())
    assert np.isfinite(cross_val_score(clone(pipeline), np.asarray(keys), y, cv=2)).all()
    fitted = pipeline.fit(keys, y)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict_proba(keys), fitted.predict_proba(keys))


def test_what_cannot_be_is_refused_in_a_sentence():
    database = made_database(0)
    keys, y = keys_and_labels(database, 0)
    with pytest.raises(
        TypeError, match=r"'estimator' parameter of RelationalFeatures must be a Relational.* Got LogisticRegression"
    ):
        RelationalFeatures(LogisticRegression()).fit(keys, y)
    with pytest.raises(ValueError, match="'n_tests' parameter"):
        RelationalFeatures(unpruned(database), n_tests=0).fit(keys, y)
    with pytest.raises(ValueError, match="known_labels"):
        RelationalFeatures(unpruned(database, known_labels=True)).fit(keys, y)
    with pytest.raises(TypeError, match="Got 'x' instead"):
        RelationalFeatures(unpruned(database), n_tests=3).fit(keys, y).to_sql("x")
    with pytest.raises(ValueError, match="There is no column 3"):
        RelationalFeatures(unpruned(database), n_tests=3).fit(keys, y).to_sql(3)


def test_arguments_are_checked_as_those_of_estimators() -> None:
    database = made_database(0)
    keys, labels = keys_and_labels(database, 0)
    features = RelationalFeatures(unpruned(database), n_tests=3).fit(keys, labels)
    names = features.get_feature_names_out()
    with pytest.raises(ValueError, match="smoothing"):
        clone(features).set_params(estimator__smoothing="nonsense").fit(keys, labels)
    with pytest.raises(TypeError, match=r"column is a whole number.*Got True"):
        features.to_sql(True)
    with pytest.raises(ValueError, match="input_features should have length equal to 1"):
        features.get_feature_names_out(["key", "other"])
    with pytest.raises(ValueError, match="'n_tests' parameter"):
        features.set_params(n_tests=0).fit(keys, labels)
    assert features.get_feature_names_out(["key"]).tolist() == names.tolist()  # a failed fit leaves them


def test_a_failed_fit_keeps_the_tree_of_the_earlier_one() -> None:
    database = made_database(0)
    keys, labels = keys_and_labels(database, 0)
    features = RelationalFeatures(unpruned(database)).fit(keys, labels)
    tree = features.estimator_
    with pytest.raises(ValueError, match="no row"):
        features.fit(["nobody"] * len(keys) if isinstance(keys[0], str) else [10**6] * len(keys), labels)
    assert features.estimator_ is tree
