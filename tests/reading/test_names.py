"""Names of any characters: what people read is one line each, and what programs read is as it was."""

from __future__ import annotations

import json

import numpy as np
import pytest

from petree import ProbabilityTreeClassifier, RelationalTreeClassifier, storage
from petree.reading import reasons
from petree.relational import Database

NASTY = "\x1b[2J\u202e\u2066\u200b\x9b\r\n\u2028"


@pytest.fixture(scope="module")
def flat() -> ProbabilityTreeClassifier:
    rng = np.random.default_rng(0)
    size = rng.integers(0, 9, 200).astype(float)
    tone = rng.choice([f"dark{NASTY}", f"light{NASTY}", f"grey{NASTY}"], 200).astype(object)
    kind = np.where((size > 4) != (rng.random(200) < 0.2), f"a{NASTY}", f"b{NASTY}")
    return ProbabilityTreeClassifier(pruning="chi").fit({f"size{NASTY}": size, f"tone{NASTY}": tone}, kind)


def assert_harmless(*texts: str) -> None:
    for line in (line for text in texts for line in text.split("\n")):
        assert line.isprintable(), ascii(line)


def test_a_tree_of_one_table(flat: ProbabilityTreeClassifier) -> None:
    assert_harmless(flat.export_text(), *flat.rules(0.9), *flat.why(everything=True), flat._repr_html_())
    assert flat.export_text().count("\n") == flat.tree_.n_nodes
    assert r'"size\x1b[2J\u202e\u2066\u200b\x9b\r\n\u2028" < ' in flat.export_text()
    assert f"count_a{NASTY}" in flat.to_frame().columns


def test_what_a_model_file_says_of_its_pruning(flat: ProbabilityTreeClassifier) -> None:
    """A file may be anyone's."""
    content = json.loads(storage.dumps(flat))
    content["tree"]["pruning"] |= {"criterion": f"Chi(){NASTY}", "names": [f"chi-square{NASTY}", f"value{NASTY}"]}
    model = storage.loads(json.dumps(content), "model.json")
    told = reasons(model)
    assert told is not None
    assert_harmless(*model.why(), told.criterion, *told.names)


def test_a_tree_of_related_tables() -> None:
    pandas = pytest.importorskip("pandas")
    pets = pandas.DataFrame({"id": range(40), f"kind{NASTY}": [f"{'ab'[i % 2]}{NASTY}" for i in range(40)]})
    tones = [f"{'rg'[i % 2]}{NASTY}" for i in range(80)]
    toys = pandas.DataFrame({"id": range(80), "pet": [i % 40 for i in range(80)], f"tone{NASTY}": tones})
    tables = {"pet": pets, "toy": toys}
    database = Database(tables, keys={"pet": "id", "toy": "id"}, links=[("toy.pet", "pet.id")])
    model = RelationalTreeClassifier(database=database, target=f"pet.kind{NASTY}").fit(database.keys("pet"))
    assert model.tree_.n_nodes > 1
    assert_harmless(model.export_text(), *model.rules(), *model.why(), model.sentence(0), model._repr_html_())
