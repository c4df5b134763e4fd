"""The results file of the quality benchmark."""

import pytest

from lab.experiments.results import Key
from lab.quality.contenders import choose
from lab.quality.data import load
from lab.quality.results import HEADS_OF_KEY, ResultsFile, settings_of
from lab.quality.scoring import MEASURES

MEASURED = dict.fromkeys(MEASURES, 0.5)


def test_results_come_back_and_the_last_of_a_key_counts(tmp_path):
    file = ResultsFile(tmp_path / "new" / "results.csv")
    keys = [Key("iris", "gain/none", "012345678901", 0, 1), Key("iris", "gain/none", "1e5", 0, 2)]
    file.add((key, MEASURED) for key in keys)
    file.add([(keys[0], MEASURED | {"bits": 0.25})])
    assert file.known() == set(keys)
    assert ResultsFile(file.path).read().set_index(list(HEADS_OF_KEY))["bits"].tolist() == [0.5, 0.25]


def test_a_line_cut_short_is_forgotten(tmp_path):
    file = ResultsFile(tmp_path / "results.csv")
    file.add([(Key("iris", "gain/none", "abc", 0, 1), MEASURED)])
    with file.path.open("a") as stream:
        stream.write("iris,gain/none,ab")
    file = ResultsFile(file.path)
    file.add([(Key("iris", "gain/none", "abc", 0, 2), MEASURED)])
    assert {key[-1] for key in file.known()} == {1, 2}


def test_a_file_of_another_form_is_refused(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(",".join(ResultsFile.heads[1:]) + "\n")
    with pytest.raises(ValueError, match="one of another version"):
        ResultsFile(path)


def test_settings_tell_contenders_and_tables_apart(folder):
    laplace, shrunk = choose("gain/laplace,gain/hierarchical")
    voting, other = load(folder, "voting"), load(folder, "other")
    assert len({settings_of(one, data) for one in (laplace, shrunk) for data in (voting, other)}) == 4
    assert settings_of(laplace, voting) == settings_of(*choose("gain/laplace"), load(folder, "voting"))
    [changed] = choose("gain/hierarchical")
    changed.learner.smoothing.shrinkage += 1
    assert settings_of(changed, voting) != settings_of(shrunk, voting)


def test_current_results_are_those_of_the_settings_of_today(tmp_path, folder):
    file, data, contenders = ResultsFile(tmp_path / "results.csv"), load(folder, "voting"), choose("gain/laplace")
    today = settings_of(contenders[0], data)
    file.add(
        (Key("voting", "gain/laplace", settings, seed, 0), MEASURED) for settings in (today, "old") for seed in (0, 1)
    )
    current = file.current([data], contenders, (1,))
    assert current[["settings", "seed"]].to_numpy().tolist() == [[today, 1]]
