"""Trees for people: as text, as rules, as a data frame, as a web page; and why they are as small as they are.

Every function takes a fitted estimator or a bare `petree.tree.Tree`.
"""

from petree.reading.frame import to_frame
from petree.reading.html import to_html
from petree.reading.rules import rules
from petree.reading.text import export_text
from petree.reading.why import reasons, why, why_frame

__all__ = ["export_text", "reasons", "rules", "to_frame", "to_html", "why", "why_frame"]
