"""Queries: the literals they are made of, what they can speak of, and their answers in arrays."""
