"""What the three classifiers share: a fitted tree that predicts, and that can be read."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from petree import exports, reading
from petree.columns import Column
from petree.estimators.notebook import ShownAsTree
from petree.estimators.parameters import WithParts
from petree.estimators.replacing import by_one_model
from petree.estimators.tables import TableReader
from petree.inputs.types import TableLike
from petree.reading.view import View
from petree.threads import Threads, count_threads
from petree.tree import Tree
from petree.tree.prediction import most_probable_codes

if TYPE_CHECKING:
    from petree.estimators.stored import Stored


class TreeClassifier(ClassifierMixin, WithParts, ShownAsTree, TableReader):
    """A classifier that has a tree.

    A subclass gives `predict_proba`, `_view` (the tree to read), `_pack` (what sends rows down its tree, in `_packed`)
    and `_split_gains`; `_from_stored` makes one of what a model file holds.
    """

    n_jobs: int | None
    tree_: Tree
    classes_: NDArray[Any]

    @classmethod
    @abstractmethod
    def _from_stored(cls, stored: Stored) -> Self:
        """A fitted estimator from what a model file holds."""

    @abstractmethod
    def _view(self, level: float | None = None) -> View:
        """What there is to read: a tree and the probabilities of its nodes, with a level also their intervals."""

    @abstractmethod
    def _pack(self) -> None:
        """Make ready to send rows down the tree."""

    @abstractmethod
    def _split_gains(self) -> NDArray[np.float64]:
        """What each split of the tree gains over all cases."""

    def _set_tree(self, tree: Tree, columns: Sequence[Column], classes: NDArray[Any]) -> None:
        self.tree_ = tree
        self.columns_ = tuple(columns)
        self.classes_ = classes
        self.n_features_in_ = len(self.columns_)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_packed"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if self.__sklearn_is_fitted__():
            self._pack()

    # -- predicting ---------------------------------------------------------------------------------------

    @abstractmethod
    def predict_proba(self, X: TableLike) -> NDArray[np.float64]:
        """Class probabilities, one row per row of X, one column per class of `classes_`."""

    @by_one_model
    def predict_log_proba(self, X: TableLike) -> NDArray[np.float64]:
        """Natural logarithms of the class probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    @by_one_model
    def predict(self, X: TableLike) -> NDArray[Any]:
        """Most probable class of each row, after class weights; the first of equals."""
        probabilities = self.predict_proba(X)
        return self.classes_[most_probable_codes(probabilities, self.tree_.class_weight)]

    def _threads(self) -> Threads:
        return Threads(count_threads(self.n_jobs))

    # -- reading ------------------------------------------------------------------------------------------

    @property
    @by_one_model
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of each column in the total gain of the tests, of which none counts below 0."""
        check_is_fitted(self)
        gains = np.maximum(self._split_gains(), 0.0)
        importances = np.bincount(self.tree_.conditions.column, gains, len(self.columns_)).astype(np.float64)
        total = importances.sum()
        return importances / total if total > 0 else importances

    @by_one_model
    def export(self, /, name: str, level: float | None = None, **options: Any) -> Any:
        """The tree in one of the formats of `petree.exports.EXPORTS`, such as "text", "rules" or "html".

        Parameters
        ----------
        name : str
        level : float, optional
            Level of the credible intervals, where the format shows any.
        **options
            What else the format can be told.
        """
        return exports.export(self, name, level, **options)

    @by_one_model
    def export_text(
        self,
        *,
        max_depth: int | None = None,
        decimals: int | None = None,
        top_classes: int | None = None,
        percent: bool = False,
    ) -> str:
        """The tree as text, one line per node.

        Parameters
        ----------
        max_depth : int, optional
            How many levels of tests are shown; all of them unless given.
        decimals : int, optional
            Digits behind the point: three of a share and two of a probability unless given.
        top_classes : int, optional
            How many classes are shown of each node: unless given all of them, but of more than five three.
        percent : bool, default=False
            Whether shares and probabilities are percentages.
        """
        return reading.export_text(
            self, max_depth=max_depth, decimals=decimals, top_classes=top_classes, percent=percent
        )

    @by_one_model
    def rules(self, level: float | None = None) -> list[str]:
        """One line per leaf; with a level, such as 0.9, also the credible interval of the probability.

        Under confusion and doubt a line tells what the leaf itself says; a row hears the other leaves too.
        """
        return reading.rules(self._view(level))

    @by_one_model
    def to_frame(self, level: float | None = None) -> Any:
        """One row per node, as a data frame; with a level also the credible intervals of the probabilities."""
        return reading.to_frame(self._view(level))

    @by_one_model
    def why(self, everything: bool = False) -> list[str]:
        """Why nodes were pruned, one line per cut subtree; with `everything` one for each node that was examined."""
        return reading.why(self, everything)
