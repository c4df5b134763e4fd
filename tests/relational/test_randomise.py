"""Randomisation tests that move attributes and keep links and classes."""

from __future__ import annotations

import numpy as np

from petree import RelationalTreeClassifier
from petree.pruning import Rand
from petree.relational import Database
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Atom, Variable
from petree.relational.randomise import reached_rows, shuffle


def things(n_things: int, n_parts: int, depends: bool, seed: int = 0) -> Database:
    """Things with parts of a colour and a size; the class depends on a red part, or on nothing."""
    random = np.random.default_rng(seed)
    owner = np.repeat(np.arange(n_things), n_parts)
    colour = random.choice(["red", "blue", "green", "white"], len(owner), p=[0.2, 0.3, 0.3, 0.2])
    has_red = np.isin(np.arange(n_things), owner[colour == "red"])
    is_yes = has_red if depends else random.random(n_things) < 0.5
    parts = {"thing": owner, "colour": colour, "size": random.normal(size=len(owner))}
    things = {"id": np.arange(n_things), "class": np.where(is_yes, "yes", "no")}
    return Database({"thing": things, "part": parts}, ["part.thing -> thing.id"])


def fit(database: Database, **parameters: object) -> RelationalTreeClassifier:
    pruning = Rand(randomise="attributes", **parameters)
    model = RelationalTreeClassifier(
        database, "thing.class", pruning=pruning, smoothing="laplace", aggregates=(), random_state=0
    )
    return model.fit(database.keys("thing"))


def test_what_depends_stays_and_what_does_not_goes() -> None:
    for when in ("pre", "post"):
        tree = fit(things(120, 3, depends=True), when=when).tree_
        assert str(tree.conditions[0]).startswith("part(A, red,")
        assert tree.n_leaves == 2
    sizes = [fit(things(80, 3, depends=False, seed=seed), when="pre").tree_.n_nodes for seed in range(20)]
    assert sum(size > 1 for size in sizes) <= 5  # 1 of 20 is expected, more than 5 has a chance below 0.001


def test_the_same_random_state_gives_the_same_tree() -> None:
    database = things(60, 2, depends=False, seed=3)
    one, other = (fit(database, when="post", alpha=0.4) for _ in range(2))
    assert np.array_equal(one.tree_.counts, other.tree_.counts)


def test_attributes_move_together_among_reached_rows_and_keys_stay() -> None:
    database = things(30, 2, depends=False)
    scope = Scope.of_target(database, "thing")
    examples = np.arange(0, 20, dtype=np.int32)
    answers = Answers.of_examples(scope, examples, 1000)
    part = database.relation("part")
    atom = Atom("part", tuple(Variable(name) for name in ("A", "C", "S", "R")))
    reached = reached_rows([answers, answers.join(atom)])
    assert reached["part"].tolist() == list(range(40))
    moved = shuffle(answers, reached, np.random.default_rng(0)).scope.database.relation("part")
    thing, colour, size, row = part.columns
    assert np.array_equal(moved.columns[0].codes, thing.codes)
    assert np.array_equal(moved.columns[3].codes, row.codes)
    assert np.array_equal(moved.columns[1].codes[40:], colour.codes[40:]), "rows that were not reached stay"
    before = sorted(zip(colour.codes[:40].tolist(), size.codes[:40].tolist(), strict=True))
    after = list(zip(moved.columns[1].codes[:40].tolist(), moved.columns[2].codes[:40].tolist(), strict=True))
    assert sorted(after) == before
    assert after != list(zip(colour.codes[:40].tolist(), size.codes[:40].tolist(), strict=True))
