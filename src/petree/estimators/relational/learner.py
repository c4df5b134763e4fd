"""Examples of a database to learn from, and what tests may ask about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from numpy.typing import ArrayLike

from petree.binning import resolve_binning
from petree.estimators.learning.cases import Cases, read_cases
from petree.estimators.parameters import Bins
from petree.estimators.relational.examples import ExampleReader
from petree.estimators.relational.in_database import refuse_repeated
from petree.estimators.relational.settings import check_asking
from petree.estimators.relational.sources import RelationalSourceMaker
from petree.estimators.relational.target import (
    check_times,
    known_by_key,
    read_labels,
    warn_about_unreached,
    warn_of_class,
    warn_of_identifiers,
    warn_of_no_links,
    without_class,
)
from petree.estimators.stored import Stored
from petree.inputs.types import ClassWeight, LabelsLike, RandomState
from petree.parts import check_integer, check_integer_or_none, check_seed
from petree.relational.bias.automatic import automatic_bias, far_tables
from petree.relational.bias.modes import Bias
from petree.relational.database import Database
from petree.relational.in_database import refuse
from petree.relational.queries.scope import Scope
from petree.relational.refinement.outlines import Outlines

# The default of `max_links`; a lower bound leaves tables out on purpose.
USUAL_LINKS = 3


class ExampleLearner(ExampleReader):
    """A classifier that learns from keys of examples, by tests that a language bias allows."""

    bias: str | Bias
    aggregates: Sequence[str]
    windows: Sequence[float]
    max_links: int | None
    min_examples: int
    binning: Bins
    max_answers: int
    class_weight: ClassWeight
    random_state: RandomState
    bias_: Bias

    def _prepare(
        self,
        X: ArrayLike,
        y: LabelsLike | None,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        declared: ArrayLike | None = None,
    ) -> tuple[RelationalSourceMaker, Cases]:
        """What makes a source, and of which examples; what may be asked is noted."""
        self._check_parameters()
        self._check_in_database(sample_weight)
        self.target_ = self.target or self._database().target
        labels = read_labels(self._database(), self.target, X) if y is None else y
        cases = read_cases(self, X, labels, sample_weight, groups, declared, self.class_weight)
        refuse_repeated(cases.table.arrays[0], self._database())
        table, column = self._target()
        if column is None:
            warn_of_class(self._database(), table, cases.table.arrays[0], cases.codes)
        maker = self._maker(cases)
        check_times(self._database(), table)
        self.bias_ = maker.bias
        self.scope_ = maker.scope
        content = known_by_key(self._database(), table, cases.table.arrays[0])
        return maker, replace(cases, route=maker.route, told=content)

    def _maker(self, cases: Cases) -> RelationalSourceMaker:
        table = self._target()[0]
        own = without_class(self._database(), str(self.target_))
        database, bias = self._with_more(own, self._bias(own, table), cases)
        outlines = Outlines.of(database)
        scope = outlines.first_scope(database, table)
        binning = resolve_binning(self.binning)
        return RelationalSourceMaker(binning, scope, bias, self.min_examples, self.max_answers, outlines)

    def _bias(self, database: Database, table: str) -> Bias:
        """The bias that is given, or else what the database declares, or what its links allow."""
        if isinstance(self.bias, Bias):
            return self.bias
        if self.bias != "auto":
            raise ValueError(f"The 'bias' parameter must be 'auto' or a Bias. Got {self.bias!r} instead.")
        if database.bias is not None:
            return database.bias
        warn_of_no_links(database, table)
        warn_of_identifiers(database, table)
        bias = automatic_bias(database, table, self.max_links, self.aggregates, self._lookahead(), self.windows)
        if self._lookahead() and (self.max_links is None or self.max_links >= USUAL_LINKS):
            warn_about_unreached(far_tables(database, table, self.max_links, self.aggregates).unreached)
        return bias

    def _with_more(self, database: Database, bias: Bias, cases: Cases) -> tuple[Database, Bias]:
        """The database as tests see it and what they may ask, with what is known of the cases besides."""
        return database, bias

    def _lookahead(self) -> bool:
        """Whether a test may ask for a value of a row behind a new one in one step."""
        return True

    # -- parameters -----------------------------------------------------------------------------------------

    def _check_parameters(self) -> None:
        self._check_settings()
        table, column = self._target()
        if column is not None:  # a class under another name would be there to be asked for
            self._database().relation(table).place(column)

    def _check_in_database(self, sample_weight: ArrayLike | None) -> None:
        """Raise for what cannot be learned from tables that stay in their database."""
        refuse(self._database(), type(self).__name__)

    def _check_settings(self) -> None:
        """Raise for a bad parameter, as far as no database is needed to tell."""
        for name in ("min_examples", "max_answers"):
            check_integer(self, name, 1)
        check_integer_or_none(self, "max_links", 0)
        check_seed(self)
        resolve_binning(self.binning)

    def _check_stored(self, stored: Stored) -> None:
        """Raise for a bad parameter of a model file, which keeps neither a database nor the classes of examples."""
        self._check_settings()
        stored.check_parameters_of(self)
        if not isinstance(self.bias, str) or not isinstance(self.target, str):
            raise ValueError("a tree in a file has a target and a bias that are texts")
        check_asking(self.aggregates, self.windows)

    def _set_schema(self, stored: Stored) -> None:
        """Take the tables of a model file, which have no rows, and what else it keeps."""
        schema = cast(Database, stored.schema)  # what is stored of a relational tree has one
        table = self._target(schema)[0]
        if not schema.relation(table).keys:
            raise ValueError(f"the table {table!r} of the examples has no key")
        self.scope_ = Scope.of_target(schema, table)
        self.target_ = self.target
        stored.complete(self)
