"""Who takes part in a comparison: learners by name."""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.metadata
import inspect
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sklearn.base import BaseEstimator, clone, is_classifier

from petree import ProbabilityTreeClassifier, RelationalTreeClassifier, presets, pruning
from petree.caching import cached_property
from petree.parts import unknown_name

# Learners that have a short name beside the presets and the pruning criteria.
SHORT_NAMES = {
    "default": "petree.ProbabilityTreeClassifier",
    "option": "petree.OptionTreeClassifier",
    "sklearn": "sklearn.tree.DecisionTreeClassifier",
    "forest": "sklearn.ensemble.RandomForestClassifier(n_estimators=500)",
    "boosting": "sklearn.ensemble.HistGradientBoostingClassifier",
}


@dataclass(frozen=True)
class Method:
    """A learner and what tables call it."""

    name: str
    estimator: BaseEstimator

    @property
    def takes_columns(self) -> bool:
        """Whether the learner reads columns of text and missing values by itself; others get numbers."""
        return type(self.estimator).__module__.partition(".")[0] in ("petree", "lab")

    @cached_property
    def settings(self) -> str:
        """All that decides what it learns: its class, its parameters, and the version of its library.

        Parameters that have their defaults are not named, so that a new one does not make old results void.
        """
        kind = type(self.estimator)
        defaults = {name: repr(one.default) for name, one in inspect.signature(kind).parameters.items()}
        values = {name: repr(value) for name, value in self.estimator.get_params(deep=False).items()}
        changed = sorted((name, value) for name, value in values.items() if value != defaults.get(name))
        return f"{kind.__module__}.{kind.__qualname__} {_version(kind.__module__)} {changed}"

    def digest(self, trial: str) -> str:
        """Short name of the settings on a trial."""
        return hashlib.sha256(f"{self.settings} {trial}".encode()).hexdigest()[:12]

    def make(self, seed: int) -> BaseEstimator:
        """A new learner, with this seed if it takes one and has none."""
        made = clone(self.estimator)
        parameters = made.get_params(deep=False)
        if "random_state" in parameters and parameters["random_state"] is None:
            made.set_params(random_state=seed)
        return made


def _version(module: str) -> str:
    try:
        return importlib.metadata.version({"sklearn": "scikit-learn"}.get(name := module.partition(".")[0], name))
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def find_methods(names: str | Iterable[str]) -> list[Method]:
    """Methods by name; a string holds several, with commas between them."""
    found = [find_method(name) for name in (split_names(names) if isinstance(names, str) else names)]
    labels = [method.name for method in found]
    if not found:
        raise ValueError("No method is named; name at least one, such as rand.")
    for label in labels:
        if labels.count(label) > 1:
            raise ValueError(f"The method {label!r} is named twice; give one of them a name of its own: mine={label}.")
    return found


def split_names(text: str) -> list[str]:
    """The names between the commas that stand outside brackets and quotes."""
    names = [""]
    depth = 0
    for token in re.findall(r"""'[^']*'|"[^"]*"|.""", text, re.DOTALL):
        depth += (token in "([{") - (token in ")]}")
        if token == "," and depth == 0:
            names.append("")
        else:
            names[-1] += token
    return [name.strip() for name in names if name.strip()]


def find_method(name: str) -> Method:
    """A method by name.

    Parameters
    ----------
    name : str
        A preset such as c4.5, a pruning criterion such as mdl, one of default, option, sklearn, forest and boosting, or
        the import path of a scikit-learn classifier with its parameters in brackets, such as
        ``sklearn.tree.DecisionTreeClassifier(max_depth=3)``. ``label=`` before it says what tables call it. An import
        path runs the module that it names: take none from people you do not trust.
    """
    label, _, said = name.partition("=") if re.match(r"[^(=]+=", name) else (name, "", name)
    label = label.strip()
    said = said.strip()
    if said in presets:
        if presets[said].estimator is RelationalTreeClassifier:
            raise ValueError(f"The preset {said!r} is for several tables; methods here learn from one.")
        return Method(label, presets[said]())
    if said in pruning.MEMBERS:
        return Method(label, ProbabilityTreeClassifier(pruning=said, smoothing="laplace"))
    path = SHORT_NAMES.get(said, said)
    if "." not in path:
        raise ValueError(unknown_name("method", said, [*presets, *pruning.MEMBERS, *SHORT_NAMES]))
    return Method(label, _import(path))


def _import(path: str) -> BaseEstimator:
    """The classifier that an import path and its parameters in brackets name; only a class of one is ever called."""
    place, parameters = _parse(path)
    module, _, name = place.rpartition(".")
    try:
        kind = getattr(importlib.import_module(module), name)
    except (Exception, SystemExit) as error:  # a module may fail in any way
        raise ValueError(f"The method {path!r} cannot be imported ({error}); check its spelling.") from None
    if not (inspect.isclass(kind) and issubclass(kind, BaseEstimator) and _answers(kind)):
        raise ValueError(f"The method {path!r} is no class of scikit-learn classifiers with predict_proba; name one.")
    try:
        made = kind(**parameters)
    except Exception as error:  # and so may a class
        raise ValueError(f"The method {path!r} cannot be made: {error}.") from None
    if not (_answers(made) and is_classifier(made)):
        raise ValueError(f"The method {path!r} is no scikit-learn classifier with predict_proba; name one.")
    return made


def _answers(model: BaseEstimator | type[BaseEstimator]) -> bool:
    return all(callable(getattr(model, name, None)) for name in ("fit", "predict_proba"))


def _parse(path: str) -> tuple[str, dict[str, Any]]:
    """The import path, and the parameters that stand in brackets behind it."""
    place, bracket, _ = path.partition("(")
    if not bracket:
        return place, {}
    try:
        call = ast.parse(path, mode="eval").body
        if isinstance(call, ast.Call) and not call.args and ast.unparse(call.func) == place:
            return place, {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):  # the last two: too many brackets
        pass
    raise ValueError(
        f"The method {path!r} cannot be read; write parameters as name=value in brackets, each value a number, a "
        "text in quotes, True, False or None."
    )
