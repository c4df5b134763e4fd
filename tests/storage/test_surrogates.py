"""Surrogates in model files: they are kept, another program can follow them, and damage is refused."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from tests.plain import plain_classifier
from tests.storage.plain_reader import PlainModel

from petree import ProbabilityTreeClassifier
from petree.storage import dumps, loads


def some_rows() -> tuple[dict[str, Any], Any]:
    random = np.random.default_rng(3)
    signal = random.normal(size=150)
    X: dict[str, Any] = {name: (signal + random.normal(size=150) / 2).round(1) for name in "abc"}
    X["word"] = np.array(["low", "middle", "high"], object)[np.digitize(signal + random.normal(size=150), (-0.5, 0.5))]
    y = np.where(signal > 0, "yes", "no")
    for name in X:
        X[name][random.random(150) < 0.3] = None if name == "word" else np.nan
    return X, y


@pytest.fixture(scope="module")
def model() -> ProbabilityTreeClassifier:
    return plain_classifier(missing="surrogates", min_samples_leaf=8).fit(*some_rows())


class ReaderOfSurrogates(PlainModel):
    """Follows surrogates as the documentation tells."""

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        tests = [split[0] for splits in self.splits for split in splits]
        self.stand_ins = [(tests[number], others) for number, *others in data["tree"]["surrogates"]]

    def branch(self, codes: Any, test: Any, missing: Any) -> Any:
        if codes[test[1]] is None:
            for other, holds, _ in next((others for own, others in self.stand_ins if own is test), ()):
                found = super().branch(codes, other, None)
                if found is not None:
                    return holds if found == 0 else 1 - holds
        return super().branch(codes, test, missing)


def test_the_file_alone_answers(model: ProbabilityTreeClassifier) -> None:
    X, y = some_rows()
    reader = ReaderOfSurrogates(json.loads(dumps(model)))
    plain = [[None if cell is None or cell != cell else cell for cell in row] for row in zip(*X.values(), strict=True)]
    np.testing.assert_allclose([reader.probabilities(row) for row in plain], model.predict_proba(X), atol=1e-12)
    again = loads(dumps(model))
    assert dumps(again) == dumps(model)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert len(y) == len(plain)


def test_other_models_have_no_such_field() -> None:
    X, y = some_rows()
    for way in ("branch", "fractions", "majority"):
        data = json.loads(dumps(plain_classifier(missing=way, max_depth=2).fit(X, y)))
        assert "surrogates" not in data["tree"]
        assert "counts_replaced" not in data["tree"]
        reader = PlainModel(data)
        row = [None if cell is None or cell != cell else cell for cell in (column[5] for column in X.values())]
        one = {name: column[5:6] for name, column in X.items()}
        np.testing.assert_allclose(reader.probabilities(row), loads(json.dumps(data)).predict_proba(one)[0], atol=1e-12)


def first_test(data: Any) -> Any:
    """The first test of the tree, which has surrogates."""
    return data["tree"]["nodes"][0][-1]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda found, data: data["tree"].update(surrogates=3), "are not lists of a test"),
        (lambda found, data: found.append([]), "are not lists of a test"),
        (lambda found, data: found[0].__setitem__(0, 999), "are not lists of a test"),
        (lambda found, data: found[0].__setitem__(0, True), "are not lists of a test"),
        (lambda found, data: found[0].append([["<", 0, 1.0], 0]), "is not a surrogate"),
        (lambda found, data: found[0][1].__setitem__(1, 2), "is not a surrogate"),
        (lambda found, data: found[0][1].__setitem__(2, "much"), "is not a surrogate"),
        (lambda found, data: found[0][1].__setitem__(2, 1.5), "cannot stand in"),
        (lambda found, data: found[0][1].__setitem__(0, ["<", 99, 1.0]), "is not a test of these columns"),
        (lambda found, data: found[0][1].__setitem__(0, ["missing", 1]), "cannot stand in"),
        (lambda found, data: found[0][1].__setitem__(0, ["=", 1, 0]), "cannot stand in"),
        (lambda found, data: found[0][1].__setitem__(0, first_test(data)[:3]), "cannot stand in"),
        (lambda found, data: first_test(data).pop(), "cannot stand in"),
    ],
)
def test_damage_is_told(model: ProbabilityTreeClassifier, change: Any, complaint: str) -> None:
    data = deepcopy(json.loads(dumps(model)))
    assert first_test(data)[0] == "<"
    change(data["tree"]["surrogates"], data)
    with pytest.raises(ValueError, match=rf"^m\.json is damaged: .*{complaint}"):
        loads(json.dumps(data), "m.json")
