"""Rows of predicates as relations of a database: the types and names of their columns."""
