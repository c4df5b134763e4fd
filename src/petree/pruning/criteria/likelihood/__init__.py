"""Criteria that compare how probable the classes are with a leaf and with a subtree."""
