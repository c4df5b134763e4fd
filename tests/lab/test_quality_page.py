"""The run and the page of the quality benchmark."""

import pytest

from lab.quality import peers
from lab.quality import results as quality_results
from lab.quality import run as quality
from lab.quality import work as quality_work

CHOSEN = "gain/none,gain/laplace,gain/m_branch,scikit-learn/default,scikit-learn/laplace"


def run(folder, *arguments):
    """The lines of the page that a run makes."""
    page = folder / "page.md"
    quality.main(["--jobs", "1", "--results", str(folder / "results.csv"), "--page", str(page), *arguments])
    return page.read_text().splitlines()


def test_the_page_has_the_tables_and_says_what_they_show(folder):
    lines = run(folder, "--all", "--contenders", CHOSEN)
    assert "2 data sets; 2 x 5-fold stratified cross-validation with the seeds 0, 1;" in "\n".join(lines)
    heads = [line for line in lines if line.startswith("###")]
    assert "### All 2 sets: peers and petree" in heads
    assert "### CW488, 1 of its sets: AUC of petree" in heads
    assert any(line.startswith("- The best combination of petree in bits is gain/") for line in lines)
    assert any("none < laplace < m_branch in mean AUC holds for" in line for line in lines)
    methods = [line.split(" | ") for line in lines if line.startswith(("| petree", "| scikit-learn"))][:5]
    assert [float(cells[3]) for cells in methods] == sorted(float(cells[3]) for cells in methods)
    assert sum(float(cells[1]) for cells in methods) == 15, "ranks of five are 1 to 5"


def test_what_is_known_is_not_computed_again(folder, monkeypatch):
    run(folder, "--contenders", "gain/none")
    asked = []

    def work(job, compute=quality_work.work):
        asked.append([one.name for one in job.methods])
        return compute(job)

    monkeypatch.setattr(quality_work, "work", work)
    run(folder, "--contenders", "gain/none")
    assert asked == []
    run(folder, "--contenders", "gain/none,gain/laplace")
    assert asked == [["gain/laplace"]] * 10
    monkeypatch.setattr(quality_results, "state_of_sources", lambda: "changed")
    run(folder, "--contenders", "gain/none,gain/laplace,scikit-learn/default")
    assert asked[10:] == [["scikit-learn/default"]] * 10
    monkeypatch.setattr(quality_results, "state_of_sources", lambda: "changed again")
    run(folder, "--contenders", "gain/none,scikit-learn/default", "--fresh", "--quick")
    assert asked[20:] == [["gain/none"]] * 5


def test_a_slow_peer_has_the_first_folds_alone(folder, monkeypatch):
    monkeypatch.setattr(peers.DefaultTree, "slow", True)
    chosen = f"default/*,option/default,scikit-learn/default,{CHOSEN.removesuffix(',scikit-learn/laplace')}"
    lines = run(folder, "--all", "--contenders", chosen)
    results = (folder / "results.csv").read_text().splitlines()
    assert sum(",scikit-learn/default," in line for line in results) == 2
    assert any("tree, default takes so long that it has the first fold of each set alone." in line for line in lines)
    told = lines[lines.index("### First fold of the first repetition, 2 sets") + 2 :][:2]
    assert [line.partition(":")[0] for line in told] == [
        f"- {own} against scikit-learn tree, default" for own in ("option/default", "default/default-auto")
    ]
    assert sum(line.startswith("| scikit-learn tree, default") for line in lines) == 1
    assert not any("not all folds have results" in line for line in lines)


def test_what_fails_is_left_out_and_named(folder, monkeypatch):
    contenders = quality.choose("gain/none,gain/hierarchical-auto")
    contenders[1].learner.tests = "ternary"
    monkeypatch.setattr(quality, "choose", lambda patterns: contenders)
    lines = run(folder)
    assert "- petree gain/hierarchical-auto: not all folds have results." in lines
    assert any("The 'tests' parameter" in line and line.endswith("(first on voting)") for line in lines)


def test_a_mistake_in_the_command_is_answered_in_a_sentence(folder):
    with pytest.raises(SystemExit, match="No contender is called 'gian/none'"):
        run(folder, "--contenders", "gian/none")
