"""Credible intervals of class probabilities, and how many cases an estimate is worth."""
