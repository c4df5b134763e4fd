"""``petree fit``: what it says, what it learns, what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.shell import Shell, pets

from petree import storage


def test_fit_says_what_it_did(shell: Shell) -> None:
    shell.write("pets.csv", pets())
    outcome = shell("fit", "pets.csv", "--target", "kind", "--out", "model.json")
    said = {line.split(maxsplit=1)[0]: line.split(maxsplit=1)[1] for line in outcome.out.splitlines()}
    assert outcome.code == 0
    assert outcome.err.splitlines() == [
        "petree: note: in column 'colour' 'NA' is read as missing.",
        "petree: note: column 'code' is nominal: most values are numbers, but not 'x'.",
    ]
    assert said["rows"] == "60"
    assert said["columns"] == "3 (1 of numbers, 2 of text)"
    assert said["classes"] == "cat (30), dog (30)"
    assert said["written"] == "model.json"
    fitted = storage.load("model.json")
    assert said["tree"] == f"{fitted.get_n_leaves()} leaves, depth {fitted.get_depth()}"
    assert [column.kind for column in fitted.columns_] == ["number", "nominal", "nominal"]


def test_options_reach_the_estimator(shell: Shell) -> None:
    shell.write("pets.csv", pets())
    words = "--pruning none --smoothing none --tests multiway --missing fractions --min-samples-leaf 5"
    words += " --max-depth 2 --n-jobs 1"
    assert shell("fit", "pets.csv", "--target", "kind", "--out", "m.json", *words.split()).code == 0
    parameters = storage.load("m.json").get_params(deep=False)
    expected = {"pruning": "none", "smoothing": "none", "tests": "multiway", "missing": "fractions"}
    numbers = {"min_samples_leaf": 5, "max_depth": 2, "n_jobs": 1}
    assert {name: parameters[name] for name in [*expected, *numbers]} == {**expected, **numbers}


def test_shares_of_the_rows_reach_the_estimator(shell: Shell) -> None:
    shell.write("pets.csv", pets())
    words = "--max-leaf-nodes 2 --min-samples-leaf 0.05"
    assert shell("fit", "pets.csv", "--target", "kind", "--out", "m.json", *words.split()).code == 0
    model = storage.load("m.json")
    assert (model.max_leaf_nodes, model.min_samples_leaf) == (2, 0.05)
    assert model.get_n_leaves() <= 2
    assert "share of the rows" in shell.refused(
        "fit", "pets.csv", "--target", "kind", "--out", "m.json", "--min-samples-leaf", "2.5"
    )


@pytest.mark.parametrize("words", [[], ["--option-tree"], ["--pruning", "none"]])
def test_a_single_leaf_says_why(shell: Shell, words: list[str]) -> None:
    shell.write("same.csv", "a,kind\n" + "1,x\n1,y\n" * 10)
    outcome = shell("fit", "same.csv", "--target", "kind", "--out", "model.json", *words)
    assert "tree      1 leaf, depth 0\nwhy       No test was found that divides the rows" in outcome.out
    assert "or parameters such as min_samples_leaf allow no test.\n" in outcome.out


def test_classes_in_other_letters_and_columns_of_no_use_are_told(shell: Shell) -> None:
    shell.write("loans.csv", "name,repaid\n" + "".join(f"n{i},{('yes', 'Yes', ' no ')[i % 3]}\n" for i in range(90)))
    outcome = shell("fit", "loans.csv", "--target", "repaid", "--out", "model.json")
    assert "column 'repaid' has classes that differ in capitals alone, and are kept apart: 'Yes', 'yes'" in outcome.err
    assert "columns   0, 1 left out\n" in outcome.out


def test_weight_two_is_the_row_twice(shell: Shell) -> None:
    lines = pets().splitlines()
    weights = ["w", *("2" if i % 3 == 0 else "1" for i in range(len(lines) - 1))]
    shell.write("weighted.csv", "\n".join(f"{line},{weight}" for line, weight in zip(lines, weights, strict=True)))
    twice = [line for line, weight in zip(lines, weights, strict=True) for _ in range(1 + (weight == "2"))]
    shell.write("twice.csv", "\n".join(twice))
    assert shell("fit", "weighted.csv", "--target", "kind", "--out", "w.json", "--sample-weight", "w").code == 0
    assert shell("fit", "twice.csv", "--target", "kind", "--out", "t.json").code == 0
    assert shell("predict", "w.json", "twice.csv").out == shell("predict", "t.json", "twice.csv").out


def test_column_all_missing_is_noted(shell: Shell) -> None:
    shell.write("a.csv", "x,empty,y\n" + "".join(f"{i},,{'ab'[i // 10]}\n" for i in range(20)))
    outcome = shell("fit", "a.csv", "--target", "y", "--out", "m.json")
    assert outcome.code == 0
    assert outcome.err.startswith("petree: note: ")
    assert "empty" in outcome.err


def test_many_classes_make_a_short_summary(shell: Shell) -> None:
    shell.write("a.csv", "x,y\n" + "".join(f"{i},c{i % 30}\n" for i in range(90)))
    outcome = shell("fit", "a.csv", "--target", "y", "--out", "m.json")
    assert "c9 (3) and 20 more\n" in outcome.out


@pytest.mark.parametrize(
    ("content", "words", "sentence"),
    [
        ("a,kind\n1,x\n2,y\n", ["--target", "knd"], "no column 'knd' (did you mean 'kind'?); its columns are a, kind."),
        ("a,kind\n1,x\n\n2,\n", ["--target", "kind"], "'kind' is missing in line 4 of data.csv"),
        ("a,kind\n1,0.5\n2,1\n", ["--target", "kind"], "must hold classes, but line 2 of data.csv has 0.5"),
        ("a,kind\n1,x\n2,x\n", ["--target", "kind"], "y has only one class, 'x'; at least two classes"),
        ("a,kind\n1,1\n2,inf\n", ["--target", "kind"], "infinite value (inf) in line 3 of data.csv"),
        ("kind\nx\ny\n", ["--target", "kind"], "The table has no columns"),
        ("a,kind\n1,x\n2,y,3\n", ["--target", "kind"], "Line 3 of data.csv is broken: expected 2 fields, found 3."),
        ("", ["--target", "kind"], "data.csv is empty"),
        ("a,kind\n", ["--target", "kind"], "data.csv has no rows"),
        (
            "a,kind,w\n1,x,1\n2,y,\n",
            ["--target", "kind", "--sample-weight", "w"],
            "sample_weight must be finite and not negative; row 1 has nan",
        ),
        (
            "a,kind,w\n1,x,1\n2,y,z\n",
            ["--target", "kind", "--sample-weight", "w"],
            "must be one number a row",
        ),
        ("a,kind,w\n1,x,1\n2,y,-1\n", ["--target", "kind", "--sample-weight", "w"], "weight"),
        ("a,kind\n1,x\n2,x\n", ["--target", "kind"], "class"),
        ("a,kind\n1,x\ninf,y\n", ["--target", "kind"], "nfinit"),
        ("a,kind\n1,x\n2,y\n", ["--target", "kind", "--max-depth", "deep"], "--max-depth"),
        ("a,kind\n1,x\n2,y\n", [], "--target"),
    ],
)
def test_fit_refuses(shell: Shell, content: str, words: list[str], sentence: str) -> None:
    shell.write("data.csv", content)
    shell.write("model.json", "old")
    assert sentence in shell.refused("fit", "data.csv", "--out", "model.json", *words)
    assert Path("model.json").read_text() == "old"


@pytest.mark.parametrize(
    ("option", "valid"),
    [("pruning", "none"), ("smoothing", "laplace"), ("tests", "multiway"), ("missing", "branch")],
)
def test_unknown_name_is_answered_with_the_valid_ones(shell: Shell, option: str, valid: str) -> None:
    shell.write("data.csv", pets())
    line = shell.refused("fit", "data.csv", "--target", "kind", "--out", "m.json", f"--{option}", "wrong")
    assert "wrong" in line
    assert valid in line
    assert not Path("m.json").exists()


def test_there_are_no_more_threads_than_cores_however_many_are_asked_for(shell: Shell) -> None:
    shell.write("pets.csv", pets())
    assert shell("fit", "pets.csv", "--target", "kind", "--out", "m.json", "--n-jobs", "1000000000").code == 0


@pytest.mark.parametrize("option", ["--n-jobs", "--min-samples-leaf", "--max-depth", "--max-leaf-nodes"])
@pytest.mark.parametrize("number", ["1000000000000", "1" * 40, "x"])
def test_numbers_beyond_all_measure_are_refused_by_name(shell: Shell, option: str, number: str) -> None:
    shell.write("pets.csv", pets())
    assert option in shell.refused("fit", "pets.csv", "--target", "kind", "--out", "m.json", option, number)


def test_what_was_guessed_is_said_where_the_target_is_not_found(shell: Shell) -> None:
    Path("rows.csv").write_text("5.1,3.5,a\n4.9,3.0,b\n6.0,2.9,a\n")
    outcome = shell("fit", "rows.csv", "--target", "kind", "--out", "m.json")
    note, error = outcome.err.splitlines()
    assert "is read as a row: the columns have no names, and are called x0 to x2" in note
    assert "no column 'kind'" in error
