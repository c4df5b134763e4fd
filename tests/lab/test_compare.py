"""``python -m lab.compare``: what it writes and says, how it goes on, what it refuses."""

from __future__ import annotations

import csv
import gzip
import os
from pathlib import Path

import pytest
from tests.cli.shell import pets
from tests.cli.test_progress import lines_of
from tests.cli.test_terminals import NASTY, assert_harmless, nasty_table
from tests.lab.shell import Outcome, Shell

from lab.experiments.results import HEADS
from petree.locking import locked_folder

MEASURES = ("auc-one-vs-rest", "log-likelihood-bits-a-case", "brier-score", "accuracy", "calibration-error", "leaves")
TABLES = [f"comparison-{measure}.csv" for measure in (*MEASURES, "seconds-of-a-fit")]
PICTURES = ["ranks-auc.png", "ranks-brier.png", "ranks-log-likelihood.png", "reliability.png"]


def compare(shell: Shell, *words: str | Path) -> Outcome:
    """The command on two small tables, with what makes it quick."""
    shell.write("pets.csv", pets(40))
    shell.write("more.csv", pets(56))
    usual = ["pets.csv", "more.csv", "--target", "kind", "--out", "out", "--runs", "2", "--folds", "2", "--jobs", "1"]
    return shell("compare", *usual, *words)


