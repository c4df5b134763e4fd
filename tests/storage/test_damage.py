"""Damaged, foreign and hostile model files are refused in a sentence that names the file."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.random_trees import COLUMNS

from petree.conditions import EQUALS, IN, IS_MISSING, MULTIWAY, THRESHOLD, Conditions
from petree.estimators.intervals.certainty import Certainty
from petree.estimators.stored import Stored
from petree.estimators.tree import ProbabilityTreeClassifier
from petree.estimators.tuning.finish import Tuning
from petree.pruning.engine.log import CUT, RAISED, Reasons
from petree.reading.large import SizeLosses
from petree.smoothing import Laplace, MEstimate
from petree.storage import dumps, load, loads
from petree.tree import assemble


def every_condition() -> ProbabilityTreeClassifier:
    """A small model with one test of each kind."""
    kinds = [THRESHOLD, EQUALS, IN, MULTIWAY, IS_MISSING, EQUALS, THRESHOLD]
    conditions = Conditions.from_arrays(
        COLUMNS,
        kinds,
        [0, 1, 1, 1, 0, 1, 2],
        [0.5, 2, 0, 0, 0, 1, 1.5],
        [1, -1, 0, 3, -1, -1, -1],
        [(0, 2)],
    )
    arities = np.array([2, 2, 2, 4, 2, 2, 2])
    n_nodes = 1 + arities.sum()
    counts = np.arange(2.0 * n_nodes).reshape(-1, 2)
    gain = np.where(np.arange(n_nodes) < 7, 0.25, np.nan)
    tree = assemble(
        *(counts, counts.sum(1) + 1, np.arange(n_nodes), np.arange(7), arities, conditions, ("bad", "good")),
    )
    tree = replace(tree, class_weight=np.array([1.0, 2.0]), annotations={"gain": gain})
    reasons = Reasons(
        *("Chi()", ("chi-square", "critical value"), np.array([3, 9]), ("grade < high", "colour = red")),
        *(np.array([4, 2]), np.array([2.5, np.inf]), np.array([3.84, 9.5]), (RAISED, CUT)),
    )
    tree = tree.with_log(reasons)
    parameters = {"class_weight": {"bad": 1.0, "good": 2.0}, "smoothing": Laplace()}
    tuning = Tuning(("m",), ((1.0,), (2.5,)), (0.75, 0.5), priors=(0.25, 0.0))
    classes = np.array(["bad", "good"])
    chosen = {"tuning": tuning, "certainty": Certainty(0.5, 90.0), "sizes": SizeLosses((9, 4, 1), (0.5, 0.25, 1.0))}
    return ProbabilityTreeClassifier._from_stored(
        Stored(parameters, tree, COLUMNS, classes, smoothing=MEstimate(2.5), **chosen)
    )


TEXT = dumps(every_condition())


def changed(*path: Any, to: Any) -> str:
    """The model file with one thing in it replaced; `to` None removes it."""
    data = json.loads(TEXT)
    place = data
    for key in path[:-1]:
        place = place[key]
    if to is None:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return json.dumps(data)


def test_the_undamaged_file_is_read() -> None:
    assert dumps(loads(TEXT)) == TEXT


@given(st.integers(0, len(TEXT) - 1))
def test_a_file_cut_off_anywhere(length: int) -> None:
    with pytest.raises(ValueError, match=r"^m\.json is no model file, or was cut off: .* line \d+, column \d+ on\. "):
        loads(TEXT[:length], "m.json")


def test_the_place_of_the_damage_is_told() -> None:
    lines = TEXT.splitlines()
    lines[12] += "oops"
    with pytest.raises(ValueError, match="from line 13, column "):
        loads("\n".join(lines))


@pytest.mark.parametrize(
    "text", ["[]", "1", '"x"', "{}", '{"format": "other"}', "null", "[" * 100_000, "9" * 5000, "NaN"]
)
def test_other_json(text: str) -> None:
    with pytest.raises(ValueError, match=r"^m\.json is not (a petree model|JSON or is cut off)"):
        loads(text, "m.json")


def test_long_names_do_not_make_long_sentences() -> None:
    data = json.loads(dumps(every_condition()))
    data["columns"][0] |= {"name": "f(" * 2000, "kind": "number", "categories": ["a"]}
    with pytest.raises(ValueError, match="of numbers has categories") as refused:
        loads(json.dumps(data), "m.json")
    assert len(str(refused.value)) < 500


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_bytes(b"\x80\x04\x95pickle")
    with pytest.raises(ValueError, match=r"m\.json is not a petree model: byte 0 is not text"):
        load(tmp_path / "m.json")


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.json"):
        load(tmp_path / "nowhere.json")


def test_a_newer_version() -> None:
    with pytest.raises(
        ValueError, match=r"^m\.json is a petree model of version 2, .* reads version 1; upgrade petree"
    ):
        loads(changed("version", to=2), "m.json")


NODE = ("tree", "nodes", 0)
TEST = (*NODE, 2)
REASON = ("tree", "pruning", "nodes", 0)


@pytest.mark.parametrize(
    ("path", "to", "complaint"),
    [
        (("version",), None, "None is not a version"),
        (("version",), "1", "'1' is not a version"),
        (("version",), 0, "0 is not a version"),
        (("estimator",), "DecisionTreeClassifier", "'DecisionTreeClassifier' is not an estimator"),
        (("estimator",), None, "None is not an estimator"),
        (("parameters",), None, "it lacks its parameters"),
        (("parameters", "colour"), 1, "has no parameter colour"),
        (("parameters", "smoothing"), {"part": "os.system", "parameters": {}}, "'os.system' is not a part"),
        (("parameters", "smoothing", "part"), "petree.smoothing.estimate", "is not a part"),
        (("parameters", "smoothing", "part"), "petree.smoothing.__doc__", "is not a part"),
        (("parameters", "smoothing", "part"), "petree.smoothing.laplace.os.system", "is not a part"),
        (("parameters", "smoothing", "part"), "petree.storage.files.Path", "is not a part"),
        (("parameters", "smoothing", "part"), "petree.binning.BaseEstimator", "is not a part"),
        (("parameters", "smoothing", "part"), 5, "5 is not a part"),
        (("parameters", "smoothing", "parameters"), {"nonsense": 1}, "does not take the parameters nonsense"),
        (("parameters", "smoothing", "parameters"), [], "not given by name"),
        (("parameters", "class_weight"), {"dict": [[[1], 2]]}, "labels of a dictionary"),
        (("parameters", "class_weight"), {"dict": 3}, "not a list of keys and values"),
        (("parameters", "class_weight"), {"other": 3}, "is not a parameter"),
        (("smoothing",), "nonsense", "smoothing 'nonsense'; valid names"),
        (("smoothing",), 3, "'smoothing' parameter must be one of"),
        (("smoothing",), {"part": "petree.pruning.NoPruning", "parameters": {}}, "'smoothing' parameter must be one"),
        (("smoothing", "parameters", "m"), -1.0, "'m' parameter of MEstimate"),
        (("tuning",), 3, "its tuning is not a record"),
        (("tuning", "names"), None, "its tuning is not a record"),
        (("tuning", "names"), [1], "the names in its tuning are not texts"),
        (("tuning", "names"), ["m", "v"], "a combination in its tuning is not one number a name"),
        (("tuning", "tried"), [], "the losses in its tuning are not one a combination"),
        (("tuning", "tried", 0), [1.0, 2.0], "a combination in its tuning is not one number a name"),
        (("tuning", "priors"), [0.5], "the priors in its tuning are not one a combination"),
        (("tuning", "priors", 0), "x", "the priors in its tuning are not one a combination"),
        (("tuning", "losses"), [0.5], "the losses in its tuning are not one a combination"),
        (("tuning", "losses", 0), "x", "the losses in its tuning are not one a combination"),
        (("sizes",), 3, "its sizes are not a record of two lists"),
        (("sizes", "bits"), [1.0], "its sizes are not a record of two lists"),
        (("sizes", "bits", 1), {"float": "nan"}, "the bits of its sizes are not finite numbers"),
        (("sizes", "n_leaves", 0), 4, "its sizes do not descend to a single leaf"),
        (("sizes", "n_leaves", 1), 4.0, "its sizes do not descend to a single leaf"),
        (("sizes", "n_leaves", 2), 2, "its sizes do not descend to a single leaf"),
        (("certainty",), 3, "its certainty is not a record of two numbers"),
        (("certainty", "most"), None, "its certainty is not a record of two numbers"),
        (("certainty", "most"), "many", "its certainty is not a record of two numbers"),
        (("certainty", "most"), -1, "the numbers of its certainty are not more than 0"),
        (("certainty", "most"), {"float": "nan"}, "the numbers of its certainty are not more than 0"),
        (("certainty", "each"), 0, "the numbers of its certainty are not more than 0"),
        (("certainty", "each"), {"float": "inf"}, "the numbers of its certainty are not more than 0"),
        (("certainty", "each"), True, "its certainty is not a record of two numbers"),
        (("classes",), None, "it lacks its classes"),
        (("classes", "type"), "V8", "'V8' is not a type"),
        (("classes", "type"), "int64", "not of type int64"),
        (("classes",), {"type": "float16", "labels": [1e300, 1.0]}, "not of type float16"),
        (("classes", "labels"), ["a", "a"], "not distinct"),
        (("classes", "labels"), ["a", None], "not a list of texts"),
        (("classes", "labels"), [], "not distinct"),
        (("classes", "labels"), ["a", "b", "c"], "the tree"),
        (("feature_names",), "yes", "whether its columns had names"),
        (("columns",), None, "it lacks its columns"),
        (("columns", 0, "name"), 3, "is not a column"),
        (("columns", 0, "kind"), "text", "is not a column"),
        (("columns", 0, "name"), "grade", "two of its columns have the same name"),
        (("columns", 1, "categories"), "red", "labels of column 'colour'"),
        (("columns", 1, "categories"), ["red"], "ask for 14 children, not 16"),
        (("columns", 2), None, "is not a test of these columns"),
        (("tree",), None, "it lacks its tree"),
        (("tree",), [], "not a list of named fields"),
        (("tree", "nodes"), None, "lacks its nodes"),
        (("tree", "nodes"), [], "lacks its nodes"),
        (NODE, [1], "lacks its nodes, or one of them its counts"),
        (NODE, 7, "lacks its nodes"),
        ((*NODE, 0), -1, "counts of the tree are negative"),
        ((*NODE, 0), "1", "counts of the tree are not all numbers"),
        ((*NODE, 0), True, "counts of the tree are not all numbers"),
        ((*NODE, 0), 10**400, "counts of the tree are too large"),
        (("tree", "nodes", 16), None, "ask for 16 children, not 15"),
        (TEST, None, "ask for 14 children, not 16"),
        ((*TEST, 0), "<=", "is not a test"),
        ((*TEST, 0), ["<"], "is not a test"),
        ((*TEST, 1), 3, "is not a test"),
        ((*TEST, 1), -1, "is not a test"),
        ((*TEST, 1), 1, "is not a test"),
        ((*TEST, 2), "0.5", "is not a test"),
        ((*TEST, 3), 2, "sends missing values to a branch"),
        ((*TEST, 3), -2, "is not a test"),
        (TEST, ["<", 0], "is not a test"),
        (TEST, ["<", 0, 1.0, 0, 0], "is not a test"),
        (TEST, ["<", 2, 2.5], "is not a test"),
        (TEST, ["=", 1, 3], "is not a test"),
        (TEST, ["=", 0, 0], "is not a test"),
        (TEST, ["in", 1, [0, 3]], "is not a test"),
        (TEST, ["in", 1, 0], "is not a test"),
        (TEST, ["each", 0], "ask for 14 children"),
        (TEST, ["query", 1, 2], "is not a test"),
        (TEST, ["query", "q", 1], "ask for 15 children"),
        (TEST, ["query", "q", 2**40], "is not a test"),
        (TEST, ["query", "q", 2**30], "ask for 10737"),
        (("tree", "children"), [1], "ask for 16 children, not 1"),
        (("tree", "children"), [*range(2, 17), 1], "do not lead to each of its nodes"),
        (("tree", "children"), [1, 1, *range(3, 17)], "do not lead to each of its nodes"),
        (("tree", "children"), [*range(1, 16), 17], "do not lead to each of its nodes"),
        (("tree", "children"), [*range(1, 16), 2**40], "children of the tree are too large"),
        (("tree", "children"), [*range(1, 16), 1.5], "children of the tree are not all numbers"),
        (("tree", "children"), [*range(1, 14), 15, 14, 16], "siblings of the tree do not stand side by side"),
        (TEST, ["query", "q", 2], "tests are queries"),
        (("tree", "n_tests"), None, "lacks its n_tests"),
        (("tree", "n_tests"), -3, "n_tests of the tree are negative"),
        (("tree", "n_tests"), [1, 2], "n_tests of the tree are 2 instead of 17"),
        (("tree", "sizes"), [1.5] * 17, "sizes of the tree are not all numbers"),
        (("tree", "sizes"), "many", "sizes of the tree are not a list"),
        (("tree", "class_weight"), [1.0], "class weights of the tree are 1 instead of 2"),
        (("tree", "class_weight"), 1.0, "class weights of the tree are not a list"),
        (("tree", "pruning"), 3, "its pruning is not a record with a criterion"),
        (("tree", "pruning", "criterion"), 3, "its pruning is not a record with a criterion"),
        (("tree", "pruning", "nodes"), None, "its pruning is not a record with a criterion"),
        (("tree", "pruning", "names"), ["chi-square"], "the names in its pruning are not two texts"),
        (("tree", "pruning", "names", 1), 2, "the names in its pruning are not two texts"),
        (("tree", "pruning", "nodes"), 5, "the nodes in its pruning are not a list"),
        (("tree", "pruning", "nodes", 0), 5, "5 does not say what stood at a node"),
        ((*REASON, 4), None, "does not say what stood at a node"),
        ((*REASON, 0), 17, "does not say what stood at a node"),
        ((*REASON, 0), -1, "does not say what stood at a node"),
        ((*REASON, 0), 3.0, "does not say what stood at a node"),
        ((*REASON, 0), 9, "the nodes in its pruning do not ascend"),
        ((*REASON, 1), 3, "does not say what stood at a node"),
        ((*REASON, 2), 1, "does not say what stood at a node"),
        ((*REASON, 3), "2.5", "does not say what stood at a node"),
        ((*REASON, 3), {"float": "many"}, "is not a parameter"),
        ((*REASON, 4), True, "does not say what stood at a node"),
        (("tree", "annotations"), None, "lacks its annotations"),
        (("tree", "annotations", "gain"), [0.5], "'gain' is not one value a node"),
        (("tree", "annotations", "gain", 0), "x", "'gain' holds something other than numbers"),
        (("tree", "annotations", "gain", 0), 10**400, "'gain' holds too large a number"),
    ],
)
def test_one_damaged_field(path: tuple, to: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=rf"^m\.json is damaged: .*{complaint}") as caught:
        loads(changed(*path, to=to), "m.json")
    assert len(str(caught.value)) < 300


def test_a_parameter_that_the_estimator_refuses() -> None:
    with pytest.raises(ValueError, match=r"^m\.json is damaged: .*smoothing"):
        loads(changed("parameters", "smoothing", to="nonsense"), "m.json")


NONSENSE = st.sampled_from([None, True, -1, 3, 0.5, 1e999, 10**30, "x", [], [1], {}, {"part": 1}])


def places(data: Any, path: tuple = ()) -> list[tuple]:
    """The way to every value in the file."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(place for key, value in items for place in places(value, (*path, key)))]


@settings(max_examples=250)
@given(st.sampled_from(places(json.loads(TEXT))[1:]), NONSENSE)
def test_nonsense_anywhere_is_refused_or_harmless(path: tuple, nonsense: Any) -> None:
    data = json.loads(TEXT)
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = nonsense
    text = json.dumps(data).replace("Infinity", "1e999")
    written, complaint = "", "m.json is "
    try:
        written = dumps(loads(text, "m.json"))
    except ValueError as error:
        complaint = str(error)
    assert complaint.startswith("m.json is ")
    assert not written or dumps(loads(written)) == written
