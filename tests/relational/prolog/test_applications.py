"""The applications that come with ACE and others, as they are read."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from tests.relational.applications import FOLDER, application
from tests.relational.decoded import rows

needs_data = pytest.mark.skipif(
    not (FOLDER / "MANIFEST.csv").is_file(), reason="PETREE_DATA does not name the folder of the data sets"
)

APPLICATIONS = {
    "machines/prolog/examples": "machines",
    "machines/prolog/keys": "machines",
    "bongard/prolog/examples": "bongard",
    "bongard/prolog/keys": "bongard",
    "mutagenesis/prolog": "mutagenesis",
    "mutagenesis/prolog/discretised": "mutagenesis",
    "mutagenesis188/prolog/ace_b0": "mutagenesis188",
    "carcinogenesis/prolog/ace": "carcinogenesis",
    "yeast/prolog": "yeast",
}


@needs_data
@pytest.mark.parametrize("folder", APPLICATIONS)
def test_examples_have_the_classes_of_the_manifest(folder: str) -> None:
    with (FOLDER / "MANIFEST.csv").open() as file:
        manifest = {row["name"]: row["class_distribution"] for row in csv.DictReader(file)}
    database = application(folder)
    assert database.target is not None
    classes, counts = np.unique(database.labels(database.target), return_counts=True)
    found = {f"{label}={count}" for label, count in zip(classes, counts, strict=True)}
    assert found == set(manifest[APPLICATIONS[folder]].split(";"))


@needs_data
def test_mutagenesis_has_all_its_facts() -> None:
    database = application("mutagenesis/prolog")
    text = (FOLDER / "mutagenesis" / "prolog" / "muta.kb").read_text()
    for name in ("atom", "bond", "lumo", "molecule"):
        assert database.relation(name).n_rows == text.count(f"\n{name}(")
    assert database.relation("sbond").n_rows == 2 * database.relation("bond").n_rows
    assert "nitro/2" in database.settings["unused"]
    assert database.bias is not None
    assert [len(bias) for bias in (database.bias.modes, database.bias.lookaheads)] == [4, 4]


@needs_data
def test_models_and_keys_say_the_same_of_bongard() -> None:
    models, keys = (application(f"bongard/prolog/{name}") for name in ("examples", "keys"))
    for name in ("triangle", "square", "circle", "in", "config"):
        assert sorted(rows(models, name)) == sorted(rows(keys, name))


@needs_data
def test_uwcse_has_a_root() -> None:
    database = application("uwcse/prolog/ace")
    assert database.settings["root"] == "uwcse(X, Y), kmap(X, _, _)"
    assert database.relation("kmap").n_rows == database.relation("uwcse").n_rows == 2824
