"""Tables from files: CSV, ARFF and Parquet become named columns of numbers or of text.

Nothing but numpy is needed for CSV and ARFF; Parquet needs pyarrow. A number column is float64 with NaN
where a value is missing; a text column is an object array of str with None there.
"""

from petree.files.reading import read_table
from petree.files.table import FileTable

__all__ = ["FileTable", "read_table"]
