"""``petree predict``: probabilities to the last digit, measured beside the true classes."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from tests.cli.shell import Shell, pets
from tests.plain import plain_classifier

from petree import storage
from petree.files import read_table


def test_predictions_are_those_of_the_model_to_the_last_digit(shell: Shell, model: Path) -> None:
    outcome = shell("predict", model, "pets.csv")
    assert outcome.code == 0
    rows = shell.rows(outcome.out)
    assert list(rows[0]) == ["predicted", "P(cat)", "P(dog)"]
    fitted, table = storage.load(model), read_table("pets.csv")
    features = table.select(["weight", "colour", "code"])
    expected = fitted.predict_proba(features)
    np.testing.assert_array_equal([[float(row["P(cat)"]), float(row["P(dog)"])] for row in rows], expected)
    assert [row["predicted"] for row in rows] == fitted.predict(features).tolist()
    assert "ignoring columns that the model does not know: kind." in outcome.err


def test_measures_of_predictions(shell: Shell, model: Path) -> None:
    outcome = shell("predict", model, "pets.csv", "--target", "kind", "--out", "predictions.csv")
    assert (outcome.code, outcome.out) == (0, "")
    rows = shell.rows(Path("predictions.csv").read_text())
    truth = read_table("pets.csv").column("kind")
    bits = sum(math.log2(float(row[f"P({kind})"])) for row, kind in zip(rows, truth, strict=True))
    share = sum(row["predicted"] == kind for row, kind in zip(rows, truth, strict=True)) / len(rows)
    assert f"accuracy         {share:.4f}\n" in outcome.err
    assert f"log2 likelihood  {bits:.2f} ({bits / len(rows):.4f} a row)\n" in outcome.err
    assert "ignoring" not in outcome.err


def test_accuracy_is_that_of_the_predicted_classes_under_class_weights(shell: Shell) -> None:
    x = np.arange(40) % 2.0
    labels = np.where(np.arange(40) % 5 == 0, "rare", "usual")
    model = plain_classifier(class_weight={"rare": 10.0, "usual": 1.0}).fit({"x": x}, labels)
    assert model.predict({"x": x}).tolist() == ["rare"] * 40
    storage.save(model, "m.json")
    shell.write("a.csv", "x,y\n" + "".join(f"{value},{label}\n" for value, label in zip(x, labels, strict=True)))
    assert "accuracy         0.2000\n" in shell("predict", "m.json", "a.csv", "--target", "y").err


def test_an_impossible_true_class_is_worth_minus_infinity(shell: Shell) -> None:
    shell.write("a.csv", "x,y\n" + "".join(f"{i},{'ab'[i // 10]}\n" for i in range(20)))
    assert (
        shell("fit", "a.csv", "--target", "y", "--out", "m.json", "--smoothing", "none", "--pruning", "none").code == 0
    )
    shell.write("b.csv", "x,y\n1,a\n2,b\n")
    assert "log2 likelihood  -inf (-inf a row)\n" in shell("predict", "m.json", "b.csv", "--target", "y").err


def test_whole_numbers_are_classes_as_written(shell: Shell) -> None:
    shell.write("a.csv", "x,y\n" + "".join(f"{i},{i // 10}\n" for i in range(20)))
    assert "classes   0 (10), 1 (10)\n" in shell("fit", "a.csv", "--target", "y", "--out", "m.json").out
    outcome = shell("predict", "m.json", "a.csv", "--target", "y")
    assert list(shell.rows(outcome.out)[0]) == ["predicted", "P(0)", "P(1)"]
    assert "accuracy         1.0000" in outcome.err


def test_predict_refuses(shell: Shell, model: Path) -> None:
    shell.write("narrow.csv", "code,kind\n1,cat\n")
    lacking = ", ".join(storage.load(model).required_columns_)
    assert f"narrow.csv lacks these columns of the model: {lacking}." in shell.refused("predict", model, "narrow.csv")
    shell.write("words.csv", "weight,colour,code\n1,black,1\n?,black,1\nheavy,black,1\n")
    line = shell.refused("predict", model, "words.csv")
    assert "Column 'weight' must hold numbers, but line 4 of words.csv has 'heavy'; if that is missing, say so" in line
    shell.write("cow.csv", "weight,colour,code,kind\n1,black,1,cow\n")
    line = shell.refused("predict", model, "cow.csv", "--target", "kind", "--out", "p.csv")
    assert "The class 'cow' in line 2 of cow.csv is unknown to the model; it knows cat, dog." in line
    assert not Path("p.csv").exists()


def test_closed_pipe_is_quiet(shell: Shell) -> None:
    shell.write("pets.csv", pets(5000))
    assert shell("fit", "pets.csv", "--target", "kind", "--out", "model.json").code == 0
    command = [sys.executable, "-m", "petree", "predict", "model.json", "pets.csv", "--target", "kind"]
    # An unbuffered Python takes a write cut short for a whole one, and would notice nothing.
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=buffered)
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "predicted,P(cat),P(dog)\n"
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 1
    assert errors == ""


def test_a_column_that_the_model_does_not_know_holds_anything(shell: Shell, model: Path) -> None:
    lines = pets().splitlines()
    rows = [f"{line},{123456789012345678 + i}" for i, line in enumerate(lines[1:])]
    shell.write("ids.csv", "\n".join([f"{lines[0]},id", *rows]) + "\n")
    assert shell("predict", model, "ids.csv").out == shell("predict", model, "pets.csv").out
    refused = shell.refused("fit", "ids.csv", "--target", "kind", "--out", "new.json")
    assert "Column 'id' holds a whole number beyond 2**53 in line 2 of ids.csv" in refused
    assert "leave the column out" in refused
    assert shell("fit", "ids.csv", "--target", "kind", "--out", "new.json", "--ignore", "id").code == 0
