"""Related tables made flat by hand: counts, means, minima, maxima and shares of categories over one and two links."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

MOST_LINKS = 2
MOST_CATEGORIES = 30
EXAMPLE = "example"


class Flattener:
    """A folder of tables with a schema; `frame` is one row per example, by key, without its class."""

    def __init__(self, folder: Path) -> None:
        self.schema: dict[str, Any] = json.loads((folder / "schema.json").read_text(encoding="utf-8"))
        self.target: str = self.schema["target"]
        self.kinds: dict[str, dict[str, str]] = {name: one["columns"] for name, one in self.schema["tables"].items()}
        self.tables = {name: self._read(folder / f"{name}.csv.gz", kinds) for name, kinds in self.kinds.items()}
        declared = [(name, *link) for name, one in self.schema["tables"].items() for link in one["foreign_keys"]]
        self.links = [*declared, *((to, column, table, own) for table, own, to, column in declared)]
        del self.kinds[self.target][self.schema["class"]]

    def frame(self) -> pd.DataFrame:
        examples = self.tables[self.target].assign(**{EXAMPLE: range(len(self.tables[self.target]))})
        own = [name for name, kind in self.kinds[self.target].items() if kind != "key"]
        parts = [examples[own], *self._aggregates(self.target, examples[[EXAMPLE, *self.kinds[self.target]]], "", None)]
        return pd.concat(parts, axis=1).set_index(pd.Index(examples[self.schema["key"]]))

    def _read(self, path: Path, kinds: dict[str, str]) -> pd.DataFrame:
        text = {name: "category" for name, kind in kinds.items() if kind == "nominal"}
        frame = pd.read_csv(path, dtype=text, keep_default_na=False, na_values=["", "?"])
        numbers = [name for name, kind in kinds.items() if kind == "numeric"]
        return frame.astype(dict.fromkeys(numbers, "float64"))

    def _aggregates(self, table: str, rows: pd.DataFrame, prefix: str, came: Any) -> Iterator[pd.DataFrame]:
        """Over each link from a table that some rows of which belong to examples, and over the next ones."""
        n_links = prefix.count(".") + 1
        for link in self.links:
            start, column, to_table, to_column = link
            if start != table or (to_table, to_column, start, column) == came:
                continue  # straight back where we came from
            other = self.tables[to_table][list(self.kinds[to_table])]
            ends = rows[[EXAMPLE, column]].rename(columns={column: "_from"}).dropna()
            reached = ends.merge(other, left_on="_from", right_on=to_column).drop(columns="_from")
            name = f"{prefix}{to_table}[{column}, {to_column}]."
            yield self._summary(to_table, reached, name)
            if n_links < MOST_LINKS:
                yield from self._aggregates(to_table, reached, name, link)

    def _summary(self, table: str, reached: pd.DataFrame, prefix: str) -> pd.DataFrame:
        """Of the rows that belong to each example."""
        by_example = reached.groupby(EXAMPLE)
        found = {f"{prefix}count": by_example.size()}
        for column, kind in self.kinds[table].items():
            if kind == "numeric":
                found |= {f"{prefix}{column}.{how}": by_example[column].agg(how) for how in ("mean", "min", "max")}
            elif kind == "nominal":
                for category in reached[column].value_counts().index[:MOST_CATEGORIES]:
                    found[f"{prefix}{column}={category}"] = (
                        (reached[column] == category).groupby(reached[EXAMPLE]).mean()
                    )
        frame = pd.DataFrame(found).reindex(range(len(self.tables[self.target]))).astype("float64")
        return frame.fillna({f"{prefix}count": 0.0})
