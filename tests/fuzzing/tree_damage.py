"""Damage that still looks like a model: other tests, children, counts and columns, and smoothings of odd settings."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

NUMBERS = (0, 1, 2, 20, 0.5, 1.0, 1e-9, 1e-300, 1e9, 1e15, 1e300)
PARAMETERS = {
    "Shrinkage": "iterations",
    "MEstimate": "m",
    "MBranch": "m",
    "Hierarchical": "shrinkage",
    "Curtailment": "v",
    "Confusion": "factor",
    "Doubt": "doubt",
}
WORDS = ("laplace", "none", "bayes", "average", "shrinkage", "confusion", "doubt", "default")


class TreeDamage:
    def __init__(self, random: Random) -> None:
        self._random = random

    def change(self, data: dict[str, Any]) -> None:
        """Change something; nothing where what it would change is no longer there."""
        changes = (self._test, self._test, self._children, self._children, self._counts, self._column, self._columns)
        change = self._random.choice((*changes, self._smoothing, self._prior, self._weights, self._annotation))
        with suppress(AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError):
            change(data)

    def _test(self, data: dict[str, Any]) -> None:
        nodes, n_classes = data["tree"]["nodes"], len(data["classes"]["labels"])
        node = self._random.choice([row for row in nodes if len(row) > n_classes])
        column, few = self._random.randrange(len(data["columns"])), self._random.randrange(4)
        tests = (["<", column, few - 0.5], ["=", column, few], ["in", column, [0, few]], ["each", column])
        test = self._random.choice((*tests, ["missing", column], ["query", "visit(A, B, C, D, E, F)", 2]))
        node[n_classes] = [*test, few - 1] if self._random.random() < 0.4 else test
        if self._random.random() < 0.1:
            node.append(test)

    def _children(self, data: dict[str, Any]) -> None:
        n_nodes = len(data["tree"]["nodes"])
        children = data["tree"].setdefault("children", list(range(1, n_nodes)))
        children[self._random.randrange(len(children))] = self._random.randrange(1, n_nodes)

    def _counts(self, data: dict[str, Any]) -> None:
        n_classes, factor = len(data["classes"]["labels"]), self._random.choice(NUMBERS)
        for row in data["tree"]["nodes"]:
            row[:n_classes] = [count * factor for count in row[:n_classes]]

    def _column(self, data: dict[str, Any]) -> None:
        column = self._random.choice(data["columns"])
        column["kind"] = self._random.choice(("number", "nominal", "ordered"))
        if self._random.random() < 0.7:
            column["categories"] = list("abcdefgh"[: self._random.randrange(9)])

    def _columns(self, data: dict[str, Any]) -> None:
        data["columns"].append({"name": "more", "kind": "nominal", "categories": ["a", 1, 0.5]})

    def _smoothing(self, data: dict[str, Any]) -> None:
        data["smoothing"] = self._estimate()

    def _estimate(self) -> Any:
        if self._random.random() < 0.2:
            return self._random.choice(WORDS)
        if self._random.random() < 0.2:
            parts = [self._estimate() for _ in range(self._random.randrange(4))]
            return {"part": "petree.smoothing.Average", "parameters": {"parts": parts}}
        name, parameter = self._random.choice(list(PARAMETERS.items()))
        parameters = {parameter: self._random.choice(NUMBERS)}
        if name in ("Confusion", "Doubt") and self._random.random() < 0.5:
            parameters["leaf"] = self._estimate()
        return {"part": f"petree.smoothing.{name}", "parameters": parameters}

    def _prior(self, data: dict[str, Any]) -> None:
        numbers = {name: self._random.choice(NUMBERS) for name in ("alpha", "shrink", "omega", "power")}
        chosen = {name: number for name, number in numbers.items() if self._random.random() < 0.5}
        structure = self._random.choice(("I", "II", "III", "IV"))
        prior = {"part": "petree.bayes.Prior", "parameters": {"structure": structure, **chosen}}
        if "prior" in data["parameters"]:
            data["parameters"]["prior"] = prior
        else:
            data["smoothing"] = {"part": "petree.smoothing.Bayes", "parameters": {"prior": prior}}

    def _weights(self, data: dict[str, Any]) -> None:
        data["tree"]["class_weight"] = [self._random.choice(NUMBERS) for _ in data["classes"]["labels"]]

    def _annotation(self, data: dict[str, Any]) -> None:
        for name in ("annotations", "split_annotations"):
            for notes in data["tree"].get(name, {}).values():
                notes[self._random.randrange(len(notes))] = self._random.choice((None, -1, -1e300, *NUMBERS))
