"""The libraries side by side: how each takes the table, grows one unpruned tree and predicts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lab.speed.data import N_FEATURES, FloatArray, IntArray

THREADS = 2

# LightGBM allows no more leaves than this.
MOST_LIGHTGBM_LEAVES = 131_072


@dataclass(frozen=True)
class Limits:
    """Where a tree stops; None for no limit. Only boosting libraries need the leaves, only petree the depth."""

    n_leaves: int | None = None
    max_depth: int | None = None


class Library(ABC):
    """One library. Imports wait for the methods, so that each process loads its own library only."""

    label = ""
    package = ""
    threads = THREADS

    def __init__(self, nominal: bool = False) -> None:
        self.nominal = nominal

    def table(self, X: FloatArray) -> Any:
        """The table in the form that the library takes fastest; not timed."""
        return X

    @abstractmethod
    def fit(self, table: Any, y: IntArray, limits: Limits) -> Any: ...

    def predict_proba(self, model: Any, table: Any) -> NDArray[Any]:
        probabilities: NDArray[Any] = model.predict_proba(table)
        return probabilities

    def predicted(self, model: Any, probabilities: NDArray[Any]) -> NDArray[Any]:
        """The most probable classes."""
        classes: NDArray[Any] = probabilities.argmax(axis=1)
        return classes

    @abstractmethod
    def n_leaves(self, model: Any) -> int: ...

    @property
    def categories(self) -> list[int]:
        """Indices of the nominal features."""
        return list(range(N_FEATURES)) if self.nominal else []


class ScikitLearn(Library):
    label = "scikit-learn tree"
    package = "scikit-learn"
    threads = 1

    def fit(self, table: Any, y: IntArray, limits: Limits) -> Any:
        from sklearn.tree import DecisionTreeClassifier

        return DecisionTreeClassifier(criterion="entropy", random_state=0).fit(table, y)

    def n_leaves(self, model: Any) -> int:
        return int(model.get_n_leaves())


class Petree(Library):
    label = "petree"
    package = "petree"
    parameters: ClassVar[dict[str, Any]] = {"pruning": "none", "smoothing": "laplace"}

    def table(self, X: FloatArray) -> Any:
        if not self.nominal:
            return X
        import pandas as pd

        return pd.DataFrame({f"x{i}": pd.Categorical(_letters(column, "U1")) for i, column in enumerate(X.T)})

    def fit(self, table: Any, y: IntArray, limits: Limits) -> Any:
        from petree import ProbabilityTreeClassifier

        tree = ProbabilityTreeClassifier(max_depth=limits.max_depth, n_jobs=self.threads, **self.parameters)
        return tree.fit(table, y)

    def n_leaves(self, model: Any) -> int:
        return int(model.get_n_leaves())


class PetreeOneThread(Petree):
    threads = 1


class PetreeDefault(Petree):
    label = "petree, the default"
    parameters: ClassVar[dict[str, Any]] = {}


class PetreeSets(Petree):
    label = "petree, sets of categories"
    parameters: ClassVar[dict[str, Any]] = {**Petree.parameters, "tests": "sets"}


class PetreeDefaultSets(Petree):
    label = "petree, the default with sets"
    parameters: ClassVar[dict[str, Any]] = {"tests": "sets"}


class Ydf(Library):
    label = "ydf CART"
    package = "ydf"

    def table(self, X: FloatArray) -> Any:
        if self.nominal:
            return {f"x{i}": _letters(column, "S1") for i, column in enumerate(X.T)}
        return {f"x{i}": np.ascontiguousarray(column) for i, column in enumerate(X.T)}

    def fit(self, table: Any, y: IntArray, limits: Limits) -> Any:
        import ydf

        ydf.verbose(0)
        semantic = ydf.Semantic.CATEGORICAL if self.nominal else ydf.Semantic.NUMERICAL
        learner = ydf.CartLearner(
            label="label",
            features=[ydf.Column(name, semantic) for name in table],
            max_depth=-1,
            min_examples=1,
            validation_ratio=0.0,
            num_threads=self.threads,
        )
        return learner.train({**table, "label": y})

    def predict_proba(self, model: Any, table: Any) -> NDArray[Any]:
        probabilities: NDArray[Any] = model.predict(table, num_threads=self.threads)
        return probabilities

    def predicted(self, model: Any, probabilities: NDArray[Any]) -> NDArray[Any]:
        if probabilities.ndim == 1:  # two classes: the probability of the second
            probabilities = np.column_stack((1 - probabilities, probabilities))
        classes: NDArray[Any] = np.array(model.label_classes()).astype(np.int64)[probabilities.argmax(axis=1)]
        return classes

    def n_leaves(self, model: Any) -> int:
        return (int(model.num_nodes()) + 1) // 2


class HistGradientBoosting(Library):
    label = "HistGradientBoosting, one tree"
    package = "scikit-learn"

    def fit(self, table: Any, y: IntArray, limits: Limits) -> Any:
        from sklearn.ensemble import HistGradientBoostingClassifier

        booster = HistGradientBoostingClassifier(
            max_iter=1,
            learning_rate=1.0,
            max_leaf_nodes=limits.n_leaves,
            min_samples_leaf=1,
            l2_regularization=0.0,
            early_stopping=False,
            categorical_features=self.categories,
        )
        return booster.fit(table, y)

    def n_leaves(self, model: Any) -> int:
        return sum(int(tree.get_n_leaf_nodes()) for tree in model._predictors[0])


class LightGbm(Library):
    label = "LightGBM, one tree"
    package = "lightgbm"

    def fit(self, table: Any, y: IntArray, limits: Limits) -> Any:
        from lightgbm import Dataset, train

        n_classes = int(y.max()) + 1
        objective = {"objective": "multiclass", "num_class": n_classes} if n_classes > 2 else {"objective": "binary"}
        parameters = {
            "learning_rate": 1.0,
            "num_leaves": min(limits.n_leaves or MOST_LIGHTGBM_LEAVES, MOST_LIGHTGBM_LEAVES),
            "min_data_in_leaf": 1,
            "min_sum_hessian_in_leaf": 0.0,
            "min_data_per_group": 1,
            "cat_smooth": 0.0,
            "cat_l2": 0.0,
            "num_threads": self.threads,
            "histogram_pool_size": 1024,  # MB; without it 1e5 leaves would ask for 10 GB, and it is slower
            "verbose": -1,
        }
        data = Dataset(table, y, categorical_feature=self.categories)
        return train({**parameters, **objective}, data, num_boost_round=1)

    def predict_proba(self, model: Any, table: Any) -> NDArray[Any]:
        probabilities: NDArray[Any] = model.predict(table, num_threads=self.threads)
        return probabilities

    def predicted(self, model: Any, probabilities: NDArray[Any]) -> NDArray[Any]:
        return probabilities > 0.5 if probabilities.ndim == 1 else probabilities.argmax(axis=1)

    def n_leaves(self, model: Any) -> int:
        return sum(int(tree["num_leaves"]) for tree in model.dump_model()["tree_info"])


# scikit-learn comes first: the number of its leaves is the limit of the boosting libraries.
LIBRARIES: dict[str, type[Library]] = {
    "scikit-learn": ScikitLearn,
    "petree": Petree,
    "petree-1": PetreeOneThread,
    "petree-default": PetreeDefault,
    "petree-sets": PetreeSets,
    "petree-default-sets": PetreeDefaultSets,
    "ydf": Ydf,
    "hgb": HistGradientBoosting,
    "lightgbm": LightGbm,
}

PEERS = tuple(name for name, library in LIBRARIES.items() if library.package != "petree")


def label(name: str) -> str:
    """The library with its number of threads."""
    threads = LIBRARIES[name].threads
    return f"{LIBRARIES[name].label}, {threads} thread{'s' if threads > 1 else ''}"


def _letters(codes: FloatArray, dtype: str) -> NDArray[Any]:
    """The codes 0 to 7 as the words a to h."""
    return np.array(list("abcdefgh"), dtype)[codes.astype(np.intp)]
