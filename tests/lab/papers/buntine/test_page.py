"""A page of the reproduction of Buntine, of small data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.lab.papers.cells import cells_of

from lab.experiments.measuring import measure
from lab.experiments.report.tables import Table
from lab.papers.buntine import claims, priors, protocol, samples, tables
from lab.papers.buntine import page as buntine
from lab.papers.buntine.protocol import PROBLEMS, methods, trials
from lab.papers.buntine.timing import seconds_of
from lab.papers.data.generators import waveform40
from lab.papers.printed import conclusions
from lab.papers.setting import PaperSetting

# -- data and systems --------------------------------------------------------------------------------------


def test_led_is_drawn_anew_for_every_trial(tmp_path: Path) -> None:
    small, large = (trials(problem, PaperSetting(tmp_path, quick=True)) for problem in PROBLEMS[:2])
    sizes = [(len(trial.part.learn), len(trial.part.test)) for trial in (*small, *large)]
    assert sizes == [(100, 2900), (100, 2900), (900, 2100), (900, 2100)]
    assert [trial.part.run for trial in small] == [0, 1]
    assert small[0].data.digest != small[1].data.digest
    other_seed = trials(PROBLEMS[0], PaperSetting(tmp_path, quick=True, seed=1))
    assert other_seed[0].data.digest not in {trial.data.digest for trial in trials(PROBLEMS[0], PaperSetting(tmp_path))}


# -- the page ----------------------------------------------------------------------------------------------


def test_seconds_are_those_of_learning_and_of_answering(tmp_path: Path) -> None:
    [method] = [method for method in methods(PROBLEMS[0]) if method.name == "Bayes trees"]
    found = seconds_of(method, trials(PROBLEMS[0], PaperSetting(tmp_path, quick=True))[0])
    assert found.learn > 0
    assert found.test > 0


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two problems with few cases, and one strength of the prior."""
    led, glass = PROBLEMS[0], PROBLEMS[2]
    chosen = (replace(led, n_cases=150), replace(glass, n_cases=130, n_classes=3))
    for module in (protocol, tables, claims, priors, samples, buntine):
        monkeypatch.setattr(module, "PROBLEMS", chosen)
    waves = waveform40(130, 1)
    few = replace(waves, columns={name: waves.columns[name] for name in ("x5", "x11", "x17")})
    monkeypatch.setattr(protocol, "load", lambda name: few)
    monkeypatch.setattr(priors, "ALPHAS", ("1",))


@pytest.mark.usefixtures("small")
def test_the_page_shows_what_the_trials_give_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    setting = PaperSetting(tmp_path, quick=True, jobs=1, pictures=False)
    page = buntine.page(setting, "python -m lab.reproduce buntine --quick")
    text = page.to_markdown()
    assert "2 random training and test samples" in text
    assert "pole is left out" in text
    for conclusion in conclusions("buntine"):
        assert conclusion.statement in text
    [table] = [block for block in page.blocks if isinstance(block, Table) and block.title.startswith("Table 1")]
    problem = protocol.PROBLEMS[0]
    method = methods(problem)[-1]
    expected = 100 - 100 * np.mean([measure(method, trial, 0)["accuracy"] for trial in trials(problem, setting)])
    assert cells_of(table)["LED 100: 2-ply option trees"][0].startswith(f"{expected:.1f} (")
    kept = {file: file.read_bytes() for file in tmp_path.glob("*.csv")}
    assert len(kept) == 4
    page.write(tmp_path, "buntine")  # must not write tables over results
    buntine.page(setting, "python -m lab.reproduce buntine --quick")
    assert {file: file.read_bytes() for file in kept} == kept
