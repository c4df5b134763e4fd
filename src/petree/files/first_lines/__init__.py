"""What the first lines of a text file show: comments, what stands between its columns, and their names."""

from petree.files.first_lines.beginning import Beginning, Heading, begin, read_heading
from petree.files.first_lines.headers import First

__all__ = ["Beginning", "First", "Heading", "begin", "read_heading"]
