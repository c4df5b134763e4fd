"""Criteria that ask cases which did not grow the tree, or a part of those that did."""