def results(folder: str = "out") -> list[dict[str, str]]:
    with (Path(folder) / "results.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_from_end_to_end(shell: Shell) -> None:
    outcome = compare(shell, "--methods", "none,mdl,sklearn")
    assert outcome.code == 0
    assert all(line.startswith("note: ") for line in outcome.err.splitlines())
    assert sorted(path.name for path in Path("out").iterdir()) == sorted(
        ["comparison.html", "comparison.md", "results.csv", *TABLES, *PICTURES]
    )
    assert outcome.out.splitlines()[-1] == "written   13 files to out, comparison.html first"
    rows = list(csv.reader(Path("out/comparison-auc-one-vs-rest.csv").read_text().splitlines()))
    assert rows[0] == ["data set", "none", "mdl", "sklearn"]
    assert [row[0] for row in rows[1:4]] == ["pets", "more", "average"]
    for row in rows[1:3]:
        assert [cell.split()[0] for cell in row[1:]] == [mean_auc(row[0], method) for method in rows[0][1:]]
    markdown = Path("out/comparison.md").read_text()
    assert (
        "`python -m lab.compare pets.csv more.csv --target kind --methods none,mdl,sklearn --runs 2 --folds 2"
        in markdown
    )
    assert "Fewer than ten folds in all" in markdown
    for text in ("In words", "Log likelihood, bits a case", "average rank", "reliability.png"):
        assert text in outcome.out
        assert text in markdown


def mean_auc(data_set: str, method: str) -> str:
    """As a cell shows it, from the file of results."""
    found = [float(line["auc"]) for line in results() if (line["data_set"], line["method"]) == (data_set, method)]
    assert len(found) == 4
    return f"{sum(found) / 4:.3f}"


def test_results_are_one_line_a_fit(shell: Shell) -> None:
    compare(shell, "--methods", "none,mdl")
    lines = results()
    assert list(lines[0]) == list(HEADS)
    assert [(line["data_set"], line["run"], line["fold"], line["method"]) for line in lines] == [
        (name, str(run), str(fold), method)
        for name in ("pets", "more")
        for run in range(2)
        for fold in range(2)
        for method in ("none", "mdl")
    ]


def test_done_work_is_not_done_again(shell: Shell) -> None:
    first = compare(shell, "--methods", "none,mdl")
    before = Path("out/results.csv").read_bytes()
    second = compare(shell, "--methods", "none,mdl")
    assert Path("out/results.csv").read_bytes() == before
    assert second == first
    assert compare(shell, "--methods", "none,mdl,sklearn", "--runs", "3").code == 0
    after = Path("out/results.csv").read_bytes()
    assert after.startswith(before)
    assert after.count(b"\n") == 1 + 2 * 3 * 2 * 3


def test_a_cut_file_is_completed(shell: Shell) -> None:
    compare(shell, "--methods", "none,mdl")
    whole = results()
    content = Path("out/results.csv").read_bytes()
    Path("out/results.csv").write_bytes(content[: len(content) // 2])
    assert compare(shell, "--methods", "none,mdl").code == 0
    assert [line | {"seconds": ""} for line in results()] == [line | {"seconds": ""} for line in whole]


def test_a_learning_curve(shell: Shell) -> None:
    shell.write("large.csv", pets(90))
    words = ["--target", "kind", "--out", "out", "--runs", "1", "--folds", "2", "--jobs", "1", "--methods", "none,mdl"]
    outcome = shell("compare", "large.csv", *words, "--learning-curve")
    assert outcome.code == 0
    assert Path("out/learning-curve-1-large.png").exists()
    rows = Path("out/comparison-learning-curve-of-large-log-likelihood-bits-a-case.csv").read_text().splitlines()
    assert [row.partition(",")[0].strip('"') for row in rows[:4]] == ["data set", "large", "large", "average"]


def test_without_matplotlib(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.command_line.find_spec", lambda name: None)
    outcome = compare(shell, "--methods", "none,mdl")
    assert outcome.code == 0
    assert outcome.err.startswith(
        "note: pages contain no pictures because matplotlib is not installed; pip install 'petree[plot]'"
    )
    assert not list(Path("out").glob("*.png"))


def test_a_method_that_fails_is_told(shell: Shell) -> None:
    outcome = compare(shell, "--methods", "none,bad=sklearn.tree.DecisionTreeClassifier(max_depth=-1)")
    assert outcome.code == 0
    assert "- bad failed on pets: InvalidParameterError: The 'max_depth' parameter" in outcome.out
    assert Path("out/comparison-auc-one-vs-rest.csv").read_text().splitlines()[0] == "data set,none"
    assert "Traceback" not in outcome.out + outcome.err


def test_names_of_tables(shell: Shell) -> None:
    """A name is that of the file without its ending; numbers may be classes."""
    Path("v1.2.csv.gz").write_bytes(gzip.compress(pets(40).encode()))
    shell.write("v1.3.csv", pets(40).replace("cat", "0").replace("dog", "1"))
    words = ["--target", "kind", "--out", "new/out", "--runs", "1", "--folds", "2", "--jobs", "1", "--methods", "none"]
    assert shell("compare", "v1.2.csv.gz", "v1.3.csv", *words).code == 0
    assert {line["data_set"] for line in results("new/out")} == {"v1.2", "v1.3"}


# -- refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--target", "knd"], "no column 'knd' (did you mean 'kind'?); its columns are weight, colour, code, kind."),
        (["--methods", "nnoe"], "Unknown method 'nnoe'; valid names are "),
        (["--methods", ""], "No method is named; name at least one, such as rand."),
        (["--methods", "none,none"], "The method 'none' is named twice"),
        (["--methods", "sklearn.tree.Oak"], "The method 'sklearn.tree.Oak' cannot be imported"),
        (["--methods", "sklearn.tree.DecisionTreeClassifier(3"], "cannot be read; write parameters as name=value"),
        (["--out", "pets.csv"], "pets.csv is not a folder; name another one for the results."),
        (["--out", "pets.csv/out"], "pets.csv/out: Not a directory"),
        (["--folds", "41"], "pets has 40 rows, too few for 41 folds; take fewer with --folds."),
        (["--folds", "1"], "--folds"),
        (["--runs", "0"], "--runs"),
        (["--seed", "-1"], "--seed"),
        (["--jobs", "0"], "jobs"),
        (["--runs", "many"], "--runs"),
    ],
)
def test_bad_words_are_refused(shell: Shell, words: list[str], sentence: str) -> None:
    shell.write("pets.csv", pets(40))
    usual = ["--target", "kind", "--out", "out", "--methods", "none"]
    assert sentence in shell.refused("compare", "pets.csv", *usual, *words)


ARFF = "@relation pets\n@attribute kind {a, b}\n@attribute size numeric\n@data\na,1\nb,2\n"


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        (
            "one.csv",
            "a,kind\n1,x\n2,x\n",
            "The target 'kind' of one.csv has only one class, 'x'; at least two are needed to learn.",
        ),
        ("few.csv", "a,kind\n1,x\n2,y\n", "few has 2 rows, too few for 5 folds; take fewer with --folds."),
        ("gap.csv", "a,kind\n1,x\n2,\n", "The target 'kind' is missing in line 3 of gap.csv"),
        ("none.csv", "a,b\n1,x\n2,y\n", "no column 'kind'"),
        ("pets.arff", ARFF, "Two tables are called 'pets'; rename one of the files."),
        ("table.xls", "", "table.xls is of no known format"),
        ("bare.csv", "kind\nx\ny\n", "has no column to learn from"),
    ],
)
def test_bad_tables_are_refused(shell: Shell, name: str, content: str, sentence: str) -> None:
    shell.write("pets.csv", pets(40))
    shell.write(name, content)
    usual = ["--target", "kind", "--out", "out", "--methods", "none"]
    assert sentence in shell.refused("compare", "pets.csv", name, *usual)
    assert not Path("out").exists()


