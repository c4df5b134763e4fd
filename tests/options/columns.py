"""Columns of numbers and of words for small tables."""

from tests.strategies import RawColumn

from petree.columns import NOMINAL, NUMBER


def number(*values):
    return RawColumn(values, NUMBER, float)


def words(*values):
    return RawColumn(values, NOMINAL, object)
