"""The list of invariants, and files of which all hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.storage.invariants.files import Data, data_of

from petree.storage import loads
from petree.storage.invariants import INVARIANTS
from petree.storage.versions import VERSION


def test_the_list_is_in_the_documentation() -> None:
    page = (Path(__file__).parents[3] / "docs" / "model-files.md").read_text()
    told = [line.removeprefix("* ") for line in page.splitlines()]
    places = [told.index(holds.__doc__.splitlines()[0]) for holds in INVARIANTS]
    assert places == list(range(places[0], places[0] + len(INVARIANTS)))
    assert f"version {VERSION}" in page


def test_whole_files_are_read(table: Data, options: Data, relational: Data) -> None:
    for data in (table, options, relational):
        assert data_of(loads(json.dumps(data))) == data


# -- versions and bounds ----------------------------------------------------------------------------------------------


def test_files_need_their_answers(table: Data) -> None:
    data = {name: value for name, value in table.items() if name != "answers"}
    with pytest.raises(ValueError, match="is damaged: it lacks its answers"):
        loads(json.dumps(data))
