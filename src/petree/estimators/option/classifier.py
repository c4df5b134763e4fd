"""Bayesian option trees as a scikit-learn classifier."""

from __future__ import annotations

import warnings
from typing import Self, cast

from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from petree.bayes import Prior, resolve_prior
from petree.binning import resolve_binning
from petree.estimators.explaining import MOVED, Grounds, Shapley
from petree.estimators.exporting import ExportsPrograms
from petree.estimators.learning.cases import Cases, read_cases
from petree.estimators.option.averaged import AveragedTrees
from petree.estimators.option.growing import grow
from petree.estimators.option.rules import bound_nodes, rules_of, why_smaller
from petree.estimators.option.summary import summary_of, view_of
from petree.estimators.parameters import Bins
from petree.estimators.partitioned.data import cases_in_memory, check_data, refuse_more_than_memory
from petree.estimators.partitioned.reading import ReadsParts
from petree.estimators.replacing import by_one_model, in_one_step
from petree.estimators.stored import Stored
from petree.estimators.tables import warn_of_small_weights
from petree.estimators.tree import ProbabilityTreeClassifier
from petree.growing.option_ground import OptionRules
from petree.inputs import Table
from petree.inputs.memory import check_classes
from petree.inputs.types import CategoricalFeatures, ClassWeight, LabelsLike, RandomState, TableLike
from petree.partitions.partition import CodedData
from petree.parts import check_choice
from petree.reading.view import View
from petree.routing import Mixer, Ways
from petree.threads import Threads


