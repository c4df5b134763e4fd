"""Whoever watches is told how far a fit has come, and nobody else."""

from __future__ import annotations

from tests.relational.molecules import KEYS, make_model

from petree.progress import tell, watched_by


def test_a_relational_fit_tells_of_every_wave() -> None:
    told: list[tuple[int, int]] = []
    with watched_by(lambda done, total: told.append((done, total))):
        model = make_model().fit(KEYS)
    assert told[0] == (0, len(KEYS))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert len(told) == model.get_depth()
    before = len(told)
    tell(1, 2)
    assert len(told) == before
