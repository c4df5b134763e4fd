"""The loader and the folds of the quality benchmark."""

import numpy as np
import pandas as pd
import pytest

from lab.quality import data as quality_data
from lab.quality.data import find_folder, list_sets, load, one_hot, shuffled_folds


def test_tables_are_found_and_read_by_their_kinds(folder):
    assert find_folder() == folder
    assert list_sets(folder) == ["other", "voting"]
    data = load(folder, "voting")
    assert data.columns.dtypes.map(str).to_dict() == {"size": "float64", "colour": "category"}
    assert list(data.columns["colour"].cat.categories) == ["NA", "red"], "NA is a value, not a missing one"
    assert data.y.tolist() == [0] * 20 + [1] * 20
    assert (data.n_classes, load(folder, "other").n_classes) == (2, 3)
    assert load(folder, "other").columns["size"].isna().sum() == 8


def test_a_folder_or_a_set_that_is_not_there_is_named(folder, monkeypatch):
    with pytest.raises(ValueError, match=r"no data set 'iris' in types\.json"):
        load(folder, "iris")
    monkeypatch.setenv("PETREE_DATA", str(folder))
    with pytest.raises(FileNotFoundError, match="PETREE_DATA must name a folder"):
        find_folder()
    monkeypatch.delenv("PETREE_DATA")
    with pytest.raises(FileNotFoundError, match="Got None"):
        find_folder()


def test_a_large_table_is_cut_to_the_same_sample_each_time(folder, monkeypatch):
    whole = load(folder, "voting")
    monkeypatch.setattr(quality_data, "MOST_ROWS", 25)
    cut, again = load(folder, "voting"), load(folder, "voting")
    assert len(cut.y) == len(cut.columns) == 25
    pd.testing.assert_frame_equal(cut.columns, again.columns)
    assert cut.digest == again.digest != whole.digest


def test_folds_are_stratified_disjoint_and_repeatable(folder):
    data = load(folder, "voting")
    folds = [trial.part for trial in shuffled_folds(data, (0, 1))]
    assert [(fold.run, fold.fold) for fold in folds] == [(seed, number) for seed in (0, 1) for number in range(5)]
    for fold in folds:
        assert sorted([*fold.learn, *fold.test]) == list(range(40))
        assert np.bincount(data.y[fold.test]).tolist() == [4, 4]
        assert len(set(data.y[fold.learn][:16])) == 2, "rows to learn from are not sorted by class"
    for seed in (0, 1):
        tested = np.concatenate([fold.test for fold in folds if fold.run == seed])
        assert sorted(tested) == list(range(40))
    again = [trial.part for trial in shuffled_folds(data, (0, 1))]
    assert all(np.array_equal(one.learn, other.learn) for one, other in zip(folds, again, strict=True))
    assert not np.array_equal(np.sort(folds[0].test), np.sort(folds[5].test))


def test_peers_get_one_hot_columns_and_the_medians_of_the_training_part():
    learn = pd.DataFrame({"a": pd.Categorical(["x", "y", None]), "n": [1.0, 3.0, np.nan]})
    test = pd.DataFrame({"a": pd.Categorical(["y", "z", None]), "n": [np.nan, 7.0, 8.0]})
    first, second = one_hot(learn, test)
    assert first.tolist() == [[1, 0, 0, 1], [0, 1, 0, 3], [0, 0, 1, 2]]
    assert second.tolist() == [[0, 1, 0, 2], [0, 0, 0, 7], [0, 0, 1, 8]]
