"""Bayesian option trees over several tables as a scikit-learn classifier."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from petree.bayes import Prior
from petree.estimators.explaining import Grounds
from petree.estimators.option.averaged import AveragedTrees
from petree.estimators.option.rules import bound_nodes, rules_of, why_smaller
from petree.estimators.parameters import Bins
from petree.estimators.relational.classifier import RelationalTreeClassifier
from petree.estimators.relational.examples import NO_COLUMNS
from petree.estimators.relational.exports import RelationalView
from petree.estimators.relational.learner import ExampleLearner
from petree.estimators.relational.option.growing import grow_from
from petree.estimators.relational.option.mixing import QueryMixer
from petree.estimators.relational.option.summary import summary_of, view_of
from petree.estimators.relational.sources import ROW
from petree.estimators.replacing import by_one_model, in_one_step
from petree.estimators.stored import Stored
from petree.inputs import Table
from petree.inputs.memory import check_classes
from petree.inputs.types import ClassWeight, LabelsLike, RandomState
from petree.parts import check_integer
from petree.relational.bias.modes import Bias
from petree.relational.database import Database
from petree.relational.reading.sentences import sentence_of
from petree.routing import Mixer
from petree.splitting import Gain
from petree.threads import Threads


class RelationalOptionTreeClassifier(ExampleLearner, AveragedTrees):
    """An average over very many trees whose tests are queries over several tables.

    `OptionTreeClassifier` for related tables: X holds keys of examples, as in `RelationalTreeClassifier`, and many
    searches grow a tree each, which answer together. Every test is about the example by itself: one that a tree could
    begin with, or, in half of the searches, one of the best of these together with one more that asks further about
    the rows that it finds. Unlike in `RelationalTreeClassifier` no test asks about rows that one above it has found.
    `summary` gives a single tree to read, in sentences, Prolog and SQL.

    Parameters
    ----------
    database, target
        As in `RelationalTreeClassifier`.
    prior : str or Prior, default="averaged"
        As in `OptionTreeClassifier`. "averaged" is ``Prior("II", omega=0.8, alpha=0.5, shrink=0.5, power=0.35)``.
    lookahead, max_options, option_depth, factor, max_depth, min_samples_leaf, max_nodes, n_searches, growing, \
