"""Which texts are compared, and for which values one text stays."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._data import Source, Stream, is_in_memory
from ._errors import InvalidArgumentError, NotFoundError, UnsupportedError
from ._session import log

#: The arguments of ``dedup``, and whether each row without a value has a value of its own.
_OWN_VALUE = {"within": False, "across": True, "keep_each": False}


def refuse_groups(given: dict[str, Any]) -> None:
    """Fails if one of these arguments is given, because a spread run knows only the fields of text and id."""
    for name in _OWN_VALUE:
        if given.get(name) is not None:
            raise UnsupportedError(
                f"{name}: a run that is spread compares all with all, whatever their fields say; "
                f"leitong.dedup({name}=..) and leitong dedup --{name.replace('_', '-')} know groups, on one machine", name)


def groups_of(
    chosen: dict[str, Any], source: Source | Stream, references: Source | Stream | None
) -> dict[str, NDArray[np.uint32]]:
    """A number for the value of each text, those of references first, for each of the arguments that is given."""
    return {name: _numbered(name, _values(name, values, source, references))
            for name, values in chosen.items() if values is not None}


def _values(name: str, values: Any, source: Source | Stream, references: Source | Stream | None) -> list[Any]:
    if not isinstance(values, str):
        return list(values)
    found: list[Any] = []
    for each in (references, source):
        if each is None:
            continue
        if not is_in_memory(each):
            raise InvalidArgumentError(
                f'data that come once have no column "{values}" to compare by; give {name} an array, or a table', name)
        column = each.column(values)
        if column is None:
            raise NotFoundError(f"{each.lacks(values)}, which {name} names")
        found += column
    return found


def _numbered(name: str, values: list[Any]) -> NDArray[np.uint32]:
    """Equal numbers for equal values. Missing values (None, NaN, a blank string) count as one more value, or as a different one for
    each row.

    >>> _numbered("within", ["b", None, " b", ""]).tolist(), _numbered("across", ["b", None, 1, float("nan"), "1"]).tolist()
    ([0, 1, 0, 1], [0, 1, 2, 3, 2])
    """
    known: dict[Any, int] = {}
    numbers = np.empty(len(values), np.uint32)
    missing = 0
    for row, value in enumerate(values):
        text = "" if value is None or value != value else str(value).strip()
        missing += not text
        key = text or ((row,) if _OWN_VALUE[name] else ())
        numbers[row] = known.setdefault(key, len(known))
    if values and missing == len(values):
        raise InvalidArgumentError(f"no row has a value to compare by ({name})", name)
    if missing:
        what = "each of them counts as one of its own" if _OWN_VALUE[name] else "that counts as one more value"
        log.warning("%s: %d of %d rows have no value; %s", name, missing, len(values), what)
    return numbers
