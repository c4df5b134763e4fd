"""Slow, obvious versions of what petree does, written from the definitions to check the fast ones."""
