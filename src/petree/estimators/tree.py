"""The probability estimation tree as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import replace
from typing import Self, cast

from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils import Bunch

from petree.estimators.constraints import InteractionCst, MonotonicCst
from petree.estimators.exporting import ExportsPrograms
from petree.estimators.learning.cases import read_cases
from petree.estimators.parameters import Bins, Pruning, Smoothing, Split
from petree.estimators.partitioned.classifier import LearnsFromParts
from petree.estimators.replacing import in_one_step
from petree.estimators.stored import Stored
from petree.estimators.tables import warn_of_chains, warn_of_copies, warn_of_small_weights
from petree.estimators.tuning.finish import Finished, needs_folds
from petree.estimators.tuning.grid import Grid
from petree.estimators.tuning.sizes import path_of_sizes
from petree.inputs.types import CategoricalFeatures, ClassWeight, LabelsLike, RandomState, TableLike
from petree.partitions.partition import CodedData
from petree.pruning import BestSize, CostComplexity, cost_complexity_path
from petree.pruning.engine.weakest_links import PruningPath
from petree.routing import DividingRouter
from petree.smoothing import resolve_smoothing


class ProbabilityTreeClassifier(LearnsFromParts, ExportsPrograms):
    """A decision tree whose leaves carry class probabilities.

    Reads numbers, dates, times, durations, text, booleans and categories, with missing values, from arrays and data
    frames.

    Parameters
    ----------
    split : str or split score, default="gain"
        How candidate tests are scored: a name such as "gain", "gain_ratio" or "gini" (`petree.splitting.MEMBERS` has
        all), or an object.
    pruning : str or pruning criterion, default="default"
        Which subtrees are cut: a name such as "rand", "mdl" or "none" (`petree.pruning.MEMBERS` has all), or an object.
        "default" is `petree.pruning.DEFAULT`, the subtree of the size that predicts best on inner folds.
    smoothing : str or estimate, default="default"
        How class counts become probabilities: a name such as "laplace", "m_branch" or "hierarchical"
        (`petree.smoothing.MEMBERS` has all), or an object. A numeric parameter of the object, or of its parts, may be
        "auto": it is then chosen by cross-validated log loss on the training data. "default" is
        `petree.smoothing.DEFAULT`, the mean of the hierarchical and the m-branch estimate, both tuned in this way.
    tests : {"binary", "sets", "multiway"}, default="binary"
        Nominal columns are tested by ``x = v``, by a set of categories, or get one branch a category. With two classes
        the best of all sets is found, with more the best cut of several orders of the categories. A category that a
        node has not seen goes with those that are not in the set, which have more rows. Columns of more than 255
        categories are tested by ``x = v`` with "sets", too.
    binning : str or binning, default="quantile"
        Where numeric columns may be cut: "quantile", "exact" or "entropy".
    min_samples_leaf : int or float, default=1
        Least number of rows on either side of a split, or a share of all rows; the default pruning asks for 2 or more.
    max_depth : int or None, default=None
        Most tests on a path.
    max_leaf_nodes : int or None, default=None
        Most leaves of a tree whose size the criterion chooses, as the default does; refused with others.
    min_gain : float, default=0.0
        Least score of a split.
    lookahead : int, default=1
        Tests on a path that are chosen together: with 2 a test counts with the best tests below it, so that a pair is
        found of which neither gains anything alone. For scores whose gains add up.
    beam : int, default=4
        Tests of a node that are looked behind: so many of the best by themselves, one a column. Time grows with it.
    categorical_features : "from_dtype", None, mask, indices or names, default="from_dtype"
        Which columns are nominal; "from_dtype" takes text, booleans and categories, and leaves out columns that
        identify the rows: a category of its own in nearly every row, or numbers that number the rows.
    class_weight : None, "balanced" or dict, default=None
        Weighs the classes while growing and pruning, and in `predict`; `predict_proba` stays on the scale of the data.
        Only the ratios of the weights count: all cases together weigh what they did.
    random_state : int, RandomState or None, default=None
        Seed of the parts that draw random numbers, and of the folds on which "auto" parameters are chosen, which are
        the same each time where it is no integer; growing draws none.
    n_jobs : int or None, default=None
        Number of threads; neither tree nor probabilities depend on it.
    first_test : str or None, default=None
        The test of the root, by hand: a column, whose best test it is then, or a test as trees show it, such as
        "age < 40", "home = rent", "home in {rent, own}" or "age is missing". No pruning takes it away.
    honest : bool, default=False
        Whether half of the rows grow the tree and the others alone are counted in its leaves, so that no test was
        chosen for what is counted. The tree learns less; its intervals are measured whatever the other parameters.
    monotonic_cst : array of -1, 0 and 1, or dict by column name, default=None
        1 where the probability of the second of two classes must not fall when the column rises, a number or an ordered
        category, -1 where it must not rise. docs/constraints.md tells what is guaranteed.
    interaction_cst : "pairwise", "no_interactions" or list of groups of columns, default=None
        Columns, by number or name, that may be tested on one path. Those that no group has are one more group.
    missing : {"branch", "fractions", "majority", "surrogates"}, default="branch"
        Where rows go whose value at a test is missing: to the branch that is better for the score, found with the test,
        where "is missing" is a test too; every way in parts, by the shares of the other rows (C4.5); to the larger
        branch; or where the best tests of other columns send them (CART). docs/guide/missing.md tells which to use.
    sample_ratio : float or None, default=None
        Choose the column of a large node's test on a sample of its rows, doubled until the best test is so many times
        more probable than that of any other column, such as 1000. None uses all rows.
    update_ratio : float, default=10.0
        How many times more probable another test must be to take the place of a node's test in `partial_fit`. With 1
        each call grows the tree of all rows anew.
    fix_ratio : float or None, default=None
        A test that is so many times more probable than those of all other columns is never changed by `partial_fit`.
    max_rows_kept : int or None, default=None
        Most rows that `partial_fit` keeps, as codes; beyond it none is kept, and new rows are only counted.

    Attributes
    ----------
    tree_ : Tree
    classes_ : array of class labels
    n_classes_ : int
    base_rates_ : array (classes,)
        What answers are for: the shares of the classes in the training data, or what `set_base_rates` says.
    columns_ : tuple of Column
    required_columns_ : list of str
        The columns that the tree tests; data frames and dicts may lack the others in `predict`.
    node_probabilities_ : array (nodes, classes)
        At the base rates of the training data.
    split_ : split score that was used
    smoothing_ : estimate that is used, with the chosen values of its "auto" parameters
    sizes_ : Sizes, where the criterion chose the size
        `n_leaves` and `bits`: the sizes that the tree could have had, and how well each predicts on inner folds.
        `resized` gives the tree of another one. Model files contain the log loss of each size, but not its tree.
    certainty_ : Certainty, where inner folds were learned, or where the tree is honest
        How many cases the leaves are worth: each of their own cases `each`, and a leaf no more than `most`.
    tuning_ : Tuning, where a parameter was "auto"
        `chosen` has the values by name; `tried` and `losses` have all combinations and their log loss in bits a row.
    n_rows_kept_ : int
        Rows that `partial_fit` has kept for its next call.
    n_features_in_ : int
    feature_names_in_ : array of column names, where the input had any

    Examples
    --------
    >>> from petree import ProbabilityTreeClassifier
    >>> X = {"colour": ["red", "red", "blue", "blue", "blue"], "size": [1.0, 2.0, 1.0, 4.0, None]}
    >>> model = ProbabilityTreeClassifier(pruning="none", smoothing="laplace").fit(X, ["yes", "yes", "no", "no", "yes"])
    >>> print("\\n".join(model.rules()))
    if colour = blue and size is missing then P(yes)=0.67 (n=1)
    if colour = blue and size is not missing then P(no)=0.75 (n=2)
    if colour = red then P(yes)=0.75 (n=2)
    """

    def __init__(
        self,
        split: Split = "gain",
        pruning: Pruning = "default",
        smoothing: Smoothing = "default",
        tests: str = "binary",
        binning: Bins = "quantile",
        min_samples_leaf: float = 1,
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_gain: float = 0.0,
        lookahead: int = 1,
        beam: int = 4,
        categorical_features: CategoricalFeatures = "from_dtype",
        class_weight: ClassWeight = None,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        honest: bool = False,
        first_test: str | None = None,
        monotonic_cst: MonotonicCst = None,
        interaction_cst: InteractionCst = None,
        missing: str = "branch",
        sample_ratio: float | None = None,
        update_ratio: float = 10.0,
        fix_ratio: float | None = None,
        max_rows_kept: int | None = None,
    ) -> None:
        self.split = split
        self.pruning = pruning
        self.smoothing = smoothing
        self.tests = tests
        self.binning = binning
        self.min_samples_leaf = min_samples_leaf
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_gain = min_gain
        self.lookahead = lookahead
        self.beam = beam
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.honest = honest
        self.first_test = first_test
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.missing = missing
        self.sample_ratio = sample_ratio
        self.update_ratio = update_ratio
        self.fix_ratio = fix_ratio
        self.max_rows_kept = max_rows_kept

    # -- learning -----------------------------------------------------------------------------------------

    @in_one_step
    def fit(
        self,
        X: TableLike | CodedData,
        y: LabelsLike | None = None,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        classes: ArrayLike | None = None,
    ) -> Self:
        """Learn a tree.

        Parameters
        ----------
        X : array, data frame or dict of columns; or data of any size
            Data in parts (docs/scaling.md) are whatever `code_files` reads, such as a folder of Parquet files, or what
            it has returned. `petree.partitions.use` says who counts them, and in how much memory.
        y : class labels, one per row; of data in parts the name of their column
            Left out with a `CodedData`, which has it.
        sample_weight : array, optional
            A weight of 2 equals the row given twice, two cases that were seen; a weight of 0 leaves it out. Fractional
            weights weigh the classes, but a row remains one row where rows are counted (`min_samples_leaf`, folds):
            divide whole weights by their mean if they do not count cases.
        groups : array, optional
            Label of each row's group, such as a patient. Rows of one group stay together wherever some are left out:
            in inner folds, in held-out cases, in the halves of an honest tree. Criteria that permute or draw rows one
            by one, such as "rand", are refused with groups; all counts are still of rows.
        classes : array, optional
            All classes of the problem, where `y` may lack some: a class without rows has a probability too, the one
            that the smoothing gives to what it has not seen.
        """
        self._check_parameters()
        self._grid()
        self._recipe()  # what is wrong with the parameters is told before anything is read
        self._updates = None
        self._divides_rows = self.missing == "fractions"
        parts = self._parts(X, y, sample_weight, groups, classes)
        if parts is not None:
            self._fit_parts(parts)
            return self
        cases = read_cases(
            self, cast(TableLike, X), cast(LabelsLike, y), sample_weight, groups, classes, self.class_weight
        )
        cases = replace(cases, route=DividingRouter.of) if self.missing == "fractions" else cases
        if self.tests != "multiway" and self.max_depth is None:
            warn_of_chains(cases.table, 3)
        if cases.weights is not None:
            warn_of_small_weights(cases.weights, 3)
            if cases.groups is None and needs_folds(self._recipe(), self._grid()):
                warn_of_copies(cases.weights, 3)
        self._learn(cases)
        return self

    def cost_complexity_pruning_path(
        self, X: TableLike, y: LabelsLike, sample_weight: ArrayLike | None = None
    ) -> Bunch:
        """The trees among which cost-complexity pruning, or the default, chooses: ever smaller ones.

        For ``pruning="cost_complexity"`` and ``"best_size"``, the default. A model with ``CostComplexity(alpha=...)``
        and one of the alphas has the tree of that alpha. This estimator is not fitted by it.

        Returns
        -------
        Bunch
            `ccp_alphas`, the price of a leaf from which on each tree is the best; `impurities`, its loss on the
            training cases, a mean (errors, bits or squared differences as the criterion says; of the default bits under
            the smoothing with values in the middle); and `n_leaves`.
        """
        path = clone(self)._path(X, y, sample_weight)
        return Bunch(ccp_alphas=path.alphas, impurities=path.risks, n_leaves=path.n_leaves)

    def _path(self, X: TableLike, y: LabelsLike, sample_weight: ArrayLike | None) -> PruningPath:
        self._check_parameters()
        recipe = self._recipe()
        if not isinstance(recipe.pruning, CostComplexity | BestSize):
            raise ValueError(f"{recipe.pruning!r} chooses from no path of trees; set pruning='cost_complexity'.")
        cases = read_cases(self, X, y, sample_weight, None, None, self.class_weight)
        grid = Grid.of(resolve_smoothing(self.smoothing))
        recipe, grid = self._for_table(recipe, grid, cases.table, len(cases.classes))
        tree = recipe.grow(cases, self._threads())[0].tree
        if isinstance(recipe.pruning, CostComplexity):
            return cost_complexity_path(tree, recipe.pruning.loss)
        return path_of_sizes(tree, grid)

    @classmethod
    def _from_stored(cls, stored: Stored) -> Self:
        """A fitted estimator from what a model file holds; without a used smoothing it is the declared one."""
        model = cls(**stored.parameters)
        model._check_parameters()
        stored.check_parameters_of(model)
        grid = Grid.of(resolve_smoothing(model.smoothing))
        recipe, grid = model._constrained(model._recipe(), grid, stored.columns, len(stored.classes))
        used = clone(grid.smoothing, safe=False) if stored.smoothing is None else resolve_smoothing(stored.smoothing)
        done = Finished(stored.tree, used, stored.tuning, stored.sizes, stored.certainty, grid.directions)
        model._set_fitted(done, stored.columns, stored.classes, recipe.split)
        model._divides_rows = model.missing == "fractions"
        stored.complete(model)
        return model
