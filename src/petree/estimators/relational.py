"""Probability trees over several tables as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from petree.binning import resolve_binning
from petree.estimators.grid import Grid
from petree.estimators.learning import Cases, read_cases, stopping_of
from petree.estimators.relational_reading import RelationalReading
from petree.estimators.relational_recipe import ROW, RelationalRecipe
from petree.estimators.relational_target import (
    known_by_key,
    read_labels,
    read_target,
    warn_of_class,
    warn_of_no_links,
    without_class,
)
from petree.estimators.replacing import by_one_model, replaced_at_the_end
from petree.estimators.stored import Stored
from petree.estimators.tuning import finish
from petree.inputs import Table
from petree.parts import check_choice, check_integer, check_number, check_rows, check_seed
from petree.pruning import resolve_pruning
from petree.relational.alignment import align
from petree.relational.automatic import automatic_bias
from petree.relational.bias import Bias
from petree.relational.database import Database
from petree.relational.labels import asking_for_labels, with_labels
from petree.relational.routing import RelationalRouter
from petree.relational.scope import Scope
from petree.relational.terms import FUNCTIONS
from petree.smoothing import goes_by_row, resolve_smoothing
from petree.splitting import resolve_split
from petree.threads import Threads, count_threads


class RelationalTreeClassifier(ClassifierMixin, RelationalReading):
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
        "mode" and "proportion".
    max_links : int or None, default=3
        With bias "auto" from links: rows beside its own that the query of an example may speak of.
    min_examples : int, default=2
        Training examples that must lead to a constant for it to be tried, where constants are not declared.
    binning : str or binning, default="entropy"
        How thresholds are chosen, once on the training examples: "entropy", "quantile" or "exact", at most 254 each.
    min_samples_leaf, max_depth, min_gain, class_weight, random_state, n_jobs
        As in `ProbabilityTreeClassifier`.
    known_labels : bool, default=False
        Whether tests may ask for the classes of other training examples that a query finds, in ``known_class``; an
        example never sees its own, nor that of any example outside the training data. Inner folds share them.
    max_answers : int, default=20_000_000
        A query with more answers is not asked, and a warning names it.

    Attributes
    ----------
    tree_ : Tree
    classes_ : array of class labels
    bias_ : Bias
        What could be asked; ``print(model.bias_)`` shows it as modes.
    node_probabilities_ : array (nodes, classes)

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
        database: Any = None,
        target: str | None = None,
        split: Any = "gain",
        pruning: Any = "default",
        smoothing: Any = "default",
        bias: Any = "auto",
        aggregates: Sequence[str] = ("count",),
        max_links: int | None = 3,
        min_examples: int = 2,
        binning: Any = "entropy",
        min_samples_leaf: float = 1,
        max_depth: int | None = None,
        min_gain: float = 0.0,
        class_weight: Any = None,
        known_labels: bool = False,
        max_answers: int = 20_000_000,
        random_state: Any = None,
        n_jobs: int | None = None,
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

    # -- learning -----------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None, classes: Any = None) -> Self:
        """Learn a tree.

        Parameters
        ----------
        X : keys of the examples
            As `Database.keys` gives them; of several columns tuples or a 2D array.
        y : class labels, one an example, optional
            Without them the column that `target` names has the labels.
        sample_weight, groups, classes
            As in `ProbabilityTreeClassifier.fit`.
        """
        with replaced_at_the_end(self) as model:
            model._fit(X, y, sample_weight, groups, classes)
        return self

    def _fit(self, X: Any, y: Any, sample_weight: Any, groups: Any, declared: Any) -> None:
        self._check_parameters()
        self.target_ = self.target or self._database().target
        grid = Grid.of(resolve_smoothing(self.smoothing))
        if goes_by_row(grid.smoothing):
            raise ValueError(f"{grid.smoothing!r} answers by columns of one table; choose another smoothing.")
        labels = read_labels(self._database(), self.target, X) if y is None else y
        cases = read_cases(self, X, labels, sample_weight, groups, declared, self.class_weight)
        table, column = self._target()
        if column is None:
            warn_of_class(self._database(), table, cases.table.arrays[0], cases.codes)
        recipe = self._recipe(cases).for_rows(cases.table.n_rows)
        scope = recipe.scope
        content = known_by_key(self._database(), table, cases.table.arrays[0])
        cases = replace(cases, route=partial(RelationalRouter.of, scope=scope), told=content)
        threads = Threads(count_threads(self.n_jobs))
        tree, source = recipe.learn(cases, threads)
        source.warn()  # type: ignore[attr-defined]
        done = finish(tree, grid, recipe, cases, threads)
        self._set_fitted(done.tree, (ROW,), cases.classes, recipe.split, done.smoothing, done.tuning)
        self._note_sizes(done.sizes)
        self._note_certainty(done.certainty)
        self.bias_, self.scope_, self.keys_ = recipe.bias, scope, X
        self._routed = (self._database(), RelationalRouter.of(done.tree, scope))

    def _check_parameters(self) -> None:
        self._check_settings()
        table, column = self._target()
        if column is not None:  # a class under another name would be there to be asked for
            self._database().relation(table).place(column)

    def _check_settings(self) -> None:
        """Raise for a bad parameter, as far as no database is needed to tell."""
        check_rows(self, "min_samples_leaf")
        for name in ("min_examples", "max_answers"):
            check_integer(self, name, 1)
        for name in ("max_depth", "max_links"):
            if getattr(self, name) is not None:
                check_integer(self, name, 1 if name == "max_depth" else 0)
        check_number(self, "min_gain", 0)
        check_choice(self, "known_labels", (True, False))
        check_seed(self)
        resolve_pruning(self.pruning)
        resolve_binning(self.binning)

    def _check_stored(self, stored: Stored) -> None:
        """Raise for a bad parameter of a model file, which keeps neither a database nor the classes of examples."""
        self._check_settings()
        stored.check_parameters_of(self)
        Grid.of(resolve_smoothing(self.smoothing))
        if self.known_labels or not isinstance(self.bias, str) or not isinstance(self.target, str):
            raise ValueError("a tree in a file has a target and a bias that are texts, and no known_labels")
        if not isinstance(self.aggregates, list) or any(name not in FUNCTIONS for name in self.aggregates):
            raise ValueError(f"The 'aggregates' must be a list of {', '.join(FUNCTIONS)}. Got {self.aggregates!r}.")
        if goes_by_row(resolve_smoothing(stored.smoothing)):
            raise ValueError(f"{stored.smoothing!r} answers by columns of one table; choose another smoothing.")

    def _recipe(self, cases: Cases) -> RelationalRecipe:
        table = self._target()[0]
        database, bias = without_class(self._database(), str(self.target_)), self._bias()
        if self.known_labels:
            rows = np.asarray(cases.table.arrays[0], np.int32)
            database = with_labels(database, table, rows, cases.codes, cases.classes)
            bias = asking_for_labels(bias, database, table, cases.classes)
        split, pruning = clone(resolve_split(self.split), safe=False), resolve_pruning(self.pruning)
        stopping, seed = stopping_of(self), self.random_state
        return RelationalRecipe(
            split, pruning, resolve_binning(self.binning), "binary", stopping,
            int(seed) if isinstance(seed, Integral) else 0,
            scope=Scope.of_target(database, table), bias=bias,
            min_examples=self.min_examples, max_answers=self.max_answers,
        )  # fmt: skip

    # -- the database ---------------------------------------------------------------------------------------

    def _database(self) -> Database:
        if self.database is None and hasattr(self, "tree_"):
            raise ValueError(
                "This model was loaded without its tables; set model.database to a petree.relational.Database that has "
                "the examples, or pass it to petree.load."
            )
        if not isinstance(self.database, Database):
            raise TypeError(
                f"The 'database' parameter must be a petree.relational.Database, got {type(self.database).__name__}."
            )
        return self.database

    def _target(self, database: Database | None = None) -> tuple[str, str | None]:
        """The table of the examples, and the column of the class where a table has it."""
        return read_target(self.target, database or self._database())

    def _bias(self) -> Bias:
        if isinstance(self.bias, Bias):
            return self.bias
        if self.bias != "auto":
            raise ValueError(f"The 'bias' parameter must be 'auto' or a Bias. Got {self.bias!r} instead.")
        database, table = without_class(self._database(), str(self.target_)), self._target()[0]
        if database.bias is not None:
            return database.bias
        warn_of_no_links(database, table)
        return automatic_bias(database, table, self.max_links, self.aggregates)

    # -- examples -------------------------------------------------------------------------------------------

    def _read(self, X: Any, *, reset: bool, database: Database | None = None) -> Table:
        """The examples as a table of one column: their rows in the target table."""
        table = self._target()[0] if reset else self.scope_.relations[0]
        rows = (database or self._database()).rows(table, X)
        if reset:
            if not len(rows):
                raise ValueError("X has no keys; at least one example of each class is needed to learn.")
            self.n_features_in_ = 1
        return Table((ROW,), (rows,), len(rows))

    def _read_rows(self, X: Any, rows: NDArray[np.intp]) -> Table:
        table = self._read(X, reset=True)
        return Table((ROW,), (table.arrays[0][rows],), len(rows))

    def _keep_router(self) -> None:
        """Nothing: the tests are parsed when the first example comes, since there may be no database yet."""

    @property
    def _router(self) -> RelationalRouter:  # type: ignore[override]
        """The tree as examples of the database go down it; another database may be set at any time."""
        kept, database = self.__dict__.get("_routed"), self._database()
        if kept is None or kept[0] is not database:
            kept = (database, self._routing(database))
            self.__dict__["_routed"] = kept
        return kept[1]

    def _routing(self, database: Database) -> RelationalRouter:
        """The tree as examples of another database than that of fit go down it."""
        if self.known_labels:
            raise ValueError(
                "With known_labels the tree asks for classes of its own database; predict without another."
            )
        own = self._readable()
        aligned = align(self.scope_.database, without_class(database, str(self.target_)), own.tables)
        return replace(own, scope=Scope.of_target(aligned, self.scope_.relations[0]))

    @by_one_model
    def predict_proba(self, X: Any, database: Database | None = None) -> NDArray[np.float64]:
        """Class probabilities, one row an example, one column a class of `classes_`.

        Parameters
        ----------
        X : keys of the examples
        database : Database, optional
            Other tables with the columns and links of those at fit, in which to look the examples up.
        """
        if database is None:
            return super().predict_proba(X)
        check_is_fitted(self)
        if not isinstance(database, Database):
            raise TypeError(f"'database' must be a petree.relational.Database, got {type(database).__name__}.")
        table, router = self._read(X, reset=False, database=database), self._routing(database)
        return router.probabilities(table, self.node_probabilities_, Threads(count_threads(self.n_jobs)))
