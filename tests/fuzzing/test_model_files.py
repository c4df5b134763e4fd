"""Damaged model files: each is refused in a sentence, or gives a model that answers."""

from __future__ import annotations

import pytest
from tests.core.fuzzing import watch


def test_a_damaged_file_is_refused_or_gives_a_model_that_answers(request: pytest.FixtureRequest) -> None:
    n_files = request.config.getoption("--fuzz-files")
    assert not (found := watch.complaints(0, n_files, "tests.fuzzing.model_files")), "\n\n".join(found)