max_seconds, weights
        As in `OptionTreeClassifier`, but that columns alone are drawn, no tests of them.
    max_features : int, "sqrt" or None, default="sqrt"
        Columns that a search looks at in each node, where all thresholds of one question are a column, and any other
        test is one by itself.
    n_refined : int, default=10
        Best tests about whose rows half of the searches may ask further ("some atom has element = n, and that atom has
        charge < 0"); 0 for none. A single search asks nothing further.
    bias : "auto" or Bias, default="auto"
        As in `RelationalTreeClassifier`.
    aggregates : sequence of str, default=("count", "mean")
        Functions over the rows behind a link, as in `RelationalTreeClassifier`. Least and greatest values are asked for
        in any case: some row lies below a threshold if the least does.
    max_links, windows, min_examples, max_answers
        As in `RelationalTreeClassifier`.
    binning : str or binning, default="quantile"
        How thresholds are chosen, once on the training examples: "entropy", "quantile" or "exact", at most 254 each.
    class_weight, random_state, n_jobs
        As in `OptionTreeClassifier`.

    Attributes
    ----------
    tree_ : Tree
        With several splits at a node, and nodes that have several parents. Each query is to be asked by itself.
    shares_ : Shares
        Of the trees through each node, how many end there and how many go on with each split.
    prior_ : Prior
    bias_ : Bias
        What could be asked; ``print(model.bias_)`` shows it as modes.
    classes_ : array of class labels
    n_classes_ : int
    base_rates_ : array (classes,), as in `ProbabilityTreeClassifier`

    Examples
    --------
    >>> from petree import RelationalOptionTreeClassifier
    >>> from petree.relational import Database
    >>> database = Database(
    ...     {
    ...         "molecule": {"id": [1, 2, 3, 4, 5, 6], "class": ["toxic", "toxic", "toxic", "safe", "safe", "safe"]},
    ...         "atom": {"molecule": [1, 1, 2, 3, 4, 5, 6, 6], "element": ["cl", "c", "cl", "cl", "c", "o", "c", "c"]},
    ...     },
    ...     links=["atom.molecule -> molecule.id"],
    ... )
    >>> model = RelationalOptionTreeClassifier(database, "molecule.class").fit([1, 2, 3, 4, 5, 6])
    >>> print(*model.summary(max_leaves=2).rules(), sep="\\n")
    if some atom (B) of the molecule has element = cl then P(toxic)=0.84 (n=3)
    if no atom of the molecule has element = cl then P(safe)=0.84 (n=3)
    """

    def __init__(
        self,
        database: Database | None = None,
        target: str | None = None,
        prior: str | Prior = "averaged",
        lookahead: int = 1,
        max_options: int = 2,
        option_depth: int | None = 3,
        factor: float = 1e-9,
        max_depth: int = 40,
        min_samples_leaf: int = 1,
        max_nodes: int | None = None,
        n_searches: int = 50,
        max_features: int | str | None = "sqrt",
        n_refined: int = 10,
        growing: str = "depth_first",
        max_seconds: float | None = None,
        weights: str = "posterior",
        bias: str | Bias = "auto",
        aggregates: Sequence[str] = ("count", "mean"),
        max_links: int | None = 3,
        min_examples: int = 2,
        binning: Bins = "quantile",
        max_answers: int = 20_000_000,
        class_weight: ClassWeight = None,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        windows: Sequence[float] = (),
    ) -> None:
        self.database = database
        self.target = target
        self.prior = prior
        self.lookahead = lookahead
        self.max_options = max_options
        self.option_depth = option_depth
        self.factor = factor
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.max_nodes = max_nodes
        self.n_searches = n_searches
        self.max_features = max_features
        self.n_refined = n_refined
        self.growing = growing
        self.max_seconds = max_seconds
        self.weights = weights
        self.bias = bias
        self.aggregates = aggregates
        self.max_links = max_links
        self.min_examples = min_examples
        self.binning = binning
        self.max_answers = max_answers
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.windows = windows

    # -- learning -----------------------------------------------------------------------------------------

    @in_one_step
    def fit(
        self,
        X: ArrayLike,
        y: LabelsLike | None = None,
        sample_weight: ArrayLike | None = None,
        classes: ArrayLike | None = None,
    ) -> Self:
        """Learn an option tree.

        Parameters
        ----------
        X : keys of the examples
            As `Database.keys` gives them; of several columns tuples or a 2D array.
        y : class labels, one per example, optional
            Without them the column that `target` names has the labels.
        sample_weight, classes
            As in `OptionTreeClassifier.fit`.
        """
        rules = rules_of(self)
        prior = self.resolved_prior()
        maker, cases = self._prepare(X, y, sample_weight, None, classes)
        rules = bound_nodes(rules, self.max_nodes, cases.table.n_rows, len(cases.classes))
        check_classes(len(cases.classes), min(cases.table.n_rows, rules.max_nodes // 2), 1, rules.max_depth)
        threads = self._threads()
        source = maker.source(cases, Gain(), rules.min_samples_leaf, threads)
        found = grow_from(source, cases, prior, rules, int(self.n_refined), threads)
        maker.leave()
        for remark in (*source.remarks(), why_smaller(found, rules, self.max_nodes)):
            if remark is not None:
                warnings.warn(remark, stacklevel=3)
        self._set_fitted(found.tree, (ROW,), cases.classes, prior)
        self.keys_ = X
        self._routed = (self._database(), QueryMixer.of(found.tree, self.shares_, self.scope_))
        return self

    def _check_settings(self) -> None:
        super()._check_settings()
        check_integer(self, "n_refined", 0)

    @classmethod
    def _from_stored(cls, stored: Stored) -> Self:
        """A fitted estimator from what a model file holds."""
        model = cls(**stored.parameters)
        rules_of(model)
        model._check_stored(stored)
        prior = model.resolved_prior()
        prior.check()
        model._set_fitted(stored.tree, stored.columns, stored.classes, prior)
        model._set_schema(stored)
        for query in QueryMixer.of(model.tree_, model.shares_, model.scope_).tests.queries:
            sentence_of(model.scope_, query)  # raises for a query that these tables cannot answer
        return model

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_routed"}

    # -- predicting ---------------------------------------------------------------------------------------

    def _mixing(self, table: Table, threads: Threads) -> tuple[Mixer, Table]:
        found = self._for_database(self._mixing_in)
        return found.mixer, found.table(table, threads)

    def _mixing_in(self, database: Database) -> QueryMixer:
        """The tree as examples of another database than that of fit go down it."""
        own = QueryMixer.of(self.tree_, self.shares_, self.scope_)
        scope = self._scope_in(database, own.tests.asked_columns())
        return replace(own, tests=replace(own.tests, scope=scope))

    def _grounds(self, level: float) -> Grounds:
        return Grounds((), self._answers(level), NO_COLUMNS)

    # -- reading ------------------------------------------------------------------------------------------

    def _view(self, level: float | None = None) -> RelationalView:
        """A single tree, the `summary`."""
        return view_of(self, level)

    @by_one_model
    def summary(self, max_leaves: int | None = 8) -> RelationalTreeClassifier:
        """The most probable single tree of at most so many leaves, as a fitted classifier that can be read.

        A test costs as much as it takes to tell it from all others of its node, which are hundreds: some fit by chance,
        which cancels out in the average but not in a single tree. Its own probabilities are smoothed over its prunings
        with the same prior. Its tests read as sentences, and it has `to_prolog`, `to_sql` and `rows_at`.

        Parameters
        ----------
        max_leaves : int or None, default=8
            None for the most probable tree of all.
        """
        check_is_fitted(self)
        return summary_of(self, max_leaves)
