"""Numbers of examples, asked of a database once and kept."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from petree.relational.in_database.questions import Output, Question
from petree.relational.in_database.server import Server

# Outputs of one query; more are asked for in several.
MOST_OUTPUTS = 200


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
    outputs = question.outputs
    numbers = np.empty(0, np.int64)
    values: dict[Output, NDArray[np.float64] | NDArray[np.uint8]] = {}
    for start in range(0, max(len(outputs), 1), MOST_OUTPUTS):
        some = outputs[start : start + MOST_OUTPUTS]
        found, *columns = server.session.numbers(replace(question, outputs=some).text())
        numbers = found.astype(np.int64)
        for one, column in zip(some, columns, strict=True):
            values[one] = column if one.is_number else column.astype(np.uint8)
    return Found(numbers, values)
