"""What holds of every model in a file, and files in which it does not: refused before anything runs on them."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from joblib import cpu_count
from tests.fuzzing.valid_files import as_version_1, made_table
from tests.random_trees import COLUMNS, small_tree
from tests.relational.made_trees import made_database, made_model

from petree import OptionTreeClassifier, ProbabilityTreeClassifier, RelationalTreeClassifier, smoothing
from petree.estimators.stored import Stored
from petree.inputs import table as inputs
from petree.storage import dumps, loads
from petree.storage.invariants import INVARIANTS
from petree.storage.invariants.nodes import do_add_up
from petree.storage.versions import VERSION
from petree.threads import count_threads
from petree.tree import Tree

Data = dict[str, Any]
Change = Callable[[Data], Any]
FRAME, Y = made_table(0)
ALL = smoothing.Average((smoothing.Doubt(0.2), smoothing.Confusion(0.1), "laplace"))


def data_of(model: Any) -> Data:
    return json.loads(dumps(model))


@pytest.fixture(scope="module")
def table() -> Data:
    """A tree of one table: numbers, categories with a multiway test, and grades."""
    model = ProbabilityTreeClassifier(pruning="none", smoothing=ALL, tests="multiway", min_samples_leaf=3)
    return data_of(model.fit(FRAME, Y))


@pytest.fixture(scope="module")
def options() -> Data:
    return data_of(OptionTreeClassifier(max_options=2, max_depth=3, n_searches=2).fit(FRAME[:25], Y[:25]))


@pytest.fixture(scope="module")
def relational() -> Data:
    return data_of(made_model(made_database(0)))


def refused(data: Data, change: Change, complaint: str) -> None:
    """A changed file is refused, also where no answers show that something was changed."""
    for whole in (data, as_version_1(data)):
        changed = deepcopy(whole)
        change(changed)
        with pytest.raises(ValueError, match=rf"^m\.json is damaged: .*{complaint}"):
            loads(json.dumps(changed), "m.json")


def splits_of(data: Data) -> list[tuple[int, list[Any]]]:
    """The nodes that have tests, and what stands in them."""
    n_classes = len(data["classes"]["labels"])
    return [(node, row) for node, row in enumerate(data["tree"]["nodes"]) if len(row) > n_classes]


def test_the_list_is_in_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "model-files.md").read_text()
    told = [line.removeprefix("* ") for line in page.splitlines()]
    places = [told.index(holds.__doc__.splitlines()[0]) for holds in INVARIANTS]
    assert places == list(range(places[0], places[0] + len(INVARIANTS)))
    assert f"version {VERSION}" in page


def test_whole_files_are_read(table: Data, options: Data, relational: Data) -> None:
    for data in (table, options, relational):
        assert data_of(loads(json.dumps(data))) == data


# -- columns, numbers and tests ---------------------------------------------------------------------------------------


def make_numbers_of_categories(data: Data) -> None:
    """What made prediction go round for ever, or write beyond its arrays."""
    column = next(row[3][1] for _, row in splits_of(data) if row[3][0] == "each")
    data["columns"][column]["kind"] = "number"


def ask_each_number(data: Data) -> None:
    node = next(row for _, row in splits_of(data) if row[3][0] == "each")
    node[3][1] = 0
    data["columns"][0]["categories"] = data["columns"][3]["categories"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (make_numbers_of_categories, "of numbers has categories"),
        (ask_each_number, "of numbers has categories"),
        (lambda data: data["columns"][1]["categories"].__setitem__(1, "red"), "two categories of column 'colour'"),
        (lambda data: data["columns"][1].update(categories=[1, True, 0]), "two categories of column 'colour'"),
        (lambda data: data["columns"][1].update(name="size"), "two of its columns have the same name"),
        (lambda data: data.update(columns=[]), "is not a test of these columns"),
        (lambda data: data["tree"].update(class_weight=[0, 0, 0]), "class weights .* all 0"),
        (lambda data: data["tree"].update(class_weight=[1e308, 1, 1]), "class weights .* too large"),
        (lambda data: data["tree"].update(n_tests=2**60), "n_tests of the tree .* larger"),
        (lambda data: data["tree"]["nodes"][0].__setitem__(0, 2**54), "sum to more than"),
        (lambda data: data["tree"].update(size=3), "no fields"),
        (lambda data: data.update(secret=3), "fields that no model has"),
    ],
)  # fmt: skip
def test_a_table_that_makes_no_sense(table: Data, change: Change, complaint: str) -> None:
    refused(table, change, complaint)


@pytest.mark.parametrize(
    "test", [["each", 0], ["=", 0, 0], ["in", 1, []], ["<", 1, 0.5], ["<", 2, 2.5], ["missing", 7]]
)
def test_a_test_that_its_column_does_not_allow(table: Data, test: list[Any]) -> None:
    refused(table, lambda data: data["tree"]["nodes"][0].__setitem__(3, test), "is not a test|ask for")


@pytest.mark.parametrize("missing", [0, 2, 3])
def test_missing_values_of_a_multiway_test_go_to_a_branch_of_their_own(table: Data, missing: int) -> None:
    def change(data: Data) -> None:
        next(row for _, row in splits_of(data) if row[3][0] == "each")[3].append(missing)
        data["columns"][3]["categories"].pop()

    refused(table, change, "sends missing values to a branch|ask for")


# -- cases ------------------------------------------------------------------------------------------------------------


def test_whether_counts_were_replaced_is_true_or_false(table: Data) -> None:
    data = {**table, "tree": {**table["tree"], "counts_replaced": "yes"}}
    with pytest.raises(ValueError, match=r"is damaged: .* does not say whether its counts were replaced"):
        loads(json.dumps(data))


@pytest.mark.parametrize("node", [1, 3])
def test_cases_that_do_not_add_up(table: Data, node: int) -> None:
    changed = deepcopy(table)
    changed["tree"]["nodes"][node][0] += 1
    with pytest.raises(ValueError, match="is damaged: the counts of the children of a test do not add up"):
        loads(json.dumps(changed))
    changed = {**table, "tree": {**table["tree"], "sizes": [60, *[1] * (len(table["tree"]["nodes"]) - 1)]}}
    with pytest.raises(ValueError, match="is damaged: the counts of the children of a test do not add up"):
        loads(json.dumps(changed))


def model_of(tree: Tree) -> ProbabilityTreeClassifier:
    parameters = {"pruning": "none", "smoothing": "laplace"}
    return ProbabilityTreeClassifier._from_stored(Stored(parameters, tree, COLUMNS, np.array(tree.classes)))


def test_replaced_counts_are_told_of_and_come_back() -> None:
    grown = small_tree()
    empty = np.where(np.arange(grown.n_nodes)[:, None] == 0, grown.counts, 0)
    for tree in (grown.with_counts(grown.counts + 1), grown.graft(0, 1), grown.with_counts(empty)):
        data = data_of(model_of(tree))
        assert data["tree"]["counts_replaced"] is True
        assert data_of(loads(json.dumps(data))) == data
        del data["tree"]["counts_replaced"]
        with pytest.raises(ValueError, match="do not add up"):
            loads(json.dumps(data))
    assert "counts_replaced" not in data_of(model_of(grown))["tree"]


def test_counts_add_up_to_rounding_also_over_many_children() -> None:
    tree = Tree.from_counts([[[0.1, 0.7], [0.2, 0.3], [0.3, 0.1], [0, 0]], [1e-9, 3]])
    tree = tree.with_counts(tree.counts, [8, 6, 2, 2, 2, 2, 0])
    assert do_add_up(tree)
    assert not do_add_up(tree.with_counts(tree.counts * [[1 + 1e-6]] + [[0.0, 1e-3]] * (np.arange(7) == 2)[:, None]))


# -- option trees -----------------------------------------------------------------------------------------------------


def ladder(n_steps: int, is_shared: bool) -> Data:
    """An option tree of two nodes a level, each of which leads to both below: its single trees double every level."""
    rows: list[list[Any]] = [[2.0**n_steps, 2.0**n_steps, ["<", 0, 0.5]]]
    children = [1, 2]
    for step in range(1, n_steps + 1):
        for place in range(2):
            test = [["<", 0, 0.5 + step]] if step < n_steps and (is_shared or not place) else []
            rows.append([2.0 ** (n_steps - step), 2.0 ** (n_steps - step), *test])
            children += [2 * step + 1, 2 * step + 2] if test else []
    parameters = {"prior": "I"}
    tree = {"class_weight": None, "n_tests": 1, "annotations": {}, "children": children, "nodes": rows}
    tree["split_annotations"] = {"cut_penalty": [0.0] * (len(children) // 2)}
    return {
        "format": "petree model", "version": 1, "estimator": "OptionTreeClassifier", "parameters": parameters,
        "classes": {"type": "int64", "labels": [0, 1]}, "feature_names": True,
        "columns": [{"name": "x", "kind": "number"}], "tree": tree,
    }  # fmt: skip


def test_cases_do_not_stand_twice_in_a_tree() -> None:
    assert loads(json.dumps(ladder(30, False))).summary().get_n_leaves() <= 8
    with pytest.raises(ValueError, match="the same cases stand twice in one of the trees"):
        loads(json.dumps(ladder(30, True)))


def test_a_node_at_two_levels() -> None:
    """What made prediction write beyond its arrays: node 3 is a child of the root and of node 1."""
    data = ladder(2, False)
    data["tree"]["nodes"] = [[4, 4, ["<", 0, 1], ["<", 0, 2]], [3, 3, ["<", 0, 3]], [1, 1], [2, 2], [1, 1], [2, 2]]
    data["tree"]["children"] = [1, 2, 3, 5, 3, 4]
    data["tree"]["split_annotations"] = {"cut_penalty": [0.0] * 3}
    with pytest.raises(ValueError, match="is damaged: a node stands at two levels of the tree"):
        loads(json.dumps(data))
    data["tree"]["nodes"].append([2, 2])
    data["tree"]["children"][4] = 6
    assert loads(json.dumps(data)).predict_proba({"x": [0.5, None]}).shape == (2, 2)


def test_only_option_trees_have_options(table: Data, options: Data) -> None:
    parameters = {**table, "columns": options["columns"], "classes": options["classes"], "tree": options["tree"]}
    with pytest.raises(ValueError, match="several tests or parents, but it is no option tree"):
        loads(json.dumps(parameters))
    refused(options, lambda data: data["tree"].pop("split_annotations"), "lacks the penalties of its cuts")


# -- related tables ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda data: data["columns"].append({"name": "x", "kind": "number"}), "one column .* must be 'row'"),
        (lambda data: data["tree"]["nodes"][0].__setitem__(2, ["missing", 0]), "not a query of two branches"),
        (lambda data: data["tree"]["nodes"][0].__setitem__(2, ["query", "q(", 2]), "query"),
        (lambda data: data["tree"]["nodes"][0].__setitem__(2, ["query", "nowhere(A)", 2]), "nowhere"),
        (lambda data: data["tree"]["nodes"][0].__setitem__(2, ["query", "q(A)", 2**31]), "is not a test"),
        (lambda data: data["tree"]["nodes"][0].__setitem__(2, ["query", "q(A)", 2**31 - 1]), "children, not"),
        (lambda data: data.update(smoothing="doubt"), "answers by columns of one table"),
        (
            lambda data: data["schema"]["relations"].append(data["schema"]["relations"][0]),
            "two tables .* the same name",
        ),
        (lambda data: data["schema"]["relations"][1].update(keys=[]), "'patient' of the examples has no key"),
        (lambda data: data["schema"]["relations"][0].update(keys=[[]]), "a key of table 'doctor' has no column"),
        (lambda data: data["schema"]["links"][0].__setitem__(1, []), "does not lead from column to column"),
    ],
)
def test_related_tables_that_make_no_sense(relational: Data, change: Change, complaint: str) -> None:
    refused(relational, change, complaint)


# -- parameters -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("estimator", "name"),
    [
        (kind, name)
        for kind in (ProbabilityTreeClassifier, OptionTreeClassifier, RelationalTreeClassifier)
        for name in kind().get_params(deep=False)
    ],
)
def test_every_parameter_is_checked(request: pytest.FixtureRequest, estimator: type, name: str) -> None:
    files = {
        ProbabilityTreeClassifier: "table",
        OptionTreeClassifier: "options",
        RelationalTreeClassifier: "relational",
    }
    data = request.getfixturevalue(files[estimator])
    refused(data, lambda changed: changed["parameters"].__setitem__(name, [[]]), ".")


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("min_gain", -1.0, "'min_gain' parameter"),
        ("min_gain", 10**400, "too large a number"),
        ("max_depth", 10**30, "too large a number"),
        ("n_jobs", 0, "'n_jobs' parameter"),
        ("n_jobs", 2**70, "too large a number"),
        ("class_weight", {"dict": [[0, -1.0]]}, "class_weight of class 0"),
        ("categorical_features", ["taste"], "no such column"),
        ("smoothing", {"part": "petree.smoothing.Shrinkage", "parameters": {"iterations": 10**9}}, "iterations"),
        ("smoothing", {"part": "petree.smoothing.Average", "parameters": {"parts": ["bayes"] * 20}}, "20 estimates"),
        ("smoothing", {"part": "petree.smoothing.MEstimate", "parameters": {"prior": "auto"}}, "cannot be 'auto'"),
    ],
)
def test_parameters_beyond_sense(table: Data, name: str, value: Any, complaint: str) -> None:
    refused(table, lambda data: data["parameters"].__setitem__(name, value), complaint)


@pytest.mark.parametrize("iterations", [1001, np.int64(2000)])
def test_what_would_keep_a_reader_busy_is_not_written(iterations: Any) -> None:
    model = ProbabilityTreeClassifier(pruning="none", smoothing=smoothing.Shrinkage(iterations)).fit(FRAME, Y)
    with pytest.raises(ValueError, match="cannot be held by a model file: a smoothing takes more than 1000 iterations"):
        dumps(model)


def test_the_threads_that_a_file_asks_for_are_bounded_by_the_machine(table: Data) -> None:
    for asked in (3000, cpu_count() + 1, 1, -1, None):
        data = {**table, "parameters": {**table["parameters"], "n_jobs": asked}}
        model = loads(json.dumps(data))
        assert model.n_jobs == asked
        assert count_threads(model.n_jobs) <= cpu_count()


def test_categorical_features_are_checked_without_reading_a_table(table: Data, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: Any) -> Any:
        raise AssertionError("a column is read")

    monkeypatch.setattr(inputs, "read_column", read)
    data = {**table, "parameters": {**table["parameters"], "categorical_features": ["colour"]}}
    assert loads(json.dumps(data)).categorical_features == ["colour"]


def test_numbers_that_give_no_probabilities(table: Data) -> None:
    prior = {"part": "petree.bayes.Prior", "parameters": {"alpha": 1e308}}
    part = {"part": "petree.smoothing.Bayes", "parameters": {"prior": prior}}
    refused(table, lambda data: data.update(smoothing=part), "its counts and settings do not give probabilities")


# -- answers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda answers: answers.pop(), "are not of 3 voices"),
        (lambda answers: answers[0].pop("doubt"), "not those of the rule 'doubt'"),
        (lambda answers: answers[0].update(rule="leaf"), "not those of the rule 'doubt'"),
        (lambda answers: answers[0].update(doubt=0.3), "doubt of its answers are not what"),
        (lambda answers: answers[1].update(factor="0.1"), "factor of its answers are not all numbers"),
        (lambda answers: answers[2].update(weight=1e999), "weight of its answers are negative or infinite"),
        (lambda answers: answers[2]["probabilities"].pop(), "probabilities of its answers are not 15 lists of 3"),
        (lambda answers: answers[2]["probabilities"][3].pop(), "probabilities of its answers are not 15 lists of 3"),
        (lambda answers: answers[2]["probabilities"].reverse(), "not what its counts and settings give"),
        (lambda answers: answers[2]["probabilities"].__setitem__(0, [0.5, 0.5, 1e-5]), "not what its counts"),
        (lambda answers: answers[2]["probabilities"][0].__setitem__(0, -0.1), "negative or infinite"),
    ],
)
def test_answers_that_are_not_those_of_the_counts(table: Data, change: Change, complaint: str) -> None:
    data = deepcopy(table)
    change(data["answers"])
    with pytest.raises(ValueError, match=rf"^m\.json is damaged: .*{complaint}"):
        loads(json.dumps(data).replace("Infinity", "1e999"), "m.json")


def test_probabilities_sum_to_one(table: Data) -> None:
    data = deepcopy(table)
    data["answers"][2]["probabilities"][0][0] += 1e-7
    with pytest.raises(ValueError, match="do not sum to 1"):
        loads(json.dumps(data))


@pytest.mark.parametrize("name", ["stay", "go"])
def test_shares_of_an_option_tree(options: Data, name: str) -> None:
    data = deepcopy(options)
    data["answers"][0][name][0] *= 0.9
    with pytest.raises(ValueError, match=f"the {name} of its answers are not what its counts and settings give"):
        loads(json.dumps(data))


def test_rounding_of_another_machine_is_no_damage(table: Data, options: Data) -> None:
    for data in (deepcopy(table), deepcopy(options)):
        for voice in data["answers"]:
            voice["probabilities"] = (np.array(voice["probabilities"]) * (1 - 1e-12)).tolist()
        loads(json.dumps(data))


# -- versions and bounds ----------------------------------------------------------------------------------------------


def test_files_of_version_1_are_read(table: Data, options: Data, relational: Data) -> None:
    for data in (table, options):
        assert data_of(loads(json.dumps(as_version_1(data)))) == data
    assert loads(json.dumps(as_version_1(relational))).export_text() == loads(json.dumps(relational)).export_text()
    grafted = data_of(model_of(small_tree().graft(0, 1)))
    assert data_of(loads(json.dumps(as_version_1(grafted)))) == grafted


def test_files_of_version_2_need_their_answers(table: Data) -> None:
    data = {name: value for name, value in table.items() if name != "answers"}
    with pytest.raises(ValueError, match="is damaged: it lacks its answers"):
        loads(json.dumps(data))


def test_an_option_tree_has_no_certainty(options: Data) -> None:
    refused(options, lambda data: data.update(certainty={"each": 1.0, "most": 2.0}), "an option tree has no certainty")


@pytest.mark.parametrize(
    ("rates", "complaint"),
    [
        ([0.5, 0.5], "the base rates are 2 instead of 3"),
        ([0.5, 0.5, 0], "its base rates are not more than 0, or do not sum to 1"),
        ([0.5, 0.4, 0.2], "its base rates are not more than 0, or do not sum to 1"),
        ([0.5, 0.7, -0.2], "the base rates are negative or infinite"),
        ([0.5, 0.25, None], "the base rates are not all numbers"),
        ([0.5, 0.25, [0.25]], "the base rates are not all numbers"),
        ({"a": 1}, "the base rates are not a list"),
    ],
)
def test_base_rates_are_rates(table: Data, rates: Any, complaint: str) -> None:
    refused(table, lambda data: data.update(base_rates=rates), complaint)


def test_base_rates_need_cases_of_every_class() -> None:
    model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace")
    data = data_of(model.fit([[0], [1]], ["a", "b"], classes=["a", "b", "c"]))
    refused(data, lambda data: data.update(base_rates=[0.5, 0.25, 0.25]), "base rates, and a class without training")


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("name", ["parameters", "smoothing", "tuning", "certainty", "classes", "columns", "schema"])
@pytest.mark.parametrize("depth", [51, 400])
def test_nesting_is_bounded(table: Data, name: str, depth: int) -> None:
    refused(table, lambda data: data.update({name: nested(depth)}), "nested more than 50 deep")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[" * 10**6, "nested too deep"),
        ('{"a":' * 10**5, "nested too deep"),
        ("9" * 10**5, "too many digits"),
        ('{"format": 1, "format": 2}', "two fields of the same name"),
        ("1e99999999999", "is not a petree model"),
    ],
)
def test_text_that_asks_for_too_much(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=rf"^m\.json .*{complaint}"):
        loads(text, "m.json")


def test_labels_have_a_bounded_number_of_digits(table: Data) -> None:
    refused(table, lambda data: data["classes"].update(type="object", labels=[10**200, 1, 2]), "labels of the classes")
    refused(table, lambda data: data["columns"][3].update(categories=[10**200]), "labels of column")
