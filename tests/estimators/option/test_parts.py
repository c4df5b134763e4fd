"""Option trees of data in parts: as of the same codes in a table, where they fit in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.partitions.made import UNEQUAL, code, make_frame, make_weights
from tests.partitions.tables import frame, write_folder
from tests.partitions.test_refusals import make_unread

from petree import OptionTreeClassifier, ProbabilityTreeClassifier
from petree.columns import Column
from petree.estimators.option import growing
from petree.partitions import use
from petree.sources.coding import BinnedColumn
from petree.sources.quality import centres_of_bins


@pytest.mark.parametrize("weights", ["none", "copies"])
def test_codes_are_learned_from_as_any_table(weights: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a table is given bins that lie where codes say, too, the trees are the same."""
    table, classes = make_frame(n_classes=2)
    of_rows = make_weights(weights)
    rows = np.arange(len(table)) if of_rows is None else np.flatnonzero(of_rows)
    of_rows = None if of_rows is None else of_rows[rows]
    data = code(table.iloc[rows], classes[rows], of_rows, UNEQUAL)
    parameters: dict[str, Any] = {"n_searches": 5, "max_features": None, "random_state": 1}
    model = OptionTreeClassifier(**parameters).fit(data)
    quality_of = growing.Quality.of
    monkeypatch.setattr(growing.Quality, "of", lambda coded, _, *rest: quality_of(coded, (), *rest))
    expected = OptionTreeClassifier(**parameters).fit(table.iloc[rows], classes[rows], sample_weight=of_rows)
    assert model.tree_.n_nodes > 50
    np.testing.assert_array_equal(model.tree_.counts, expected.tree_.counts)
    np.testing.assert_allclose(model.predict_proba(table), expected.predict_proba(table))
    assert model.feature_names_in_.tolist() == list(table)
    assert model.summary(4).get_n_leaves() <= 4


def test_where_bins_lie_whose_values_nobody_knows() -> None:
    def centres(*cuts: float) -> list[float]:
        return centres_of_bins(BinnedColumn(Column("x"), np.array(cuts), len(cuts) + 1, False, False)).tolist()

    assert centres(2.0, 4.0, 10.0) == [1.0, 3.0, 7.0, 13.0, 0.0]
    assert centres(4.0) == [2.0, 6.0, 0.0]
    assert centres() == [0.0, 0.0]
    assert np.isfinite(centres(-1.7e308, 0.0, 1.7e308)).all()


def test_a_folder_by_the_name_of_its_target(tmp_path: Path) -> None:
    table = frame(300)[["few", "gaps", "text", "y"]]
    folder = write_folder(tmp_path / "data", table, [100])
    model = OptionTreeClassifier(n_searches=2).fit(folder, "y")
    assert model.tree_.sizes[0] == 300
    assert model.classes_.tolist() == ["no", "yes"]
    answers = np.concatenate(list(model.predict_batches(folder)))
    np.testing.assert_array_equal(answers, model.predict_proba(table.drop(columns="y")))


def test_more_rows_than_memory_holds_are_refused_before_any_are_read() -> None:
    data = make_unread()
    sentence = (
        r"An option tree learns from rows in memory, where these 400 take 36KB, and 20KB are allowed; allow more by"
    )
    with use(memory=20_000), pytest.raises(ValueError, match=sentence):
        OptionTreeClassifier().fit(data)


@pytest.mark.parametrize("kind", [OptionTreeClassifier, ProbabilityTreeClassifier])
def test_a_path_alone_is_no_table(kind: Any) -> None:
    with pytest.raises(ValueError, match=r"X is the path 'loans'; name the column .* such as fit\(X, 'target'\)"):
        kind().fit("loans")
    with pytest.raises(
        ValueError, match=r"X is the path 'loans' and no table; .* such as fit\(X, 'target'\), or read it"
    ):
        kind().fit(Path("loans"), [0, 1])
    model = kind().fit([[0.0], [1.0]], [0, 1])
    for answer in (model.predict, model.predict_proba, model.explain):
        with pytest.raises(ValueError, match=r"X is the path 'loans' and no table; predict_batches\(X\) answers"):
            answer("loans")
