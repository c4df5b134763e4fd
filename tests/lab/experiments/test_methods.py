"""Who takes part: names, labels, import paths, and what decides a result."""

from __future__ import annotations

import importlib.metadata
import re
from pathlib import Path
from typing import Any

import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from tests.lab.experiments.made import Shares

from lab.experiments.methods import SHORT_NAMES, Method, find_method, find_methods, split_names
from petree import ProbabilityTreeClassifier, presets, pruning

TREE = "sklearn.tree.DecisionTreeClassifier"


# -- by name -------------------------------------------------------------------------------------------------


def test_a_preset_for_several_tables_is_refused() -> None:
    with pytest.raises(ValueError, match="'tilde' is for several tables"):
        find_method("tilde")


@pytest.mark.parametrize("name", sorted(set(presets) - {"tilde"}))
def test_presets(name: str) -> None:
    found = find_method(name)
    assert found.name == name
    assert repr(found.estimator) == repr(presets[name]())


@pytest.mark.parametrize("name", sorted(set(pruning.MEMBERS) - set(presets)))
def test_pruning_criteria(name: str) -> None:
    found = find_method(name)
    assert found.name == name
    assert repr(found.estimator) == repr(ProbabilityTreeClassifier(pruning=name, smoothing="laplace"))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("default", ProbabilityTreeClassifier),
        ("sklearn", DecisionTreeClassifier),
        ("forest", RandomForestClassifier),
        ("boosting", HistGradientBoostingClassifier),
    ],
)
def test_short_names(name: str, kind: type) -> None:
    assert name in SHORT_NAMES
    assert type(find_method(name).estimator) is kind
    assert find_method(name).name == name


def test_import_paths_with_parameters() -> None:
    assert repr(find_method(TREE).estimator) == "DecisionTreeClassifier()"
    found = find_method(f"{TREE}(max_depth=3, criterion='entropy', class_weight={{'a': 1, 'b': -2.5}}, splitter=None)")
    parameters = found.estimator.get_params()
    assert (parameters["max_depth"], parameters["criterion"]) == (3, "entropy")
    assert (parameters["class_weight"], parameters["splitter"]) == ({"a": 1, "b": -2.5}, None)
    assert find_method("petree.ProbabilityTreeClassifier(tests='multiway')").estimator.tests == "multiway"


@pytest.mark.parametrize(
    ("said", "label", "depth"),
    [
        (f"mine={TREE}(max_depth=3)", "mine", 3),
        (f"v1.2={TREE}(max_depth=3)", "v1.2", 3),
        (f" my tree = {TREE}( max_depth = 3 ) ", "my tree", 3),
        (f"mine={TREE}", "mine", None),
        (f"{TREE}(max_depth=3)", f"{TREE}(max_depth=3)", 3),
        ("mine=sklearn", "mine", None),
    ],
)
def test_labels(said: str, label: str, depth: int | None) -> None:
    found = find_method(said)
    assert (found.name, found.estimator.max_depth) == (label, depth)


def test_a_preset_under_another_name() -> None:
    assert repr(find_method("old=c4.5").estimator) == repr(presets["c4.5"]())
    assert find_method("old=c4.5").name == "old"


# -- several -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("rand,chi", ["rand", "chi"]),
        (" rand , chi,", ["rand", "chi"]),
        ("", []),
        (",,", []),
        ("a.B(x=1, y=2),c4.5", ["a.B(x=1, y=2)", "c4.5"]),
        ("a.B(x=(1, (2, (3, 4))), y=[5, 6]),rand", ["a.B(x=(1, (2, (3, 4))), y=[5, 6])", "rand"]),
        ("one=a.B(x={'p': 1, 'q': 2}),two=rand", ["one=a.B(x={'p': 1, 'q': 2})", "two=rand"]),
        ("a.B(x='),', y=\"(\"),rand", ["a.B(x='),', y=\"(\")", "rand"]),
        ("rand,a.B(x=1,chi", ["rand", "a.B(x=1,chi"]),
    ],
)
def test_commas_outside_brackets_and_quotes_divide(text: str, names: list[str]) -> None:
    assert split_names(text) == names


def test_several_methods_in_their_order() -> None:
    text = f"chi,{TREE}(max_depth=2, min_samples_leaf=5),mine=rand"
    assert [method.name for method in find_methods(text)] == [*split_names(text)[:2], "mine"]
    assert [method.name for method in find_methods(["chi", "mine=rand"])] == ["chi", "mine"]


