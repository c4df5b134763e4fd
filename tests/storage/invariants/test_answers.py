"""Answers that a file states, which must be those that its counts and settings give."""

from __future__ import annotations

import json
from copy import deepcopy

import numpy as np
import pytest
from tests.storage.invariants.files import Change, Data

from petree.storage import loads


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda answers: answers.pop(), "are not of 3 voices"),
        (lambda answers: answers[0].pop("doubt"), "not those of the rule 'doubt'"),
        (lambda answers: answers[0].update(rule="leaf"), "not those of the rule 'doubt'"),
        (lambda answers: answers[0].update(doubt=0.3), "doubt of its answers are not what"),
        (lambda answers: answers[1].update(factor="0.1"), "factor of its answers are not all numbers"),
        (lambda answers: answers[2].update(weight=1e999), "weight of its answers are negative or infinite"),
        (lambda answers: answers[2]["probabilities"].pop(), "probabilities of its answers are not 15 lists of 3"),
        (lambda answers: answers[2]["probabilities"][3].pop(), "probabilities of its answers are not 15 lists of 3"),
        (lambda answers: answers[2]["probabilities"].reverse(), "not what its counts and settings give"),
        (lambda answers: answers[2]["probabilities"].__setitem__(0, [0.5, 0.5, 1e-5]), "not what its counts"),
        (lambda answers: answers[2]["probabilities"][0].__setitem__(0, -0.1), "negative or infinite"),
    ],
)
def test_answers_that_are_not_those_of_the_counts(table: Data, change: Change, complaint: str) -> None:
    data = deepcopy(table)
    change(data["answers"])
    with pytest.raises(ValueError, match=rf"^m\.json is damaged: .*{complaint}"):
        loads(json.dumps(data).replace("Infinity", "1e999"), "m.json")


def test_probabilities_sum_to_one(table: Data) -> None:
    data = deepcopy(table)
    data["answers"][2]["probabilities"][0][0] += 1e-7
    with pytest.raises(ValueError, match="do not sum to 1"):
        loads(json.dumps(data))


@pytest.mark.parametrize("name", ["stay", "go"])
def test_shares_of_an_option_tree(options: Data, name: str) -> None:
    data = deepcopy(options)
    data["answers"][0][name][0] *= 0.9
    with pytest.raises(ValueError, match=f"the {name} of its answers are not what its counts and settings give"):
        loads(json.dumps(data))


def test_rounding_of_another_machine_is_no_damage(table: Data, options: Data) -> None:
    for data in (deepcopy(table), deepcopy(options)):
        for voice in data["answers"]:
            voice["probabilities"] = (np.array(voice["probabilities"]) * (1 - 1e-12)).tolist()
        loads(json.dumps(data))
