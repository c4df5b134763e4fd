"""Oates and Jensen (1999)."""
