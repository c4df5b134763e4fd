"""The papers' experiments: their data sets, their numbers, and ours beside them."""
