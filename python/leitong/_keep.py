"""Which text of a cluster stays."""
from __future__ import annotations

import re
from datetime import date, datetime, timezone
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._data import Source, Stream, is_in_memory
from ._errors import InvalidArgumentError, NotFoundError
from ._session import log

#: What `leitong dedup --keep max:FIELD` accepts as a number.
_NUMBER = re.compile(r"[ \t\r\n]*(-?(?:inf(?:inity)?|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?))[ \t\r\n]*", re.IGNORECASE)


def keep_of(keep: str | ArrayLike) -> str:
    """The policy for the library, if no column and no array decides."""
    if isinstance(keep, str) and keep in ("longest", "shortest", "first", "covering"):
        return keep
    raise InvalidArgumentError(
        f"keep is {keep!r}; choose longest, shortest, first, covering, min:COLUMN or max:COLUMN, or give a number for each row", "keep"
    )


def column_of(keep: str | ArrayLike) -> str | None:
    """The column that decides.

    >>> column_of("max:year"), column_of("longest")
    ('year', None)
    """
    order, colon, column = keep.partition(":") if isinstance(keep, str) else ("", "", "")
    return column if colon and order in ("min", "max") else None


def ranks_of(keep: str | ArrayLike, source: Source | Stream) -> NDArray[np.uint64] | None:
    """The rank of every row; the row of the least rank stays. None if no column or array decides.

    Rows without a number rank last, as in the command, and the log says how many there are.
    """
    if not isinstance(keep, str):
        return _ranked(numbers(keep), "keep")
    column = column_of(keep)
    if column is None:
        return None
    if not is_in_memory(source):
        raise InvalidArgumentError("data that come once have no column to rank by; give keep an array, or a table")
    values = source.column(column)
    if values is None:
        raise NotFoundError(f"{source.lacks(column)}, by which rows are ranked")
    found = numbers(values).astype(np.float64)  # the command compares these numbers
    return _ranked(-found if keep.startswith("max:") else found, f'keep="{keep}"')


def _ranked(found: NDArray[Any], what: str) -> NDArray[np.uint64]:
    if missing := np.count_nonzero(np.isnan(found)):
        log.warning("%s: %d of %d rows have no number there; they rank last", what, missing, len(found))
    return np.unique(found, return_inverse=True)[1].astype(np.uint64)  # NaN ranks last


def numbers(values: Any) -> NDArray[Any]:
    """One number for each row; NaN if there is none. Moments count as seconds since 1970.

    >>> numbers(["10", " 9.5", None, "nine", 2]).tolist()
    [10.0, 9.5, nan, nan, 2.0]
    """
    refused = InvalidArgumentError("ranks are one number for each row")
    try:
        array = np.asarray(values)
    except ValueError:  # lists of several lengths
        raise refused from None
    if array.ndim != 1:
        raise refused
    if array.dtype.kind in "iuf":
        return array
    if array.dtype.kind == "M":
        return np.where(np.isnat(array), np.nan, array.astype("datetime64[us]").astype(np.int64) / 1e6)
    return np.array(list(map(_number, values)), np.float64)


def _number(value: Any) -> float:
    if isinstance(value, str):
        found = _NUMBER.fullmatch(value)
        number = float(found[1]) if found else np.nan
        return number if np.isfinite(number) or "inf" in value.lower() else np.nan
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=timezone.utc)).timestamp()
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=timezone.utc).timestamp()
    return float(value) if isinstance(value, Real | Decimal) and not isinstance(value, bool) else np.nan
