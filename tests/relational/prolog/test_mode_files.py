"""Mode files of Aleph and Popper, and databases from files of facts."""

import os
from pathlib import Path

import numpy as np
import pytest

from petree.relational.bias.modes import CONSTANT, EITHER, INPUT
from petree.relational.prolog.mode_files import read_aleph_modes, read_popper_bias
from petree.relational.prolog.programs import read_prolog

ALEPH = """
:- set(i, 2).
:- modeh(1, east(+train)).
:- modeb(*, has_car(+train, -car)).
:- modeb(1, shape(+car, #shape)).
:- modeb(1, hidden(+car)).
:- determination(east/1, has_car/2).
:- determination(east/1, shape, 2).
"""
POPPER = """
max_vars(4).
head_pred(east, 1).
body_pred(has_car, 2).
body_pred(shape, 2).
type(east, (train,)).
type(has_car, (train, car)).
type(shape, (car, shape)).
direction(has_car, (in, out)).
:- clause(C), #count{V : var_type(C, V, train)} != 1.
"""
FACTS = "has_car(t1, c1). has_car(t1, c2). has_car(t2, c3). shape(c1, box). shape(c2, u). shape(c3, box). shape(box).\n"


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def kinds(bias: object) -> dict[str, list[str]]:
    return {mode.relation: [argument.kind for argument in mode.arguments] for mode in bias.modes}  # type: ignore[attr-defined]


def test_aleph_modes(tmp_path: Path) -> None:
    bias, types = read_aleph_modes(write(tmp_path, "mode.pl", ALEPH))
    assert kinds(bias) == {"has_car": [INPUT, EITHER], "shape": [INPUT, CONSTANT]}
    assert types["east", 1] == ("train",)
    assert types["shape", 2] == ("car", "shape")
    assert str(bias) == "rmode(has_car(+Train, +-Car)).\nrmode(shape(+Car, #))."


def test_aleph_modes_with_the_arguments_behind(tmp_path: Path) -> None:
    bias, types = read_aleph_modes(write(tmp_path, "mode.pl", ":- modeb(*, enzyme, (-enzyme, +drug))."))
    assert kinds(bias) == {"enzyme": [EITHER, INPUT]}
    assert types == {("enzyme", 2): ("enzyme", "drug")}


def test_popper_bias(tmp_path: Path) -> None:
    bias, types = read_popper_bias(write(tmp_path, "bias.pl", POPPER))
    assert kinds(bias) == {"has_car": [INPUT, EITHER], "shape": [EITHER, EITHER]}
    assert types["east", 1] == ("train",)
    assert types["has_car", 2] == ("train", "car")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (":- set(i, 2).", "declares no modes"),
        ("\n:- modeb(*, p(car)).", "mode.pl, line 2: car says nothing of an argument"),
        (":- modeb(p(+car)).", "line 1: a mode has a recall and a literal"),
        (":- modeb(*, p(+car)).\n:- determination(q/1, p).", "line 2: a predicate is named by its name and number"),
    ],
)
def test_broken_aleph_files_are_refused(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read_aleph_modes(write(tmp_path, "mode.pl", text))


def test_broken_popper_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"direction\(p, \.\.\.\) must say in or out for each of 2 arguments"):
        read_popper_bias(write(tmp_path, "bias.pl", "body_pred(p, 2). direction(p, (in, sideways))."))
    with pytest.raises(ValueError, match=r"bias\.pl, line 1: a predicate is named by"):
        read_popper_bias(write(tmp_path, "bias.pl", "body_pred(p, q)."))


def test_facts_with_examples_by_class_and_modes(tmp_path: Path) -> None:
    bias, types = read_aleph_modes(write(tmp_path, "mode.pl", ALEPH))
    examples = {
        "east": write(tmp_path, "pos.pl", "east(t1)."),
        "west": write(tmp_path, "neg.pl", "east(t2). east(t3)."),
    }
    database = read_prolog(write(tmp_path, "bk.pl", FACTS), "east", examples=examples, types=types, modes=bias)
    assert database.target == "east.class"
    assert list(database.keys("east")) == ["t1", "t2", "t3"]
    assert list(database.labels("east.class")) == ["east", "west", "west"]
    assert set(database.relations) == {"east", "has_car", "shape"}
    assert database.relation("has_car").columns[0].domain is database.relation("east").columns[0].domain
    assert database.settings["unused"] == ["shape/1"]


def test_facts_with_examples_inside_of_their_class(tmp_path: Path) -> None:
    examples = write(tmp_path, "exs.pl", "pos(east(t1)).\nneg(east(t2)).")
    database = read_prolog([write(tmp_path, "bk.pl", FACTS)], "east", examples=examples, classes=["pos", "neg"])
    assert list(database.labels("east.class")) == ["pos", "neg"]
    assert database.settings["classes"] == ["pos", "neg"]
    assert {"shape/1", "shape/2"} < set(database.relations)


def test_the_last_argument_of_the_target_is_the_class(tmp_path: Path) -> None:
    facts = write(tmp_path, "all.pl", FACTS + "dir(t1, east). dir(t2, west).")
    database = read_prolog(facts, "dir.class", types={"dir": ("train", "class"), "has_car": ("train", "car")})
    assert list(database.labels("dir.class")) == ["east", "west"]
    assert [column.name for column in database.relation("has_car").columns] == ["train", "car"]


