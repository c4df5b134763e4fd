"""``python -m petree`` is the command ``petree``."""

from petree.cli import main

if __name__ == "__main__":
    main()
