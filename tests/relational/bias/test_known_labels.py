"""Classes of other training examples as something to ask for."""

from __future__ import annotations

import numpy as np
import pytest
from tests.relational.molecules import make_model

from petree import RelationalTreeClassifier
from petree.relational import Database


def pairs(n_pairs: int, seed: int = 0) -> tuple[Database, np.ndarray]:
    """People who are married to someone of their own class, and nothing else is known of them."""
    random = np.random.default_rng(seed)
    classes = np.repeat(random.choice(["left", "right"], n_pairs), 2)
    one, other = np.arange(0, 2 * n_pairs, 2), np.arange(1, 2 * n_pairs, 2)
    marriage = {"person": np.concatenate((one, other)), "spouse": np.concatenate((other, one))}
    tables = {"person": {"id": np.arange(2 * n_pairs), "class": classes}, "marriage": marriage}
    return Database(tables, ["marriage.person -> person.id", "marriage.spouse -> person.id"]), classes


def model(database: Database, **parameters: object) -> RelationalTreeClassifier:
    return RelationalTreeClassifier(database, "person.class", pruning="none", smoothing="none", **parameters)


def test_without_being_asked_for_no_class_is_seen() -> None:
    database, _ = pairs(20)
    fitted = model(database).fit(database.keys("person"))
    assert fitted.tree_.n_nodes == 1
    assert "class" not in str(fitted.bias_)


def test_the_class_of_a_spouse_is_seen_and_ones_own_is_not() -> None:
    database, classes = pairs(30)
    keys = database.keys("person")
    alone = model(database, known_labels=True).fit(keys[::2], classes[::2])
    assert alone.tree_.n_nodes == 1, "all spouses are outside the training data"
    both = model(database, known_labels=True).fit(keys, classes)
    assert (both.predict(keys) == classes).all()
    assert all("known_class" in str(condition) for condition in both.tree_.conditions)


def test_only_training_keys_lend_their_classes() -> None:
    database, classes = pairs(40)
    keys, random = database.keys("person"), np.random.default_rng(1)
    train = np.sort(random.permutation(80)[:70])
    rest = np.setdiff1d(np.arange(80), train)
    fitted = model(database, known_labels=True).fit(keys[train], classes[train])
    has_known_spouse = np.isin(rest ^ 1, train)
    assert has_known_spouse.any()
    assert (fitted.predict(keys[rest][has_known_spouse]) == classes[rest][has_known_spouse]).all()
    # y is what was given to fit, not what the table says
    turned = np.where(classes == "left", "right", "left")
    other = model(database, known_labels=True).fit(keys[train], turned[train])
    assert (other.predict(keys[rest][has_known_spouse]) == turned[rest][has_known_spouse]).all()


def test_a_table_of_that_name_is_refused() -> None:
    database, classes = pairs(5)
    database.relations["known_class"] = database.relations["marriage"]
    with pytest.raises(ValueError, match="known_class"):
        model(database, known_labels=True).fit(database.keys("person"), classes)


def test_classes_of_later_examples_are_not_known() -> None:
    n = 40
    paper = {"id": list(range(n)), "day": list(range(n)), "class": ["odd" if one % 2 else "even" for one in range(n)]}
    cites = {"one": list(range(n)), "other": [(one + 2) % n for one in range(n)]}  # of the same class, all but 2 later
    links = ["cites.one -> paper.id", "cites.other -> paper.id"]
    for time, is_told in (({}, True), ({"paper": "day"}, False)):
        database = Database({"paper": paper, "cites": cites}, links, time=time)
        model = make_model(database, "paper.class", known_labels=True, max_links=2, max_depth=1).fit(range(n))
        assert (model.score(range(n), paper["class"]) == 1) is is_told