def test_the_same_table_twice(shell: Shell) -> None:
    shell.write("pets.csv", pets(40))
    line = shell.refused("compare", "pets.csv", "pets.csv", "--target", "kind", "--out", "out")
    assert "Two tables are called 'pets'; rename one of the files." in line


def test_a_table_that_is_not_there(shell: Shell) -> None:
    assert "no.csv" in shell.refused("compare", "no.csv", "--target", "kind", "--out", "out")


def test_a_folder_with_results_of_something_else(shell: Shell) -> None:
    shell.write("pets.csv", pets(40))
    Path("out").mkdir()
    shell.write("out/results.csv", "my own\n")
    line = shell.refused("compare", "pets.csv", "--target", "kind", "--out", "out", "--methods", "none")
    assert "results.csv is no file of results, or one of another version; remove it or name another." in line
    assert Path("out/results.csv").read_text() == "my own\n"


@pytest.mark.parametrize("missing", ["--target", "--out"])
def test_what_must_be_said(shell: Shell, missing: str) -> None:
    shell.write("pets.csv", pets(40))
    said = {"--target": "kind", "--out": "out"}
    words = [word for name, value in said.items() if name != missing for word in (name, value)]
    assert missing in shell.refused("compare", "pets.csv", *words)


def test_tables_must_be_named(shell: Shell) -> None:
    assert "argument 'data" in shell.refused("compare", "--target", "kind", "--out", "out").lower()


def test_a_folder_that_another_process_works_in(shell: Shell) -> None:
    shell.write("pets.csv", pets(40))
    with locked_folder(Path("out")):
        line = shell.refused("compare", "pets.csv", "--target", "kind", "--out", "out", "--methods", "none")
    assert line.startswith(f"error: out is in use by process {os.getpid()} on ")
    assert list(Path("out").iterdir()) == []


def test_control_characters_in_names_are_escaped(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    table = nasty_table(shell)
    monkeypatch.setenv("COLUMNS", "400")
    usual = ["compare", table.name, "--target", f"kind{NASTY}", "--out", "out", "--runs", "2", "--folds", "2"]
    methods = f"none,{NASTY}=mdl,{NASTY}no=tests.lab.experiments.made.Fails"
    outcome = shell(*usual, "--jobs", "1", "--methods", methods)
    assert_harmless(outcome)
    assert r"pets\x1b[2J" in outcome.out
    for name in ("comparison.md", "comparison.html"):
        assert all(line.isprintable() for line in Path("out", name).read_text().split("\n"))
    with Path("out/results.csv").open(newline="", encoding="utf-8") as file:
        assert {line["method"] for line in csv.DictReader(file)} == {"none", NASTY}


def test_progress_is_reported_for_each_fold_and_method(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.write("pets.csv", pets(40))
    words = ["compare", "pets.csv", "--target", "kind", "--out", "out", "--methods", "none,mdl"]
    lines = lines_of(shell, monkeypatch, *words, "--runs", "1", "--folds", "3", "--jobs", "1")
    assert lines[0] == "petree: Comparing: folds x methods 0 of 6"
    assert any(line.startswith("petree: Comparing: folds x methods 6 of 6") for line in lines)
    assert lines[-1] == "petree: Comparing: folds x methods of the reliability 6 of 6"
