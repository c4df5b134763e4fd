"""What users may hand over, as types: tables, labels, weights, and the choice of columns and classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from narwhals.stable.v2 import Series
    from narwhals.stable.v2.typing import IntoDataFrame, IntoSeries

    from petree.inputs.moments import Measured
    from petree.inputs.values import Coded

# One column: an array, a list, or a series of pandas, polars, pyarrow ...
ColumnLike: TypeAlias = "ArrayLike | IntoSeries"
# Columns by name.
NamedColumns: TypeAlias = "Mapping[Any, ColumnLike]"
# A table: an array of rows, columns by name, or a data frame of some library.
TableLike: TypeAlias = "ArrayLike | NamedColumns | IntoDataFrame"
# A column as it is read: an array, a narwhals series, codes with their categories, or moments.
RawColumn: TypeAlias = "NDArray[Any] | Series[Any] | Coded | Measured"
# Class labels, one per row.
LabelsLike: TypeAlias = ColumnLike
# Which columns are nominal: "from_dtype", a mask, indices, names, or none.
CategoricalFeatures: TypeAlias = "str | ArrayLike | None"
# Factors of the classes: "balanced", by label, or none.
ClassWeight: TypeAlias = "str | Mapping[Any, float] | None"
RandomState: TypeAlias = "int | np.random.RandomState | None"
