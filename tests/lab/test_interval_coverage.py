"""The benchmark of intervals: its tables, and what it counts as covered."""

import numpy as np
import pytest

from lab.intervals import run as interval_coverage
from lab.intervals.data import KINDS, OTHERS, make, take
from lab.intervals.measuring import LEVELS, WAYS, Covered, leaves_of, measure
from petree import ProbabilityTreeClassifier


@pytest.mark.parametrize("name", KINDS)
def test_classes_are_drawn_with_the_known_probabilities(name):
    task = make(name, 2000, 0)
    assert len(task.X) == len(task.y) == 2000
    assert task.truth.shape == (OTHERS, task.truth.shape[1])
    np.testing.assert_allclose(task.truth.sum(axis=1), 1)
    rates = np.bincount(task.y, minlength=task.truth.shape[1]) / 2000
    np.testing.assert_allclose(rates, task.truth.mean(axis=0), atol=0.05)


def test_rows_of_a_real_table_are_learned_from_or_told(folder):
    task = take("voting", 8, 0)
    assert (len(task.X), len(task.others), task.truth.shape) == (8, 32, (32, 2))
    other = take("voting", 4, 1)
    sizes = [sorted([*one.X["size"], *one.others["size"]]) for one in (task, other)]
    assert sizes[0] == sizes[1]
    assert take("voting", 9, 0) is None


def test_leaves_have_the_mean_of_what_is_true_of_their_rows():
    task = make("categories", 300, 0)
    model = ProbabilityTreeClassifier().fit(task.X, task.y)
    leaves, found = model.apply(task.others), leaves_of(model, task)
    answers = model.predict_proba(task.others)
    assert 1 < len(found.nodes) <= model.get_n_leaves()
    for node, n_rows, truth in zip(found.nodes, found.n_rows, found.truth, strict=True):
        is_in = (leaves == node) & np.isclose(answers, model.node_probabilities_[node]).all(axis=1)
        assert n_rows == is_in.sum() >= 200
        np.testing.assert_allclose(truth, task.truth[is_in].mean(axis=0))


def test_wider_intervals_cover_more():
    sums = dict.fromkeys([(key, way, level) for key in ("linear", "1000", "all") for way in WAYS for level in LEVELS])
    found = {(way, level): covered for way, level, covered in measure(make("linear", 300, 0))}
    for way in WAYS:
        shares = [found[way, level].shares[0] for level in LEVELS]
        assert shares == sorted(shares)
        assert found[way, 0.5].width < found[way, 0.99].width
    sums = {key: found[key[1:]] for key in sums}
    table = interval_coverage.coverage_table("Made tables", sums)
    assert [row[0] for row in table.rows] == ["linear", "all"]
    shown = (
        interval_coverage.levels_table({"Made tables": sums}).to_markdown()
        + interval_coverage.sizes_table({"Made tables": sums}).title
    )
    assert "measured" in shown
    assert "# Intervals" in interval_coverage.page("python -m lab.intervals.run", [table])


def test_sums():
    total = Covered(2, 1, 400, 100, 0.5, 1.0, 1) + Covered(2, 2, 600, 600, 0.1, 0.5, 1)
    assert total == Covered(4, 3, 1000, 700, 0.6, 1.5, 2)
    assert total.shares == (0.75, 0.7)
