"""Permutation tests of data in parts, with the same verdicts in memory and beyond it."""
