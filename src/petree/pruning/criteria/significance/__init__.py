"""Criteria that ask whether the test of a node, or a whole subtree, is more than luck."""
