"""Bayesian option trees as a scikit-learn classifier."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from petree.bayes import Prior, held_by, resolve_prior, share_out
from petree.bayes.summary import most_probable
from petree.binning import resolve_binning
from petree.columns import Column
from petree.estimators.choosing import most_probable_codes
from petree.estimators.importances import shares_of_columns
from petree.estimators.intervals import Intervals
from petree.estimators.learning import Cases, read_cases
from petree.estimators.memory import check_classes
from petree.estimators.mixtures import mixture_bounds
from petree.estimators.replacing import by_one_model, replaced_at_the_end
from petree.estimators.stored import Stored
from petree.estimators.tables import TableReader, warn_of_empty
from petree.estimators.tree import ProbabilityTreeClassifier
from petree.growing.options import OptionRules, grow_options
from petree.mixing import Mixer
from petree.parts import check_choice, check_integer, check_number, check_seed
from petree.pruning.engine.counts import split_bits
from petree.smoothing import Bayes
from petree.sources.coding import CodedTable
from petree.threads import Threads, count_threads
from petree.tree import Tree

# Growing keeps all rows at every level.
MOST_DEPTH = 100
# Class counts of all nodes together; the memory of a fit is some forty bytes for each.
MOST_COUNTS = 2**24
# How many nodes there may be, where nothing is said: the time of a fit grows with them.
LEAST_NODES, NODES_PER_ROW, MOST_NODES = 250_000, 4, 1_000_000


class OptionTreeClassifier(ClassifierMixin, TableReader):
    """An average over very many trees, which share their nodes (Buntine 1992, sections 3.1 to 3.3).

    Many searches grow a tree each, from all cases, and look at a few columns in each node, drawn anew. The tree of a
    search answers by the mean over all its prunings, each by its posterior probability, and the model by the mean over
    the searches, which are options of one root. Within a search a node may keep options, too: all tests whose quality
    comes near that of the best. The same rows, reached by other tests in another order, are then one node. `summary`
    gives a single tree to read. ``petree.presets["ind-option-1"]`` is as Buntine has it: one search, with options at
    every node.

    Parameters
    ----------
    prior : str or Prior, default="averaged"
        What is believed of trees and leaves: "I", "II", "III", "IV" or a `petree.bayes.Prior`. "averaged" is
        ``Prior("II", omega=0.8, alpha=0.5, shrink=0.5, power=0.35)``: more prunings have a say than by their posterior
        probability, since tests that were searched for look better than they are. "cautious" goes further and suits a
        single search: ``Prior("II", omega=0.7, shrink=0.6, power=0.25)``. Tests are compared with the pseudo-counts of
        the root at every level.
    lookahead : int, default=1
        Plies of the quality by which tests are kept, as far as `max_depth` allows: with 2 a test is as good as the best
        tests below it make it. The best four of a node look ahead, or `max_options` where these are more.
    max_options : int, default=2
        Most tests of a node in a search, each of another column.
    option_depth : int or None, default=3
        Levels, from the root on, whose nodes keep several tests; those below keep the best one. None for all levels.
    factor : float, default=1e-9
        A test is kept if its quality is at least this factor of the best one's.
    max_depth : int, default=40
        Most tests on a path, at most 100.
    tests : {"binary", "multiway"}, default="binary"
        Nominal columns are tested by ``x = v``, or get one branch a category.
    binning : str or binning, default="quantile"
        Where numeric columns may be cut.
    min_samples_leaf : int, default=1
        Least number of rows on either side of a split.
    max_nodes : int or None, default=None
        Most distinct nodes, each of some hundred bytes, or with many classes of some tens for each of them; None for
        250,000, four more for each row, and a million at most. A search
        that would take more than a fifth of them keeps one test a node, and then 4, 16, ... times as many rows in a
        leaf; and no further round of five searches begins that would not fit if it is like those before. So this bounds
        the time, too, and the model does not depend on the speed of the machine. A single search with too many nodes is
        less deep everywhere, and a warning tells how deep.
    n_searches : int, default=50
        Most searches.
    max_features : int, "sqrt" or None, default="sqrt"
        Columns that a search looks at in each node: so many, the square root of their number (rounded up), or all. With
        all of them every search finds the same tree.
    categorical_features : "from_dtype", None, mask, indices or names, default="from_dtype"
        Which columns are nominal; "from_dtype" takes text, booleans and categories.
    class_weight : None, "balanced" or dict, default=None
        Weighs the classes while tests are chosen, and in `predict`; `predict_proba` stays on the scale of the data.
        Only the ratios of the weights count.
    random_state : int, RandomState or None, default=None
        Seed of the draws of columns, which are the same each time where it is no integer.
    n_jobs : int or None, default=None
        Number of threads; the model does not depend on it.

    Attributes
    ----------
    tree_ : Tree
        With several splits at a node, and nodes that have several parents.
    shares_ : Shares
        Of the trees through each node, how many end there and how many go on with each split.
    prior_ : Prior
    classes_ : array of class labels
    columns_ : tuple of Column
    n_features_in_ : int
    feature_names_in_ : array of column names, where the input had any

    Examples
    --------
    >>> from petree import OptionTreeClassifier
    >>> X = {"colour": ["red", "red", "blue", "blue", "blue", "red"], "size": [1.0, 2.0, 1.0, 4.0, 3.0, 3.0]}
    >>> model = OptionTreeClassifier().fit(X, ["yes", "yes", "no", "no", "no", "yes"])
    >>> print(*model.summary(max_leaves=2).rules(), sep="\\n")
    if colour = blue then P(no)=0.84 (n=3)
    if colour != blue then P(yes)=0.84 (n=3)
    """

    def __init__(
        self,
        prior: Any = "averaged",
        lookahead: int = 1,
        max_options: int = 2,
        option_depth: int | None = 3,
        factor: float = 1e-9,
        max_depth: int = 40,
        tests: str = "binary",
        binning: Any = "quantile",
        min_samples_leaf: int = 1,
        max_nodes: int | None = None,
        n_searches: int = 50,
        max_features: Any = "sqrt",
        categorical_features: Any = "from_dtype",
        class_weight: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.prior = prior
        self.lookahead = lookahead
        self.max_options = max_options
        self.option_depth = option_depth
        self.factor = factor
        self.max_depth = max_depth
        self.tests = tests
        self.binning = binning
        self.min_samples_leaf = min_samples_leaf
        self.max_nodes = max_nodes
        self.n_searches = n_searches
        self.max_features = max_features
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    # -- learning -----------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None, classes: Any = None) -> Self:
        """Learn an option tree.

        Parameters
        ----------
        X : array, data frame or dict of columns
        y : class labels, one a row
        sample_weight : array, optional
            A weight of 2 equals the row given twice; a weight of 0 leaves it out.
        classes : array, optional
            All classes of the problem, where `y` may lack some.
        """
        with replaced_at_the_end(self) as model:
            model._fit(X, y, sample_weight, classes)
        return self

    def _fit(self, X: Any, y: Any, sample_weight: Any, classes: Any) -> None:
        rules, prior = self._rules(), resolve_prior(self.prior)
        cases = read_cases(self, X, y, sample_weight, None, classes, self.class_weight)
        rules = self._bound(rules, cases.table.n_rows, len(cases.classes))
        check_classes(len(cases.classes), min(cases.table.n_rows, rules.max_nodes // 2), 1, rules.max_depth)
        warn_of_empty(cases.table, 3)
        tree, depth = self._grow(cases, prior, rules, Threads(count_threads(self.n_jobs)))
        if depth < rules.max_depth:
            warnings.warn(
                f"The tree has depth {depth}, since with depth {depth + 1} it would have more than "
                f"max_nodes={rules.max_nodes} nodes{self._why_fewer(rules)}; raise max_nodes, or lower max_options or "
                "max_depth.",
                stacklevel=3,
            )
        self._set_fitted(tree, cases.table.columns, cases.classes, prior)

    def _bound(self, rules: OptionRules, n_rows: int, n_classes: int) -> OptionRules:
        """The rules with as many nodes as there may be: memory is used for their counts, one for each class."""
        usual = LEAST_NODES + NODES_PER_ROW * n_rows
        asked = rules.max_nodes if self.max_nodes is not None else min(usual, MOST_NODES)
        return rules._replace(max_nodes=min(asked, max(MOST_COUNTS // n_classes, 1)))

    def _why_fewer(self, rules: OptionRules) -> str:
        """Why there may not be as many nodes as the parameter says."""
        return "" if self.max_nodes in (None, rules.max_nodes) else " (no more than that with so many classes)"

    def _rules(self) -> OptionRules:
        for name in ("lookahead", "max_options", "max_depth", "min_samples_leaf", "n_searches"):
            check_integer(self, name, 1)
        for name in ("option_depth", "max_nodes"):
            if getattr(self, name) is not None:
                check_integer(self, name, 1)
        if self.max_features is not None and self.max_features != "sqrt":
            check_integer(self, "max_features", 1)
        check_choice(self, "tests", ("binary", "multiway"))
        check_seed(self)
        if self.max_depth > MOST_DEPTH:
            raise ValueError(
                f"The 'max_depth' parameter of OptionTreeClassifier must not be above {MOST_DEPTH}, since trees with "
                f"options grow exponentially. Got {self.max_depth!r} instead."
            )
        option_depth = self.max_depth if self.option_depth is None else self.option_depth
        return OptionRules(
            int(self.max_depth), int(self.max_options), int(option_depth),
            check_number(self, "factor", 0, above=True, most=1), int(self.lookahead), int(self.min_samples_leaf),
            MOST_NODES if self.max_nodes is None else int(self.max_nodes), int(self.n_searches), self.max_features,
            int(self.random_state) if isinstance(self.random_state, Integral) else 0,
        )  # fmt: skip

    def _grow(self, cases: Cases, prior: Prior, rules: OptionRules, threads: Threads) -> tuple[Tree, int]:
        table, labels = cases.table, cases.classes.tolist()
        coded = CodedTable.of(
            table.columns, table.arrays, cases.codes, cases.weights, len(labels), resolve_binning(self.binning), threads
        )
        return grow_options(
            coded, table.arrays, cases.codes, cases.weights, cases.factors, labels, self.tests, prior, rules, threads
        )

    @classmethod
    def _from_stored(cls, stored: Stored) -> Self:
        """A fitted estimator from what a model file holds; one that knows of no searches is of a single one."""
        model = cls(**{"n_searches": 1, "max_features": None, **stored.parameters})
        model._rules()
        resolve_binning(model.binning)
        stored.check_parameters_of(model)
        prior = resolve_prior(model.prior)
        prior.check()
        model._set_fitted(stored.tree, stored.columns, stored.classes, prior)
        stored.name_columns(model)
        return model

    def _set_fitted(self, tree: Tree, columns: tuple[Column, ...], classes: NDArray[Any], prior: Prior) -> None:
        self.tree_, self.prior_ = tree, clone(prior)  # the user's own may change
        self.columns_, self.classes_ = columns, classes
        self.n_features_in_ = len(self.columns_)
        self.shares_ = share_out(tree, *self._weights(), by_search=self.n_searches > 1)
        self._mixer = Mixer.of(tree, self.shares_)

    def _weights(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Logarithms of the weights of the nodes as leaves, and of the splits."""
        tree, prior = self.tree_, self.prior_
        return prior.leaves(tree), prior.splits(tree) + tree.split_annotations["cut_penalty"]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_mixer"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if hasattr(self, "tree_"):
            self._mixer = Mixer.of(self.tree_, self.shares_)

    # -- predicting ---------------------------------------------------------------------------------------

    @by_one_model
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities, one row a row of X, one column a class of `classes_`."""
        table = self._read_known(X)
        return self._mixer.probabilities(table, self.prior_.estimate(self.tree_), Threads(count_threads(self.n_jobs)))

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Natural logarithms of the class probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    @by_one_model
    def predict(self, X: Any) -> NDArray[Any]:
        """Most probable class, after class weights; the first of equals."""
        probabilities = self.predict_proba(X)
        return self.classes_[most_probable_codes(probabilities, self.tree_.class_weight)]

    @by_one_model
    def predict_interval(self, X: Any, level: float = 0.9) -> Intervals:
        """Credible intervals of the class probabilities, from the mixture of all trees.

        The posterior of a probability is a mixture of Beta distributions, one for each node that the row reaches, by
        the posterior probability that a tree ends there.

        Parameters
        ----------
        X : array, data frame or dict of columns
        level : float, default=0.9
            Posterior probability of the interval, with as much below it as above.

        Returns
        -------
        lower, upper : array (rows, classes)
        n : array (rows,)
            Mean number of training cases in the nodes where trees end.
        """
        table = self._read_known(X)
        return mixture_bounds(self._mixer, table, self.prior_, level, Threads(count_threads(self.n_jobs)))

    # -- reading ------------------------------------------------------------------------------------------

    @property
    @by_one_model
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of each column in the information that the tests gain, in the mean over all trees.

        The gain of a test, in bits of its node's cases, counts by the posterior probability of the trees that have it.
        """
        check_is_fitted(self)
        gains = split_bits(self.tree_) * held_by(self.tree_, self.shares_)
        return shares_of_columns(self.tree_, gains, len(self.columns_))

    @by_one_model
    def summary(self, max_leaves: int | None = 8) -> ProbabilityTreeClassifier:
        """The most probable single tree of at most so many leaves, as a fitted classifier that can be read.

        Its own probabilities are smoothed over its prunings with the same prior.

        Parameters
        ----------
        max_leaves : int or None, default=8
            None for the most probable tree of all.
        """
        check_is_fitted(self)
        if max_leaves is not None and (not isinstance(max_leaves, Integral) or max_leaves < 1):
            raise ValueError(f"A tree has at least 1 leaf: max_leaves must be an integer or None. Got {max_leaves!r}.")
        tree = most_probable(self.tree_, *self._weights(), max_leaves)
        cuts = np.zeros(tree.n_nodes)
        cuts[tree.split_nodes] = tree.split_annotations["cut_penalty"]
        tree = tree.with_annotations(cut_penalty=cuts)
        parameters = {
            "pruning": "none", "smoothing": Bayes(self.prior_), "tests": self.tests, "binning": self.binning,
            "min_samples_leaf": self.min_samples_leaf, "categorical_features": self.categorical_features,
            "class_weight": self.class_weight, "n_jobs": self.n_jobs,
        }  # fmt: skip
        has_names = hasattr(self, "feature_names_in_")
        stored = Stored(parameters, tree, self.columns_, self.classes_, has_names)
        return ProbabilityTreeClassifier._from_stored(stored)
