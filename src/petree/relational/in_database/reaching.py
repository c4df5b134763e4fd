"""Which rows of each table the examples lead to, as queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petree.relational.bias.reached_rows import neighbours_of
from petree.relational.database import Database
from petree.relational.in_database.server import Server
from petree.relational.reading.sql_text import ALWAYS, identifier
from petree.relational.relations import Relation

# Columns of a query for reached rows beside their own: the number of the example, and its time.
NUMBER, EXAMPLE_TIME = "n", "until"


@dataclass(frozen=True)
class Way:
    """From a table to the next, between columns that are equal."""

    here: str
    left: tuple[int, ...]
    there: str
    right: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Reaching:
    """Follows the links from the examples, as `bias.reached_rows` does in memory.

    `chosen` is a table with the numbers of the training examples.
    """

    server: Server
    database: Database
    target: str
    chosen: str
    most: int

    def queries(self, left_out: set[str]) -> dict[str, str]:
        """For each table a query for the rows that all examples lead to by the fewest links, with their numbers.

        A way of which the training examples have too many pairs is not followed; `left_out` is told.
        """
        found = {self.target: self._examples()}
        edge = [self.target]
        while edge:
            ways: dict[str, list[Way]] = {}
            for here in edge:
                for left, there, right in neighbours_of(self.database, here):
                    if there in found:
                        continue
                    way = Way(here, left, there, right)
                    if self._is_followed(way, found[here]):
                        ways.setdefault(there, []).append(way)
                    else:
                        left_out.add(f"values of {there} behind {here}")
            for there, some in ways.items():
                found[there] = self._reached(there, some, found)
            edge = list(ways)
        return found

    def _examples(self) -> str:
        relation = self.database.relation(self.target)
        s, until = self.own("s"), self.own(EXAMPLE_TIME)
        time = "" if relation.time is None else f", {s}.{_name(relation, relation.time)} AS {until}"
        return f"SELECT {s}.*{time} FROM {self.server.examples_table(relation)} AS {s}"

    def _is_followed(self, way: Way, here: str) -> bool:
        """Whether a way has no more pairs than are followed."""
        joined = self._joined(way, here, "COUNT(*)", self.server.tables.text(way.there))
        return (
            int(self.server.session.one(f"{joined} WHERE {chosen_ones(self.server, 'h', self.chosen)}")[0]) <= self.most
        )

    def _reached(self, there: str, ways: Sequence[Way], found: dict[str, str]) -> str:
        """A query for rows that are reached; each once, which has to be asked for where several ways lead there."""
        one = ways[0]
        keys = self.database.relation(one.here).keys
        h, r, row = map(self.own, ("h", "r", "row"))
        own = [f"{h}.{self.own(NUMBER)}", *self._until(h)]
        if len(ways) == 1 and any(set(one.left).issuperset(key) for key in keys):
            joined = self._joined(one, found[one.here], ", ".join([*own, f"{r}.*"]), self.server.tables.text(there))
            return self._known(there, joined)
        numbered = self.server.numbered(there)
        listed = f"DISTINCT {', '.join([*own, f'{r}.{row}'])}"
        pairs = " UNION ".join(self._joined(way, found[way.here], listed, numbered) for way in ways)
        pairs = f"SELECT * FROM {self.server.named(pairs)}"  # of all examples, since other trees need them, too
        columns = ", ".join([*own, *(f"{r}.{identifier(name)}" for name in self.server.tables.columns[there])])
        joined = f"SELECT {columns} FROM ({pairs}) AS {h} JOIN {numbered} AS {r} ON {r}.{row} = {h}.{row}"
        return self._known(there, joined)

    def _joined(self, way: Way, here: str, listed: str, there: str) -> str:
        left = self.database.relation(way.here)
        right = self.database.relation(way.there)
        pairs = zip(way.left, way.right, strict=True)
        h, r = self.own("h"), self.own("r")
        equal = " AND ".join(f"{r}.{_name(right, at)} = {h}.{_name(left, one)}" for one, at in pairs) or ALWAYS
        return f"SELECT {listed} FROM ({here}) AS {h} JOIN {there} AS {r} ON {equal}"

    def _until(self, alias: str) -> list[str]:
        has_time = self.database.relation(self.target).time is not None
        return [f"{alias}.{self.own(EXAMPLE_TIME)}"] if has_time else []

    def _known(self, there: str, query: str) -> str:
        """The rows that were known at the time of their examples."""
        relation = self.database.relation(there)
        k = self.own("k")
        if relation.time is None or not self._until(k):
            return query
        return f"SELECT {k}.* FROM ({query}) AS {k} WHERE {k}.{_name(relation, relation.time)} <= {self._until(k)[0]}"

    def own(self, name: str) -> str:
        """A name of petree's own."""
        return self.server.own(name)


def chosen_ones(server: Server, alias: str, chosen: str) -> str:
    """That rows, whose alias is one of petree's own, belong to examples of a table."""
    return f"{server.own(alias)}.{server.own(NUMBER)} IN (SELECT {server.own(NUMBER)} FROM {chosen})"


def _name(relation: Relation, place: int) -> str:
    return identifier(relation.columns[place].name)
