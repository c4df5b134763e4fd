"""What is found out about the values of families is kept for a while, not for ever."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from petree.relational import Database
from petree.relational.kept import KeptArrays
from petree.relational.queries.answers import Answers
from petree.relational.queries.scope import Scope
from petree.relational.queries.terms import Atom, Constant, Variable
from petree.relational.refinement.families import EQUALS, Family, slot_at
from petree.relational.refinement.tabulation import tabulate


def test_families_with_ever_new_values_take_no_more_room() -> None:
    database = Database({"row": {"id": range(4), "word": list("abca")}}, keys={"row": "id"})
    scope = replace(Scope.of_target(database, "row"), lookups=KeptArrays(most_bytes=500))
    answers = Answers.of_examples(scope, np.arange(4, dtype=np.int32), 100)
    atom = Atom("row", (Variable("A"), slot_at(1)))
    for number in range(50):
        values = tuple(map(Constant, "abc" if number % 2 else "ca"))
        table = tabulate(answers, [Family((atom,), EQUALS, slot_at(1), values, 0)])
        holds = [[word == one.value for one in values] for word in "abca"]
        assert (table.codes == np.where(holds, 0, 1)).all()
    assert 0 < len(scope.lookups) < 10
