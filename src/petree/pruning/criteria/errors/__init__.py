"""Criteria that compare the errors a leaf and a subtree are expected to make."""
