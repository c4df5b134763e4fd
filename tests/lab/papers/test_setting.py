"""How much of a paper is run, and how its results are kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.lab.experiments.made import Fails, Shares, small_set

from lab.experiments.methods import Method
from lab.experiments.trials import cross_validated
from lab.papers.setting import PaperSetting

PLAIN = Method("plain", Shares(1.0))


@pytest.mark.parametrize(("usual", "quick"), [(10, 2), (20, 2), (2, 2), (1, 1)])
def test_quick_means_at_most_two_runs(tmp_path: Path, usual: int, quick: int) -> None:
    assert PaperSetting(tmp_path).runs(usual) == usual
    assert PaperSetting(tmp_path, quick=True).runs(usual) == quick


def test_a_summary_is_kept_under_its_name(tmp_path: Path) -> None:
    data_sets = [small_set("b"), small_set("a", seed=1)]
    setting = PaperSetting(tmp_path / "new", jobs=1)
    summary = setting.summary("tiny", cross_validated(data_sets, 2, 3), [PLAIN, Method("flat", Shares(0.0))])
    assert (summary.data_sets, summary.methods) == (("b", "a"), ("plain", "flat"))
    assert summary.folds("auc", "a", "flat").shape == (2, 3)
    kept = (tmp_path / "new" / "tiny.csv").read_bytes()
    assert kept.count(b"\n") == 1 + 2 * 2 * 3 * 2
    again = setting.summary("tiny", cross_validated(data_sets, 2, 3), [PLAIN])
    assert (tmp_path / "new" / "tiny.csv").read_bytes() == kept
    assert again.mean("brier", "b", "plain") == summary.mean("brier", "b", "plain")


def test_a_method_that_fails_stops_the_work_in_a_sentence(tmp_path: Path) -> None:
    """What the others found is kept."""
    methods = [PLAIN, Method("bad", Fails())]
    sentence = r"^The experiment tiny is incomplete: bad failed on pets: ArithmeticError: no luck with \d+ cats; mend"
    with pytest.raises(ValueError, match=sentence):
        PaperSetting(tmp_path, jobs=1).summary("tiny", cross_validated([small_set()], 1, 3), methods)
    assert (tmp_path / "tiny.csv").read_text().count("pets,plain,") == 3
