"""Prolog text as terms, clauses and literals."""