# -- refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ("", "No method is named; name at least one, such as rand."),
        ("chi,rand,chi", "The method 'chi' is named twice; give one of them a name of its own: mine=chi."),
        ("x=chi,x=rand", "The method 'x' is named twice; give one of them a name of its own: mine=x."),
    ],
)
def test_lists_that_are_refused(names: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        find_methods(names)


@pytest.mark.parametrize("name", ["rnad", "mine=rnad", "=rand", "rand=", "a=b=rand", "rand(alpha=3)"])
def test_unknown_names_are_answered_with_the_valid_ones(name: str) -> None:
    with pytest.raises(ValueError, match=r"^Unknown method '.*'; valid names are .*c4.5.*, mdl, .*, sklearn"):
        find_method(name)


def test_a_near_name_is_suggested() -> None:
    with pytest.raises(ValueError, match="Did you mean 'boosting'"):
        find_method("bosting")


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("no.such.Thing", "The method 'no.such.Thing' cannot be imported (No module named 'no'); check its spelling."),
        ("sklearn.tree.Oak", "The method 'sklearn.tree.Oak' cannot be imported (module 'sklearn.tree' has no "),
        (".Thing", "The method '.Thing' cannot be imported ("),
        ("..Thing", "The method '..Thing' cannot be imported ("),
        ("sklearn.", "The method 'sklearn.' cannot be imported ("),
        (f"{TREE}(deep=3)", f"The method '{TREE}(deep=3)' cannot be made: "),
        (f"{TREE}(**{{'deep': 3}})", f'The method "{TREE}(**'),
        ("sklearn.tree", "The method 'sklearn.tree' is no class of scikit-learn classifiers with predict_proba"),
        ("sklearn.svm.LinearSVC", "The method 'sklearn.svm.LinearSVC' is no class of scikit-learn classifiers with "),
        ("sklearn.svm.SVC", "The method 'sklearn.svm.SVC' is no scikit-learn classifier with predict_proba"),
        ("collections.OrderedDict", "The method 'collections.OrderedDict' is no class of scikit-learn classifiers"),
        (
            "tests.lab.experiments.leaving.Thing",
            "The method 'tests.lab.experiments.leaving.Thing' cannot be imported (goodbye)",
        ),
        (
            "tests.lab.experiments.made.Refuses",
            "The method 'tests.lab.experiments.made.Refuses' cannot be made: not today.",
        ),
    ],
)
def test_paths_that_lead_to_no_classifier(path: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}"):
        find_method(path)


def test_nothing_but_a_class_of_classifiers_is_called(tmp_path: Path) -> None:
    """Functions would do whatever they do, with the parameters that are given."""
    victim = tmp_path / "kept"
    victim.mkdir()
    with pytest.raises(ValueError, match="is no class of scikit-learn classifiers with predict_proba; name one"):
        find_method(f"shutil.rmtree(path={str(victim)!r})")
    assert victim.is_dir()


@pytest.mark.parametrize(
    "brackets",
    [
        *("(3)", "(max_depth=three)", "(max_depth=3", "(max_depth 3)", "(a={[]: 1})"),
        *("(x=1).fit", "(x=1)(y=2)", f"(x={'(' * 5000})"),
    ],
)
def test_parameters_that_cannot_be_read(brackets: str) -> None:
    with pytest.raises(ValueError, match="cannot be read; write parameters as name=value in brackets, each value a "):
        find_method(TREE + brackets)


# -- what decides a result -----------------------------------------------------------------------------------


def test_settings_tell_parameters_kinds_and_versions_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = [
        DecisionTreeClassifier(),
        DecisionTreeClassifier(max_depth=3),
        ProbabilityTreeClassifier(),
        ProbabilityTreeClassifier(pruning=pruning.Chi()),
        ProbabilityTreeClassifier(pruning=pruning.Chi(alpha=0.1)),
        Shares(),
    ]
    digests = {Method("same", estimator).digest("trial") for estimator in made}
    monkeypatch.setattr(importlib.metadata, "version", lambda name: f"{name} of tomorrow")
    digests |= {Method("same", estimator).digest("trial") for estimator in made[:2]}
    digests.add(Method("same", Shares()).digest("another trial"))
    assert len(digests) == len(made) + 3


def test_settings_do_not_depend_on_the_object() -> None:
    one, other = (Method(name, ProbabilityTreeClassifier(pruning=pruning.Chi(alpha=0.1))) for name in ("a", "b"))
    assert one.settings == other.settings
    assert "petree" in one.settings
    assert importlib.metadata.version("petree") in one.settings


def test_every_learner_is_new_and_seeded_unless_it_has_a_seed() -> None:
    method = Method("shares", Shares(power=2.0))
    made = method.make(7)
    assert made is not method.estimator
    assert (made.power, made.random_state, method.estimator.random_state) == (2.0, 7, None)
    assert Method("shares", Shares(random_state=3)).make(7).random_state == 3
    assert Method("no seed", pruning.Chi()).make(7).alpha == pruning.Chi().alpha


def test_who_takes_columns() -> None:
    assert find_method("rand").takes_columns
    assert find_method("default").takes_columns
    assert not find_method("sklearn").takes_columns
    assert not Method("shares", Shares()).takes_columns
