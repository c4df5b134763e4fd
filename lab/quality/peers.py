"""The other probability estimation trees: each gets numbers only, nominal columns one-hot, missing numbers replaced."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, ClassVar
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

Matrix = NDArray[np.float64]
Codes = NDArray[np.int64]


def with_version(package: str) -> str:
    """A package and its version."""
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} (not installed)"


class Peer(ABC):
    """A learner of another library; `y` are codes 0, 1, ... without gaps.

    One that is `slow` takes part in the first fold of each set alone.
    """

    label: ClassVar[str]
    packages: ClassVar[tuple[str, ...]] = ("scikit-learn",)
    slow: ClassVar[bool] = False

    @property
    def settings(self) -> str:
        """What decides the results, the versions of the libraries included."""
        return ", ".join((self.label, *map(with_version, self.packages)))

    @abstractmethod
    def fit(self, X: Matrix, y: Codes) -> Any: ...

    def answer(self, model: Any, X: Matrix) -> Matrix:
        probabilities: Matrix = model.predict_proba(X)
        return probabilities

    def n_leaves(self, model: Any) -> float:
        return float(model.get_n_leaves())


class DefaultTree(Peer):
    label = "scikit-learn tree, default"

    def fit(self, X: Matrix, y: Codes) -> Any:
        return DecisionTreeClassifier(random_state=0).fit(X, y)


class LaplaceTree(DefaultTree):
    label = "scikit-learn tree + Laplace"

    def answer(self, model: Any, X: Matrix) -> Matrix:
        leaves = model.apply(X)
        counts = model.tree_.value[leaves, 0] * model.tree_.n_node_samples[leaves, None]
        added: Matrix = counts + 1
        return added / added.sum(axis=1, keepdims=True)


class SigmoidTree(Peer):
    label = "scikit-learn tree + sigmoid (one tree)"

    def fit(self, X: Matrix, y: Codes) -> Any:
        # The default folds, but given as rows: by name they refuse classes of fewer than five rows.
        folds = list(StratifiedKFold(5).split(X, y))
        tree = DecisionTreeClassifier(random_state=0)
        return CalibratedClassifierCV(tree, method="sigmoid", cv=folds, ensemble=False).fit(X, y)

    def n_leaves(self, model: Any) -> float:
        return float(model.calibrated_classifiers_[0].estimator.get_n_leaves())


class Forest(Peer):
    label = "reference: random forest, 500 trees"

    def fit(self, X: Matrix, y: Codes) -> Any:
        return RandomForestClassifier(500, random_state=0, n_jobs=1).fit(X, y)

    def n_leaves(self, model: Any) -> float:
        return float("nan")


class Boosting(Forest):
    label = "reference: HistGradientBoosting"

    def fit(self, X: Matrix, y: Codes) -> Any:
        return HistGradientBoostingClassifier(random_state=0).fit(X, y)


class LightBoosting(Forest):
    label = "reference: LightGBM, 100 trees"
    packages = ("lightgbm",)

    def fit(self, X: Matrix, y: Codes) -> Any:
        learner = import_module("lightgbm").LGBMClassifier(n_estimators=100, random_state=0, n_jobs=1, verbose=-1)
        return learner.fit(X, y)


class CatBoosting(Forest):
    label = "reference: CatBoost"
    packages = ("catboost",)
    slow = True

    def fit(self, X: Matrix, y: Codes) -> Any:
        learner = import_module("catboost").CatBoostClassifier(
            random_seed=0, thread_count=1, verbose=False, allow_writing_files=False
        )
        return learner.fit(X, y)


class ShrunkTree(Peer):
    """Hierarchical shrinkage of imodels, lambda by cross-validation.

    Its inner folds fail where one of them lacks a class, so its log loss and its tree are told of all classes here;
    where no class is lacking, that changes nothing.
    """

    label = "imodels HSTreeCV, unpruned base"
    packages = ("imodels", "scikit-learn")
    max_leaf_nodes: ClassVar[int | None] = None

    def fit(self, X: Matrix, y: Codes) -> Any:
        tree = _TreeOfAllClasses(max_leaf_nodes=self.max_leaf_nodes, random_state=0)
        tree.n_all = int(y.max()) + 1
        with patch("imodels.tree.hierarchical_shrinkage.log_loss", _log_loss):
            return import_module("imodels").HSTreeClassifierCV(tree, max_leaf_nodes=self.max_leaf_nodes).fit(X, y)

    def n_leaves(self, model: Any) -> float:
        return float(model.estimator_.get_n_leaves())


class SmallShrunkTree(ShrunkTree):
    label = "imodels HSTreeCV, default (20 leaves)"
    max_leaf_nodes = 20


class _TreeOfAllClasses(DecisionTreeClassifier):  # type: ignore[misc]
    """A tree that answers for `n_all` classes, also those that it never saw."""

    n_all: int

    def predict_proba(self, X: Matrix, check_input: bool = True) -> Matrix:
        known = super().predict_proba(X, check_input)
        wide = np.zeros((len(known), self.n_all))
        wide[:, self.classes_.astype(int)] = known
        return wide


def _log_loss(y_true: Codes, probabilities: Matrix) -> float:
    """scikit-learn's log loss where the codes are the numbers of the columns; one column is the second of two."""
    table = probabilities if probabilities.ndim == 2 else np.column_stack((1 - probabilities, probabilities))
    of_truth = table[np.arange(len(y_true)), y_true.astype(int)]
    return float(-np.log(np.maximum(of_truth, np.finfo(np.float64).eps)).mean())


PEERS: dict[str, Callable[[], Peer]] = {
    "imodels/unpruned": ShrunkTree,
    "imodels/default": SmallShrunkTree,
    "scikit-learn/laplace": LaplaceTree,
    "scikit-learn/sigmoid": SigmoidTree,
    "scikit-learn/default": DefaultTree,
    "scikit-learn/forest": Forest,
    "scikit-learn/boosting": Boosting,
    "lightgbm/default": LightBoosting,
    "catboost/default": CatBoosting,
}