class OptionTreeClassifier(ReadsParts, AveragedTrees, ExportsPrograms):
    """An average over very many trees, which share their nodes (Buntine 1992, sections 3.1 to 3.3).

    Many searches grow a tree each, from all cases, and look at a few columns in each node, drawn anew, and at one test
    of each, of which better ones are drawn more often. The tree of a search answers by the mean over all its
    prunings, each by its posterior probability, and the model by the mean over the searches, which are options of one
    root. Within a search a node may keep options, too: all tests whose quality comes near that of the best. The same
    rows, reached by other tests in another order, are then one node. `summary` gives a single tree to read.
    ``petree.presets["ind-option-1"]`` is as Buntine has it: one search, with options at every node.

    Parameters
    ----------
    prior : str or Prior, default="default"
        What is believed of trees and leaves: "I", "II", "III", "IV" or a `petree.bayes.Prior`. "default" is "drawn",
        ``Prior("II", omega=0.8, alpha=0.5, shrink=0.5, power=0.45)``: more prunings have a say than by their posterior
        probability, since tests that were searched for look better than they are. Where no tests are drawn it is
        "averaged", the same with ``power=0.35``. "cautious" goes further and suits a single search:
        ``Prior("II", omega=0.7, shrink=0.6, power=0.25)``. Tests are compared with the pseudo-counts of the root at
        every level.
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
        250,000, four more for each row, and a million at most. Depth first, a search that would take more than a fifth
        of them keeps one test a node, and then 4, 16, ... times as many rows in a leaf; and no further round of five
        searches begins that would not fit if it is like those before. So this bounds the time, too, and the model does
        not depend on the speed of the machine. A single search with too many nodes is less deep everywhere, and a
        warning tells how deep; one tells, too, where there is room for the root alone.
    n_searches : int, default=50
        Most searches.
    max_features : int, "sqrt" or None, default="sqrt"
        Columns that a search looks at in each node: so many, the square root of their number (rounded up), or all. With
        None nothing is drawn, and every search finds the same tree; otherwise, where there are several searches, a
        column offers a cut, or a test ``x = v``, that is drawn by its share of the quality of all of them.
    growing : {"depth_first", "best_first"}, default="depth_first"
        "best_first" has an answer at any time: the nodes through which most of the posterior goes are opened next, in
        all searches alike, until `max_nodes` or `max_seconds` are used up. The evidence of the root
        (``shares_.log_evidence[0]``) never falls as `max_nodes` grows. An interrupt (Ctrl-C) ends growing with a
        warning, and the model answers with what is there. The rows of all open nodes are kept in memory. With nodes
        enough it is the tree of "depth_first", but for what is drawn in nodes that are reached by several ways.
    max_seconds : float or None, default=None
        With "best_first", the most seconds of growing. The model then depends on the speed of the machine and on what
        else it does, and may be another one each time, which it is not with `max_nodes` alone.
    weights : {"posterior", "information", "even"}, default="posterior"
        How trees are averaged: by their posterior probability; by its approximation with the entropy of the leaves
        (Buntine's Equation 4), which does not see how few cases a leaf has; or evenly, all that end where nothing
        is left to split, without prunings, as in ``presets["kwok-carter"]``. Neither tree nor `summary` depend on it.
    categorical_features : "from_dtype", None, mask, indices or names, default="from_dtype"
        Which columns are nominal; "from_dtype" takes text, booleans and categories, and leaves out columns that
        identify the rows: a category of its own in nearly every row, or numbers that number the rows.
    class_weight : None, "balanced" or dict, default=None
        Weighs the classes while tests are chosen, and in `predict`; `predict_proba` stays on the scale of the data.
        Only the ratios of the weights count.
    random_state : int, RandomState or None, default=None
        Seed of the draws, which are the same each time where it is no integer. What is drawn goes by what stands in the
        columns, not by their order and names, but that of tests that are equally good the first one counts. The same
        column in another unit is drawn otherwise, as with another seed.
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
    n_classes_ : int
    base_rates_ : array (classes,), as in `ProbabilityTreeClassifier`
    columns_ : tuple of Column
    required_columns_ : list of the columns that the tree tests, which `predict` needs of data frames and dicts
    n_features_in_ : int
    feature_names_in_ : array of column names, where the input had any

    Examples
    --------
    >>> from petree import OptionTreeClassifier
    >>> X = {"colour": ["red", "red", "blue", "blue", "blue", "red"], "size": [1.0, 2.0, 1.0, 4.0, 3.0, 3.0]}
    >>> model = OptionTreeClassifier().fit(X, ["yes", "yes", "no", "no", "no", "yes"])
    >>> print(*model.summary(max_leaves=2).rules(), sep="\\n")
    if colour = blue then P(no)=0.87 (n=3)
    if colour = red then P(yes)=0.87 (n=3)
    """

    def __init__(
        self,
        prior: str | Prior = "default",
        lookahead: int = 1,
        max_options: int = 2,
        option_depth: int | None = 3,
        factor: float = 1e-9,
        max_depth: int = 40,
        tests: str = "binary",
        binning: Bins = "quantile",
        min_samples_leaf: int = 1,
        max_nodes: int | None = None,
        n_searches: int = 50,
        max_features: int | str | None = "sqrt",
        growing: str = "depth_first",
        max_seconds: float | None = None,
        weights: str = "posterior",
        categorical_features: CategoricalFeatures = "from_dtype",
        class_weight: ClassWeight = None,
        random_state: RandomState = None,
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
        self.growing = growing
        self.max_seconds = max_seconds
        self.weights = weights
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    # -- learning -----------------------------------------------------------------------------------------

    @in_one_step
    def fit(
        self,
        X: TableLike | CodedData,
        y: LabelsLike | None = None,
        sample_weight: ArrayLike | None = None,
        classes: ArrayLike | None = None,
    ) -> Self:
        """Learn an option tree.

        Parameters
        ----------
        X : array, data frame or dict of columns; or data in parts that fit in memory
            These are whatever `code_files` reads, such as a folder of Parquet files, or what it has returned. More than
            `petree.partitions.use` allows is refused. Of codes the quality of a cut knows the cuts beside it, not the
            values.
        y : class labels, one per row; of data in parts the name of their column
            Left out with a `CodedData`, which has it.
        sample_weight : array, optional
            A weight of 2 equals the row given twice; a weight of 0 leaves it out.
        classes : array, optional
            All classes of the problem, where `y` may lack some.
        """
        rules = self._rules()
        prior = self.resolved_prior()
        parts = self._parts(X, y, sample_weight, None, classes)
        cases = (
            read_cases(self, cast(TableLike, X), cast(LabelsLike, y), sample_weight, None, classes, self.class_weight)
            if parts is None
            else self._cases_of_parts(parts)
        )
        if cases.weights is not None:
            warn_of_small_weights(cases.weights, 3)
        rules = bound_nodes(rules, self.max_nodes, cases.table.n_rows, len(cases.classes))
        check_classes(len(cases.classes), min(cases.table.n_rows, rules.max_nodes // 2), 1, rules.max_depth)
        found = grow(cases, prior, rules, self.tests, resolve_binning(self.binning), self._threads())
        if (why := why_smaller(found, rules, self.max_nodes)) is not None:
            warnings.warn(why, stacklevel=3)
        self._set_fitted(found.tree, cases.table.columns, cases.classes, prior)
        return self

    def _cases_of_parts(self, data: CodedData) -> Cases:
        """A data set in parts, all of it in memory."""
        check_data(data)
        refuse_more_than_memory(data, "An option tree")
        self._set_names([binned.column.name for binned in data.columns])
        return cases_in_memory(data, self.class_weight)

    def _rules(self) -> OptionRules:
        check_choice(self, "tests", ("binary", "multiway"))
        return rules_of(self)._replace(draws_tests=self._draws_tests())

    def _draws_tests(self) -> bool:
        """Whether a column offers one test that is drawn by its quality."""
        return self.n_searches > 1 and self.max_features is not None

    def resolved_prior(self) -> Prior:
        """The prior that the parameters name."""
        if isinstance(self.prior, str) and self.prior == "default":
            return resolve_prior("drawn" if self._draws_tests() else "averaged")
        return super().resolved_prior()

    @classmethod
    def _from_stored(cls, stored: Stored) -> Self:
        """A fitted estimator from what a model file holds; one that knows of no searches is of a single one."""
        model = cls(**{"n_searches": 1, "max_features": None, **stored.parameters})
        model._rules()
        resolve_binning(model.binning)
        stored.check_parameters_of(model)
        prior = model.resolved_prior()
        prior.check()
        model._set_fitted(stored.tree, stored.columns, stored.classes, prior)
        stored.complete(model)
        return model

    def _pack(self) -> None:
        self._packed = Mixer.of(self.tree_, self.shares_)

    # -- predicting ---------------------------------------------------------------------------------------

    def _mixing(self, table: Table, threads: Threads) -> tuple[Mixer, Table]:
        return self._packed, table

    def _grounds(self, level: float) -> Grounds:
        answers = self._answers(level)
        if self._shift().factors is not None:
            return Grounds(self.columns_, answers, MOVED)
        shapley = Shapley(Ways.of_options(self._packed), self.prior_.estimate(self.tree_), self._threads)
        return Grounds(self.columns_, answers, shapley)

    def _view(self, level: float | None = None) -> View:
        """A single tree, the `summary`, and behind it the whole."""
        return view_of(self, level)

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
        return summary_of(self, max_leaves)
