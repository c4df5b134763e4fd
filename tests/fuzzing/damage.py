"""Damage to a model file by its structure: other types and numbers, items lost, copied and moved, kinds exchanged."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any

from tests.fuzzing.tree_damage import TreeDamage

NUMBERS = (0, 1, -1, 2, 3, 0.5, -0.5, 1e-300, 1e308, 5e-324, 2**31 - 1, 2**31, 2**32, 2**53, 2**63, 10**30, 10**400)
WORDS = ("", "x", "auto", "none", "number", "nominal", "ordered", "laplace", "\0", "'", "f(" * 500, "ä" * 300)
SIGNS = ("<", "=", "in", "each", "missing", "query")
ESTIMATORS = (
    "ProbabilityTreeClassifier",
    "OptionTreeClassifier",
    "RelationalTreeClassifier",
    "RelationalOptionTreeClassifier",
)
PARTS = ("petree.smoothing.Shrinkage", "petree.smoothing.Average", "petree.bayes.Prior", "petree.pruning.Rand")
INFINITY = "1e999"  # which JSON has, and Python reads as infinity


class Damage:
    def __init__(self, random: Random, files: list[dict[str, Any]]) -> None:
        self._random = random
        self._files = files

    def text(self) -> str:
        """One of the files, damaged in one or a few places."""
        data = deepcopy(self._random.choice(self._files))
        if self._random.random() < 0.2:
            data["tree"]["counts_replaced"] = True
        for _ in range(self._random.choice((1, 1, 1, 2, 3))):
            if self._random.random() < 0.4 and isinstance(data, dict):
                TreeDamage(self._random).change(data)
            else:
                data = self._damaged(data)
        return self._cut(json.dumps(data).replace("Infinity", INFINITY))

    def _cut(self, text: str) -> str:
        chance, place = self._random.random(), self._random.randrange(len(text) + 1)
        if chance < 0.01:
            return text[:place]
        return text[:place] + self._random.choice('[]{},:"9-') + text[place:] if chance < 0.02 else text

    # -- where -----------------------------------------------------------------------------------------------------

    def _damaged(self, data: Any) -> Any:
        """Change something on a random way down, where every level is as likely as its length allows."""
        place, key = self._place(data)
        if place is None:
            return self._nonsense()
        if isinstance(place[key], (list, dict)) and self._random.random() < 0.6:
            self._rearrange(place[key])
        elif self._random.random() < 0.15:
            place[key] = deepcopy(self._elsewhere(data))
        else:
            place[key] = self._other(place[key])
        return data

    def _place(self, data: Any) -> tuple[Any, Any]:
        place, key, inside = None, None, data
        while isinstance(inside, (list, dict)) and inside and (place is None or self._random.random() < 0.85):
            place, key = inside, self._key(inside)
            inside = place[key]
        return (None, None) if self._random.random() < 0.002 else (place, key)

    def _key(self, place: Any) -> Any:
        return self._random.choice(list(place)) if isinstance(place, dict) else self._random.randrange(len(place))

    def _elsewhere(self, data: Any) -> Any:
        """Something of the same file, or of another at any place."""
        place, key = self._place(data if self._random.random() < 0.5 else self._random.choice(self._files))
        return None if place is None else place[key]

    # -- what ------------------------------------------------------------------------------------------------------

    def _other(self, value: Any) -> Any:
        if self._random.random() < 0.25:
            return self._nonsense()
        if isinstance(value, bool) or value is None:
            return self._random.choice((True, False, None, 0, 1))
        if isinstance(value, (int, float)):
            return self._other_number(value)
        if isinstance(value, str):
            return self._other_word(value)
        return self._nonsense()

    def _other_number(self, value: float) -> Any:
        if abs(value) > 1e300:
            return self._random.choice(NUMBERS)
        near = (value + 1, value - 1, -value, value * 2, value + 1e-9, value / 3, str(value), value * 1e300)
        return self._random.choice((*near, *NUMBERS, float("inf")))

    def _other_word(self, value: str) -> str:
        for family in (SIGNS, ESTIMATORS):
            if value in family:
                return self._random.choice(family)
        place = self._random.randrange(len(value) + 1)
        changed = (value + "x", value[:place] + value[place + 1 :], value[:place] + "(" + value[place:], value * 2)
        return self._random.choice((*changed, *WORDS, *PARTS))

    def _nonsense(self) -> Any:
        deep: Any = 1
        for _ in range(self._random.choice((3, 30, 300))):
            deep = [deep] if self._random.random() < 0.5 else {"part": deep}
        part = {"part": self._random.choice(PARTS), "parameters": {"iterations": 10**9}}
        others = ([], {}, [[]], [1, 2, 3], deep, part, {"float": "inf"}, {"dict": [[1, 2]]}, list(range(1000)))
        return self._random.choice((None, True, *NUMBERS, *WORDS, *others))

    def _rearrange(self, value: Any) -> None:
        if isinstance(value, dict):
            self._rearrange_fields(value)
        elif not value or self._random.random() < 0.1:
            value.append(self._nonsense())
        else:
            self._rearrange_items(value)

    def _rearrange_fields(self, fields: dict[str, Any]) -> None:
        key = self._key(fields) if fields else "x"
        other = self._random.choice((*fields, "x", "categories", "sizes", "children", "counts_replaced"))
        change = self._random.randrange(3)
        if change == 0:
            fields.pop(key, None)
        elif change == 1:
            fields[other] = fields.pop(key, 1)
        else:
            fields[other] = deepcopy(fields.get(key, self._nonsense()))

    def _rearrange_items(self, items: list[Any]) -> None:
        first, second = self._random.randrange(len(items)), self._random.randrange(len(items))
        change = self._random.randrange(7)
        if change == 0:
            del items[first]
        elif change == 1:
            items.insert(second, deepcopy(items[first]))
        elif change == 2:
            items[first], items[second] = items[second], items[first]
        elif change == 3:
            items[first] = deepcopy(items[second])
        elif change == 4:
            items.reverse()
        elif change == 5:
            del items[first:]
        else:
            items.extend(deepcopy(items) * self._random.choice((1, 3, 9)))
