"""What all classifiers share: a fitted tree that predicts, and that can be read."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from petree import exports, reading
from petree.columns import Column
from petree.estimators.decisions.base_rates import BaseRateShift, read_base_rates
from petree.estimators.decisions.costs import Costs, read_costs
from petree.estimators.explaining import Explanations, Grounds, ModelAnswers
from petree.estimators.intervals.bounds import Intervals, check_level
from petree.estimators.notebook import ShownAsTree
from petree.estimators.parameters import WithParts
from petree.estimators.replacing import LOCK, as_it_stays, by_one_model, in_one_step
from petree.estimators.tables import TableReader
from petree.inputs import Table
from petree.inputs.types import TableLike
from petree.reading.view import View
from petree.threads import Threads, count_threads
from petree.tree import Tree
from petree.tree.prediction import cheapest_codes, most_probable_codes

if TYPE_CHECKING:
    from petree.estimators.stored import Stored


class TreeClassifier(ClassifierMixin, WithParts, ShownAsTree, TableReader):
    """A classifier that has a tree.

    A subclass gives `_answer` (probabilities of a table), `_view` (the tree to read), `_pack` (what sends rows down its
    tree, in `_packed`), `_grounds` (what explanations rest on) and `_split_gains`; `_from_stored` makes one of what a
    model file holds.
    """

    n_jobs: int | None
    tree_: Tree
    classes_: NDArray[Any]
    n_classes_: int
    base_rates_: NDArray[np.float64]

    @classmethod
    @abstractmethod
    def _from_stored(cls, stored: Stored) -> Self:
        """A fitted estimator from what a model file holds."""

    @abstractmethod
    def _view(self, level: float | None = None) -> View:
        """What there is to read: a tree and the probabilities of its nodes, with a level also their intervals."""

    @abstractmethod
    def _answer(self, table: Table, threads: Threads) -> NDArray[np.float64]:
        """Class probabilities at the base rates of the training data."""

    @abstractmethod
    def _intervals(self, table: Table, level: float) -> Intervals:
        """Credible intervals of this level, at the current base rates."""

    @abstractmethod
    def _pack(self) -> None:
        """Make ready to send rows down the tree."""

    @abstractmethod
    def _grounds(self, level: float) -> Grounds:
        """What explanations rest on, with intervals of this level."""

    @abstractmethod
    def _split_gains(self) -> NDArray[np.float64]:
        """What each split of the tree gains over all cases."""

    def _set_tree(self, tree: Tree, columns: Sequence[Column], classes: NDArray[Any]) -> None:
        self.tree_ = tree
        self.columns_ = tuple(columns)
        self.classes_ = classes
        self.n_classes_ = len(classes)
        self.n_features_in_ = len(self.columns_)
        self.base_rates_ = self._trained_rates()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name not in ("_packed", LOCK)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if self.__sklearn_is_fitted__():
            self._pack()

    # -- predicting ---------------------------------------------------------------------------------------

    @by_one_model
    def predict_proba(self, X: TableLike) -> NDArray[np.float64]:
        """Class probabilities, one row per row of X, one column per class of `classes_`."""
        return self._answer_table(self._read_known(X))

    def _answer_table(self, table: Table) -> NDArray[np.float64]:
        """Class probabilities at the current base rates."""
        return self._shift().probabilities(self._answer(table, self._threads()))

    @by_one_model
    def predict_log_proba(self, X: TableLike) -> NDArray[np.float64]:
        """Natural logarithms of the class probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    @by_one_model
    def predict(self, X: TableLike, costs: Costs | None = None) -> NDArray[Any]:
        """Most probable class of each row, after class weights, or that of least expected cost; the first of equals.

        Parameters
        ----------
        X : array, data frame or dict of columns
        costs : array (classes, classes) or dict, optional
            ``costs[i, j]`` is what it costs to answer class j where class i is true, in the order of `classes_`; or
            ``{true class: {answered class: cost}}``, where right answers that are left out cost 0. Costs take the place
            of class weights: these have no say in the answer then, as they have none in `predict_proba`.
        """
        check_is_fitted(self)
        matrix = None if costs is None else read_costs(costs, self.classes_)
        probabilities = self.predict_proba(X)
        if matrix is None:
            return self.classes_[most_probable_codes(probabilities, self.tree_.class_weight)]
        return self.classes_[cheapest_codes(probabilities, matrix)]

    @in_one_step
    def set_base_rates(self, rates: Mapping[Any, float] | None) -> Self:
        """Answer for cases among which the classes are as frequent as this, and not as in the training data.

        For samples of which so many cases of each class were taken, and for base rates that change. By Bayes' rule the
        odds of the classes are multiplied by new over old rate, in whatever answers or shows probabilities; the tree
        does not change, and `node_probabilities_` stay those of the training data. A new fit forgets the rates.

        Parameters
        ----------
        rates : dict or None
            ``{class: rate}`` with all classes, each above 0, together 1. None takes the rates of the training data
            again.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        trained = self._trained_rates()
        self.base_rates_ = trained if rates is None else read_base_rates(rates, self.classes_, trained)
        return self

    def _trained_rates(self) -> NDArray[np.float64]:
        """The share of each class in the training data, which answers are for unless told otherwise."""
        return self.tree_.class_shares

    def _shift(self) -> BaseRateShift:
        """The move of probabilities from the base rates of the training data to the current ones."""
        return BaseRateShift.between(self._trained_rates(), self.base_rates_)

    @by_one_model
    def explain(self, X: TableLike, level: float = 0.9) -> Explanations:
        """Why each row gets its answer, in words and in numbers.

        Of each row: its path with the probability after each test, the credible interval, the nearest other verdict,
        and what each column contributes to the probability. What is not defined for a model is left out: a tree with
        options has no single path, tests over several tables are not about columns, and under confusion and doubt all
        leaves answer, so that neither contributions nor the verdict of one leaf are defined.

        Contributions are Shapley values of petree's own answer to unknown columns: a column that is not in a coalition
        is unknown, and each of its tests goes every way by training weight. (Path-dependent TreeSHAP has the same
        numbers.) The nearest other verdict is that of the leaf with another predicted class for which the fewest
        columns have to change; of several the one with the most training weight.

        Parameters
        ----------
        X : array, data frame or dict of columns
        level : float, default=0.9
            Posterior probability of the intervals.

        Returns
        -------
        Explanations
            A sequence of one `Explanation` for each row, with arrays for all of them.
        """
        check_level(level)
        table = self._read_known(X)
        grounds = as_it_stays(self)._grounds(level)
        asked = np.unique(self.tree_.conditions.column) if grounds.columns else ()
        return Explanations(grounds, table, np.arange(table.n_rows), tuple(map(int, asked)))

    def _answers(self, level: float) -> ModelAnswers:
        """What explanations tell of the answers, with intervals of this level."""
        intervals = partial(self._intervals, level=level)
        return ModelAnswers(self.classes_, self.tree_.class_weight, self._answer_table, intervals)

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
        max_depth: int | Literal["auto"] | None = "auto",
        decimals: int | None = None,
        top_classes: int | None = None,
        percent: bool = False,
        label: object | None = None,
    ) -> str:
        """The tree as text, one line per node.

        Parameters
        ----------
        max_depth : int, "auto" or None, default="auto"
            Number of levels that are shown; None for all levels. "auto" shows all levels of a tree of up to 50 leaves,
            and the first ones of a larger tree, with its number of leaves and the log loss of smaller trees.
        decimals : int, optional
            Digits behind the point: three of a share and two of a probability unless given.
        top_classes : int, optional
            How many classes are shown of each node: unless given all of them, but of more than five three; with 0
            none.
        percent : bool, default=False
            Whether shares and probabilities are percentages.
        label : class label, optional
            The class whose probability leaves say, such as a rare one; that of the most probable class unless given.
        """
        return reading.export_text(
            self._view().about(label), max_depth=max_depth, decimals=decimals, top_classes=top_classes, percent=percent
        )

    @by_one_model
    def rules(self, level: float | None = None, label: object | None = None) -> list[str]:
        """One line per leaf; with a level, such as 0.9, also the credible interval of the probability.

        It is the probability of the most probable class, or of `label`, such as a rare one that no leaf predicts.
        Under confusion and doubt a line tells what the leaf itself says; a row hears the other leaves too.
        """
        return reading.rules(self._view(level).about(label))

    @by_one_model
    def to_frame(self, level: float | None = None) -> Any:
        """One row per node, as a data frame; with a level also the credible intervals of the probabilities."""
        return reading.to_frame(self._view(level))

    @by_one_model
    def to_graphviz(self) -> str:
        """The tree in Graphviz's language: ``graphviz.Source(model.to_graphviz())`` draws it."""
        return str(exports.export(self, "dot"))

    @by_one_model
    def to_mermaid(self) -> str:
        """The tree in Mermaid's language, for Markdown pages."""
        return str(exports.export(self, "mermaid"))

    @by_one_model
    def why(self, everything: bool = False) -> list[str]:
        """Why nodes were pruned, one line per cut subtree; with `everything` one for each node that was examined."""
        return reading.why(self, everything)
