"""Packed trees of a few nodes, and what they answer."""

import itertools

import numpy as np

from petree import core
from petree.conditions import EQUALS, THRESHOLD


def a_wiring(split_start=(0, 1, 1, 1), child_start=(0, 2), children=(1, 2)):
    return core.trees.Wiring(*(np.array(one, np.int32) for one in (split_start, child_start, children)))


def some_tests(kind=(THRESHOLD,), column=(0,), value=(0.5,), missing=(-1,), member_start=None, members=()):
    starts = np.zeros(len(kind) + 1, np.int32) if member_start is None else np.array(member_start, np.int32)
    return core.prediction.Tests(
        np.array(kind, np.uint8), np.array(column, np.int32), np.array(value, float), np.array(missing, np.int32),
        starts, np.array(members, float),
    )  # fmt: skip


def no_surrogates(n_splits):
    none = some_tests((), (), (), ())
    return core.prediction.Surrogates(none, np.zeros(n_splits + 1, np.int32), np.empty(0, np.uint8))


def a_router(tests=None, wiring=None, weights=(2, 1, 1), surrogates=None, n_splits=1):
    tests, wiring = tests or some_tests(), wiring or a_wiring()
    surrogates = surrogates or no_surrogates(n_splits)
    return core.prediction.Router(tests, wiring, np.array(weights, float), surrogates)


def an_option_router(tests=None, wiring=None, stay=(0, 1, 1), go=(1,), weights=(2, 1, 1)):
    shares = (np.array(one, float) for one in (stay, go, weights))
    return core.prediction.OptionRouter(tests or some_tests(), wiring or a_wiring(), *shares)


def answers_of(router, values, says):
    answers = np.empty((len(values), 1))
    core.prediction.answer(router, np.array(values)[:, None], np.array(says, float)[:, None], answers, core.NO_STOP)
    return answers[:, 0].tolist()


def mixtures_of(router, values, says):
    mixed = np.empty((len(values), 1))
    core.prediction.mix_rows(router, np.array(values)[:, None], np.array(says, float)[:, None], mixed, core.NO_STOP)
    return mixed[:, 0].tolist()


def ends_of(router, values, most=100):
    """The nodes where each row ends, as many rows as are sent down, and what stays there."""
    starts, nodes, masses = core.prediction.find_ends(router, np.array(values)[:, None], most, core.NO_STOP)
    pairs = list(zip(nodes.tolist(), masses.tolist(), strict=True))
    return [dict(pairs[start:end]) for start, end in itertools.pairwise(starts.tolist())]


def some_surrogates(start=(0, 2), turned=(0, 1), **tests):
    given = {"kind": (THRESHOLD, EQUALS), "column": (1, 2), "value": (0.5, 3.0), "missing": (-1, -1), **tests}
    return core.prediction.Surrogates(some_tests(**given), np.array(start, np.int32), np.array(turned, np.uint8))
