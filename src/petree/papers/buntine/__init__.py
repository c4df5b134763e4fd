"""Buntine (1992)."""
