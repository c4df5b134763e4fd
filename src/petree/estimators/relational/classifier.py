"""Probability trees over several tables as a scikit-learn classifier."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from petree.estimators.learning.cases import Cases
from petree.estimators.learning.learner import learn
from petree.estimators.learning.recipe import Recipe
from petree.estimators.parameters import Bins, Pruning, Smoothing, Split, seed_of
from petree.estimators.relational.in_database import check_in_database
from petree.estimators.relational.learner import ExampleLearner
from petree.estimators.relational.reading import RelationalReading
from petree.estimators.relational.settings import (
    DECLARED,
    least_cases,
    refuse_by_row,
    warn_of_settings,
)
from petree.estimators.relational.sources import ROW, RelationalSourceMaker
from petree.estimators.replacing import in_one_step
from petree.estimators.stored import Stored
from petree.estimators.tuning.finish import Finished, finish
from petree.estimators.tuning.grid import Grid
from petree.growing import Stopping
from petree.inputs.types import ClassWeight, LabelsLike, RandomState
from petree.parts import check_choice, check_integer_or_none, check_number, check_rows
from petree.pruning import resolve_pruning
from petree.relational.bias.known_labels import asking_for_labels, with_labels
from petree.relational.bias.modes import Bias
from petree.relational.database import Database
from petree.relational.in_database import refuse
from petree.relational.routing import RelationalRouter
from petree.relational.source import RelationalSource
from petree.smoothing import resolve_smoothing
from petree.splitting import resolve_split


class RelationalTreeClassifier(ExampleLearner, RelationalReading):
    """A probability tree whose tests are queries over several tables (Tilde; Blockeel & De Raedt 1998).

    X holds keys of examples, rows of the target table. A test asks whether a query has an answer for the example; what
    it finds can be asked about further down where it succeeds.

    Parameters
    ----------
    database : Database
        The tables. Clones of the estimator share it.
    target : str or None, default=None
        Table of the examples, and the column to predict, which no test sees: ``"molecule.class"``, or ``"molecule"``
        where the class is in no table. None takes what the database declares.
    split, pruning, smoothing
        As in `ProbabilityTreeClassifier`.
    bias : "auto" or Bias, default="auto"
        What a test may ask. "auto" takes what the database declares or else what its links allow.
    aggregates : sequence of str, default=("count",)
        With bias "auto" from links: functions over the rows behind a link, out of "count", "min", "max", "sum", "mean",
        "mode" and "proportion"; with "complex" among them also over the rows that fit conditions, and with "two_links"
        also over the rows that those behind a link point to, or that point to these.
    max_links : int or None, default=3
        With bias "auto" from links: rows beside its own that the query of an example may speak of. Where it has them
        all, tests about the example by itself can still follow; below those the rows before are asked about no more.
    link_lookahead : bool, default=True
        With bias "auto" from links: whether a test may ask for a value of a row behind a new one in one step.
    windows : sequence of float, default=()
        With bias "auto" from links: the functions of `aggregates` also over the rows of so much time before that of the
        example, such as 90: days, where times are dates.
    min_examples : int, default=2
        Training examples that must lead to a constant for it to be tried, where constants are not declared.
    binning : str or binning, default="quantile"
        How thresholds are chosen, once on the training examples: "entropy", "quantile" or "exact", at most 254 each.
    min_samples_leaf, max_depth, min_gain, class_weight, random_state, n_jobs
        As in `ProbabilityTreeClassifier`. With ``min_samples_leaf="declared"`` a branch has as many examples as an ACE
        application declares (``minimal_cases``), or 2, and a warning names the settings that the tree does not follow.
    known_labels : bool, default=False
        Whether tests may ask for the classes of other training examples that a query finds, in ``known_class``; an
        example never sees its own, nor that of any example outside the training data. Inner folds share them.
    max_answers : int, default=20_000_000
        A query with more answers is not asked, and a warning names it.

    Attributes
    ----------
    tree_ : Tree
    classes_ : array of class labels
    n_classes_ : int
    base_rates_ : array (classes,), as in `ProbabilityTreeClassifier`
    bias_ : Bias
        What could be asked; ``print(model.bias_)`` shows it as modes.
    node_probabilities_ : array (nodes, classes)
        At the base rates of the training data.

    Examples
    --------
    >>> from petree.relational import Database
    >>> from petree import RelationalTreeClassifier
    >>> database = Database(
    ...     {
    ...         "molecule": {"id": [1, 2, 3, 4], "class": ["toxic", "toxic", "safe", "safe"]},
    ...         "atom": {"molecule": [1, 1, 2, 3, 4], "element": ["cl", "c", "cl", "c", "o"]},
    ...     },
    ...     links=["atom.molecule -> molecule.id"],
    ... )
    >>> model = RelationalTreeClassifier(database, "molecule.class", pruning="none", smoothing="laplace")
    >>> print(model.fit([1, 2, 3, 4]).export_text())
    n   safe  toxic
    4  0.500  0.500  all rows
    2  0.000  1.000  |- some atom (B) of the molecule has element = cl: P(toxic)=0.75
    2  1.000  0.000  |- no atom of the molecule has element = cl: P(safe)=0.75
    """

    def __init__(
        self,
        database: Database | None = None,
        target: str | None = None,
        split: Split = "gain",
        pruning: Pruning = "default",
        smoothing: Smoothing = "default",
        bias: str | Bias = "auto",
        aggregates: Sequence[str] = ("count",),
        max_links: int | None = 3,
        min_examples: int = 2,
        binning: Bins = "quantile",
        min_samples_leaf: float | str = 1,
        max_depth: int | None = None,
        min_gain: float = 0.0,
        class_weight: ClassWeight = None,
        known_labels: bool = False,
        max_answers: int = 20_000_000,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        link_lookahead: bool = True,
        windows: Sequence[float] = (),
    ) -> None:
        self.database = database
        self.target = target
        self.split = split
        self.pruning = pruning
        self.smoothing = smoothing
        self.bias = bias
        self.aggregates = aggregates
        self.max_links = max_links
        self.min_examples = min_examples
        self.binning = binning
        self.min_samples_leaf = min_samples_leaf
        self.max_depth = max_depth
        self.min_gain = min_gain
        self.class_weight = class_weight
        self.known_labels = known_labels
        self.max_answers = max_answers
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.link_lookahead = link_lookahead
        self.windows = windows

    # -- learning -----------------------------------------------------------------------------------------

    @in_one_step
    def fit(
        self,
        X: ArrayLike,
        y: LabelsLike | None = None,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        classes: ArrayLike | None = None,
    ) -> Self:
        """Learn a tree.

        Parameters
        ----------
        X : keys of the examples
            As `Database.keys` gives them; of several columns tuples or a 2D array.
        y : class labels, one per example, optional
            Without them the column that `target` names has the labels.
        sample_weight, groups, classes
            As in `ProbabilityTreeClassifier.fit`.
        """
        grid = Grid.of(resolve_smoothing(self.smoothing))
        refuse_by_row(grid.smoothing)
        maker, cases = self._prepare(X, y, sample_weight, groups, classes)
        recipe = self._recipe(maker).for_rows(cases.table.n_rows)
        threads = self._threads()
        tree, source = learn(recipe, cases, threads)
        for remark in source.remarks():
            warnings.warn(remark, stacklevel=3)
        del source  # inner folds have sources of their own
        done = finish(tree, grid, recipe, cases, threads)
        maker.check(done.tree, cases)
        maker.leave()
        self._set_fitted(done, (ROW,), cases.classes, recipe.split)
        self.keys_ = X
        self._routed = (self._database(), RelationalRouter.of(done.tree, self.scope_))
        return self

    def _check_settings(self) -> None:
        super()._check_settings()
        if self.min_samples_leaf != DECLARED:
            check_rows(self, "min_samples_leaf")
        check_integer_or_none(self, "max_depth", 1)
        check_number(self, "min_gain", 0)
        for name in ("known_labels", "link_lookahead"):
            check_choice(self, name, (True, False))
        resolve_pruning(self.pruning)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.min_samples_leaf == DECLARED:
            warn_of_settings(self._database().settings, self.split)

    def _check_in_database(self, sample_weight: ArrayLike | None) -> None:
        check_in_database(self, sample_weight)
        if self.known_labels:
            refuse(self._database(), "known_labels=True")

    def _check_stored(self, stored: Stored) -> None:
        super()._check_stored(stored)
        Grid.of(resolve_smoothing(self.smoothing))
        if self.known_labels:
            raise ValueError("a tree in a file has no known_labels")
        refuse_by_row(resolve_smoothing(stored.smoothing))

    @classmethod
    def _from_stored(cls, stored: Stored) -> Self:
        """A fitted estimator from what a model file holds."""
        model = cls(**stored.parameters)
        model._check_stored(stored)
        split = clone(resolve_split(model.split), safe=False)
        done = Finished(stored.tree, resolve_smoothing(stored.smoothing), stored.tuning, stored.sizes, stored.certainty)
        model._set_fitted(done, stored.columns, stored.classes, split)
        model._set_schema(stored)
        model._view()  # raises for a query that these tables cannot answer
        return model

    def _recipe(self, maker: RelationalSourceMaker) -> Recipe[RelationalSource]:
        split = clone(resolve_split(self.split), safe=False)
        pruning = resolve_pruning(self.pruning)
        least = least_cases(self.min_samples_leaf, self._database().settings)
        stopping = Stopping(least, self.max_depth, self.min_gain)
        return Recipe(split, pruning, stopping, maker, seed_of(self.random_state))

    def _lookahead(self) -> bool:
        return self.link_lookahead

    def _with_more(self, database: Database, bias: Bias, cases: Cases) -> tuple[Database, Bias]:
        if not self.known_labels:
            return database, bias
        table = self._target()[0]
        rows = np.asarray(cases.table.arrays[0], np.int32)
        labelled = with_labels(database, table, rows, cases.codes, cases.classes)
        return labelled, asking_for_labels(bias, labelled, table, cases.classes)
