"""Ferri, Flach and Hernandez-Orallo (2003)."""
