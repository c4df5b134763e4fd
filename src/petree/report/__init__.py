"""A model as one page to explore: the tree, the answer for any row, how good the answers are, and why.

`make_report` gathers plain values (one file a section), and `template` puts them, the script and the styles into one
file that needs no network. The page holds the model file itself and answers from it as docs/model-files.md tells. Its
own script is in `page/`; `assets/` is made of that and of its libraries by tools/report.
"""

from petree.report.making import make_report
from petree.report.template import Report

__all__ = ["Report", "make_report"]