def test_models_of_facts(tmp_path: Path) -> None:
    facts = write(tmp_path, "m.pl", "begin(model(1)). up. p(a). end(model(1)). begin(model(2)). down. end(model(2)).")
    database = read_prolog(facts, "model", classes=["up", "down"])
    assert list(database.labels("model.class")) == ["up", "down"]


def test_compounds_are_values_by_their_text(tmp_path: Path) -> None:
    facts = write(tmp_path, "all.pl", "dir(t1, east). dir(t2, west).\nsub(t1, alk(1)). sub(t2, c=o).")
    column = read_prolog(facts, "dir").relation("sub").columns[1]
    assert [column.domain.values[code] for code in column.codes] == ["alk(1)", "c=o"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"target": "east"}, "The target 'east' must be one predicate with a key and a class, but there is none"),
        ({"target": "shape"}, "but there is shape/2, shape/1"),
        ({"target": "has_car", "examples": "exs.pl"}, r"exs\.pl, line 1: pos\(east\(t1\)\) is no example of has_car"),
        ({"target": "has_car", "classes": ["c1", "c2"]}, "has examples of class 'c3', but the classes are c1, c2"),
        ({"target": "has_car"}, "Example t1 of has_car has more than one class"),
    ],
)
def test_a_target_that_is_none_is_refused(tmp_path: Path, arguments: dict, problem: str) -> None:
    write(tmp_path, "exs.pl", "pos(east(t1)).")
    if "examples" in arguments:
        arguments = arguments | {"examples": tmp_path / arguments["examples"]}
    with pytest.raises(ValueError, match=problem):
        read_prolog(write(tmp_path, "bk.pl", FACTS), **arguments)


def test_modes_of_unknown_predicates_are_left_out_and_named(tmp_path: Path) -> None:
    text = ":- modeb(*, wheels(+car, #int)).\n:- modeb(*, load(+car, #shape))."
    bias, types = read_aleph_modes(write(tmp_path, "mode.pl", text))
    facts = write(tmp_path, "bk.pl", FACTS + "dir(t1, east). dir(t2, west). load(c1, round).")
    with pytest.warns(UserWarning, match="without facts and rules are left out: wheels/2"):
        database = read_prolog(facts, "dir", types=types, modes=bias)
    assert database.bias is not None
    assert [mode.relation for mode in database.bias.modes] == ["load"]


def test_files_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"There is no file .*nothing\.pl"):
        read_prolog(tmp_path / "nothing.pl", "p")


# -- data sets ---------------------------------------------------------------------------------------------------------

FOLDER = Path(os.environ.get("PETREE_DATA", "")) / "relational"
needs_data = pytest.mark.skipif(
    not (FOLDER / "MANIFEST.csv").is_file(), reason="PETREE_DATA does not name the folder of the data sets"
)


# Numbers of positive and negative examples: MANIFEST.csv.
@needs_data
@pytest.mark.parametrize(
    ("name", "target", "counts"),
    [
        ("alzheimer_acetyl", "great", (663, 663)),
        ("alzheimer_amine", "great_ne", (343, 343)),
        ("alzheimer_mem", "great_rsd", (321, 321)),
        ("alzheimer_toxic", "less_toxic", (443, 443)),
    ],
)
@pytest.mark.parametrize("reader", [read_aleph_modes, read_popper_bias])
def test_alzheimer(name: str, target: str, counts: tuple[int, int], reader: object) -> None:
    folder = FOLDER / name / "prolog"
    file = "aleph-modes.pl" if reader is read_aleph_modes else "popper-bias.pl"
    bias, types = reader(folder / file)  # type: ignore[operator]
    database = read_prolog(folder / "bk.pl", target, examples=folder / "exs.pl", types=types, modes=bias)
    labels = database.labels(f"{target}.class")
    assert (int(np.sum(labels == "pos")), int(np.sum(labels == "neg"))) == counts
    assert {mode.relation for mode in bias.modes} < set(database.relations)


@needs_data
def test_trains() -> None:
    folder = FOLDER / "trains10" / "prolog"
    bias, types = read_aleph_modes(folder / "mode.pl")
    examples = {"east": folder / "pos.pl", "west": folder / "neg.pl"}
    database = read_prolog(folder / "trains.pl", "eastbound", examples=examples, types=types, modes=bias)
    assert list(database.labels("eastbound.class")) == ["east"] * 5 + ["west"] * 5
    assert database.relation("has_car").n_rows == 30


@needs_data
def test_hepatitis_from_a_compressed_file() -> None:
    folder = FOLDER / "hepatitis" / "prolog"
    bias, types = read_aleph_modes(folder / "mode.pl")
    examples = {"b": folder / "pos.pl", "c": folder / "neg.pl"}
    database = read_prolog(folder / "hepatitis.pl.gz", "hepatitisb", examples=examples, types=types, modes=bias)
    assert np.unique(database.labels("hepatitisb.class"), return_counts=True)[1].tolist() == [206, 294]


@needs_data
def test_drug_interactions_have_the_same_modes_in_both_files() -> None:
    folder = FOLDER / "drugdrug" / "prolog"
    (aleph, aleph_types), (popper, popper_types) = (
        read_aleph_modes(folder / "aleph-modes.pl"),
        read_popper_bias(folder / "bias.pl"),
    )
    assert set(aleph.modes) == set(popper.modes)
    assert set(aleph_types.items()) <= set(popper_types.items())
