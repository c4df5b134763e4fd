"""Prolog's notation: facts, rules, the files of ACE, and queries as text."""
