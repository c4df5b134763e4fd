"""The command ``petree``: learn a tree from a file, predict with it, read it.

Everything but typer is imported inside the commands, so that ``petree --help`` answers at once.
"""

from petree.cli.app import main

__all__ = ["main"]
