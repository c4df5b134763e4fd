"""The one door for data: arrays, data frames and dictionaries of arrays become typed columns and class codes.

Numbers stay as they are given; dates, times and durations become microseconds; categories become codes. Missing values
(NaN, NaT, None, null, pandas.NA) are NaN among numbers and `MISSING` among codes. Whatever cannot be read is refused
here, with the column and the row.
"""

from petree.inputs.frames import as_matrix, check_frame, check_unique, in_memory, is_frame, take_rows
from petree.inputs.table import Table, categorical_mask, table_of
from petree.inputs.target import class_weights, declare_classes, read_target, read_weights
from petree.inputs.values import refuse_complex

__all__ = [
    "Table",
    "as_matrix",
    "categorical_mask",
    "check_frame",
    "check_unique",
    "class_weights",
    "declare_classes",
    "in_memory",
    "is_frame",
    "read_target",
    "read_weights",
    "refuse_complex",
    "table_of",
    "take_rows",
]
