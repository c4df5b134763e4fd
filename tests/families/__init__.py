"""The members of the families, with the slow definition of each: a new member is one row in its family's list.

The tests of a family run over its list; `test_families.py` also checks that no alias is left out.
"""
