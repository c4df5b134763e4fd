"""Numbers of examples, asked of a database once and kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petree.relational.in_database.questions import Output, Question, joins_of, joint
from petree.relational.in_database.server import Server
from petree.relational.refinement.families import EQUALS, EXISTS, Family

# Outputs of one query, and subqueries that are joined in it; more are asked for in several. SQLite joins 64 tables.
MOST_OUTPUTS = 200
MOST_JOINS = 40


@dataclass(frozen=True, eq=False)
class Found:
    """The numbers of the examples that have answers, in order, and for each output a value of each."""

    numbers: NDArray[np.int64]
    values: dict[Output, NDArray[np.float64] | NDArray[np.uint8]]

    def places(self, examples: NDArray[np.int32]) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
        """Which of some examples have answers, and the places of these among the numbers."""
        if not len(self.numbers):
            return np.zeros(len(examples), bool), np.empty(0, np.intp)
        places = np.minimum(np.searchsorted(self.numbers, examples), len(self.numbers) - 1)
        has_answers = self.numbers[places] == examples
        return has_answers, places[has_answers]


def ask(server: Server, question: Question) -> Found:
    """Answers of a question for all examples; they are kept."""
    source = (question.tables, question.conditions)
    numbers = server.arrays.get((source, None))
    known = {one: server.arrays.get((source, one)) for one in question.outputs}
    missing = tuple(one for one, array in known.items() if array is None)
    if numbers is not None and not missing:
        return Found(numbers, known)
    found = ask_anew(server, replace(question, outputs=missing))
    server.arrays.keep((source, None), found.numbers, found.numbers.nbytes)
    for one, array in found.values.items():
        server.arrays.keep((source, one), array, array.nbytes)
    return Found(found.numbers, {**known, **found.values})


def ask_anew(server: Server, question: Question) -> Found:
    """Answers of a question, as many outputs at a time as one query may have; nothing is kept."""
    numbers = np.empty(0, np.int64)
    values: dict[Output, NDArray[np.float64] | NDArray[np.uint8]] = {}
    for some in _blocks(question):
        found, *columns = server.session.numbers(some.text())
        numbers = found.astype(np.int64)
        for one, column in zip(some.outputs, columns, strict=True):
            values[one] = column if one.is_number else column.astype(np.uint8)
    return Found(numbers, values)


def _blocks(question: Question) -> Iterator[Question]:
    """A question as several, each with as many outputs as one query may have."""
    block = replace(question, outputs=())
    for output in question.outputs:
        more = replace(block, outputs=(*block.outputs, output))
        if block.outputs and (len(more.outputs) > MOST_OUTPUTS or len(more.joins) > MOST_JOINS):
            yield block
            more = replace(question, outputs=(output,))
        block = more
    yield block


def joinable(questions: Mapping[int, Question]) -> list[dict[int, Question]]:
    """Questions of some nodes in groups whose conditions join no more subqueries than one query may."""
    if len(questions) <= 1 or len(joins_of(one for each in questions.values() for one in each.functions)) <= MOST_JOINS:
        return [dict(questions)]
    nodes, half = list(questions), len(questions) // 2
    return [
        group for some in (nodes[:half], nodes[half:]) for group in joinable({node: questions[node] for node in some})
    ]


def ask_jointly(server: Server, questions: Mapping[int, Question], examples: Mapping[int, NDArray[np.int32]]) -> Found:
    """Answers of questions of some nodes that differ in their conditions alone, each about its own examples."""
    if len({question.conditions for question in questions.values()}) == 1:  # which other nodes may ask again
        outputs = dict.fromkeys(output for one in questions.values() for output in one.outputs)
        return ask(server, replace(next(iter(questions.values())), outputs=tuple(outputs)))
    numbers = np.concatenate([examples[node] for node in questions])
    nodes = np.repeat(list(questions), [len(examples[node]) for node in questions])
    return ask_anew(server, joint(questions, server.nodes(numbers, nodes)))


def fill(
    family: Family, question: Question, found: Found, examples: NDArray[np.int32], codes: NDArray[np.uint8]
) -> None:
    """Write the codes of a family into the first columns of a table."""
    has_answers, places = found.places(examples)
    if family.kind == EXISTS:
        codes[has_answers, 0] = 0
        return
    values: list[NDArray[Any]] = [found.values[one][places] for one in question.outputs]
    if family.kind == EQUALS:
        for column, holds in enumerate(values):
            codes[has_answers, column] = 1 - holds
        return
    cuts = np.array([constant.value for constant in family.values], np.float64)
    is_known = ~np.isnan(values[0])
    bins = np.searchsorted(cuts, values[0][is_known], side="right")
    codes[np.flatnonzero(has_answers)[is_known], 0] = bins.astype(np.uint8)
