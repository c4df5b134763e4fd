"""Codes by which the kernels know the built-in split scores."""

GAIN = 0

KNOWN = (GAIN,)
