"""Where rows go whose value at a test is missing, if tests do not decide it while they are sought.

A test is then worth what it gains among the rows that have a value (`known.py`), and the others go to the larger branch
or where tests of other columns send them (`surrogates.py`), or every way in parts (`fractions.py`).
"""

from petree.sources.missing.binding import WAYS, bind_missing

__all__ = ["WAYS", "bind_missing"]
