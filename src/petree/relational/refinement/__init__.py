"""Refinements of a query: the tests of a node, and a table of their answers."""
