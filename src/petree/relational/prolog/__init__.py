"""Prolog's notation: facts, rules, the files of ACE, Aleph and Popper, and queries as text."""
