"""Tables from files: CSV, ARFF and Parquet become named columns of numbers, of moments or of text.

Nothing but numpy is needed for CSV and ARFF; Parquet needs pyarrow. A number column is float64 with NaN where a value
is missing, dates and durations are numpy's, and the others are object arrays (str, times, dates with a zone) with None.
What a CSV file does not say is guessed as a person would, and told in notes.
"""

from petree.files.how import Reading
from petree.files.reading import read, read_table
from petree.files.table import FileTable

__all__ = ["FileTable", "Reading", "read", "read_table"]
