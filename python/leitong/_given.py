"""The arguments of an index: a folder, texts with their ids, moments, versions."""
from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timezone
from numbers import Real
from typing import Any, TypedDict

import numpy as np

from . import _leitong
from ._data import Source, Stream, is_in_memory, source_of
from ._errors import InvalidArgumentError, NotFoundError
from ._numbers import whole

#: A datetime (also numpy's), UTC unless it says otherwise, or seconds since 1970; None if no moment is given.
Moment = datetime | np.datetime64 | float | None


class Checked(TypedDict, total=False):
    """The options of checks."""

    text: str
    matches: int
    exclude: str | Sequence[str]
    base: str | Sequence[str]
    source: str


class Details(TypedDict, total=False):
    """The details of texts that are added."""

    text: str
    id: str
    source: str
    time: Moment
    expires: Moment
    expected_version: int | None


class Asked(Details, total=False):
    """The details of added texts, and what is wanted beside the verdict."""

    matches: int


def folder_of(folder: str | os.PathLike[str] | None) -> str | None:
    """The folder of an index; None if it is only in memory. An empty name is an error."""
    if folder is None:
        return None
    name = os.fspath(folder)
    if not name:
        raise InvalidArgumentError("the folder has no name; give one, or None for an index in memory alone")
    return name


def listed(names: str | Sequence[str]) -> list[str]:
    """A list of one name, or of several."""
    return [names] if isinstance(names, str) else list(names)


def only(given: Any, known: Any, call: str) -> None:
    """TypeError for an option that ``known``, a TypedDict, does not have, as for an unknown parameter."""
    for name in given:
        if name not in known.__optional_keys__:
            raise TypeError(f"{call}() got an unexpected keyword argument {name!r}")


def strings(texts: _leitong.Texts) -> Iterator[str]:
    """The strings of texts, one after the other."""
    return (texts[position] for position in range(len(texts)))


def seconds(moment: Moment) -> int | None:
    """The seconds since 1970 of a moment."""
    if moment is None:
        return None
    if isinstance(moment, np.datetime64):
        value = math.nan if np.isnat(moment) else float(moment.astype("datetime64[s]").astype(np.int64))
    elif isinstance(moment, datetime):
        try:
            value = (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp()
        except ValueError:  # pandas' NaT is a datetime, too
            value = math.nan
    else:
        value = float(moment) if isinstance(moment, Real) else math.nan
    if not -(2**63) <= value < 2**63:  # NaN included
        raise InvalidArgumentError(f"a moment is {moment!r}; give a datetime, such as datetime(2026, 1, 1), or seconds since 1970")
    return int(value)


def cursor_of(since: Any) -> str:
    if not isinstance(since, str):
        raise InvalidArgumentError(f"a cursor is {since!r}; give that of an earlier answer, which is a str, or \"now\", or none")
    return since


def limit_of(limit: Any) -> int:
    return whole(limit, "limit", 1, 2**32 - 1, "give the number of changes that are told at once")


def version_of(version: Any) -> int | None:
    """The version of an index that an answer has."""
    return None if version is None else whole(version, "expected_version", 0, 2**64 - 1, "give the version of an answer")


def name_of(id: object) -> str:
    if not may_be_id(id):
        raise InvalidArgumentError(f"an id is {id!r}; ids are str or int")
    return str(id)


def may_be_id(id: object) -> bool:
    return isinstance(id, str) or (hasattr(id, "__index__") and not isinstance(id, bool))


def id_of_one(id: object) -> str:
    """The id of a text that is added alone."""
    if not may_be_id(id):
        raise InvalidArgumentError(f"a text is added under an id, which is a str or an int, not {id!r}")
    return name_of(id)


def texts_alone(data: Any, text: str) -> Iterator[_leitong.Texts]:
    """The texts of data without their ids, at once or batch by batch."""
    source: Any = source_of(data, text, None)
    if is_in_memory(source):
        yield source.texts()
    else:
        yield from (texts for texts, _ in source.batches())


def named(source: Source | Stream, ids: Iterable[Any] | None, id: str) -> Iterator[tuple[_leitong.Texts, list[str]]]:
    """The texts with their ids, from `ids` or from the column. A batch without an id for each text fails as a whole."""
    given = None if ids is None else list(ids)
    count = 0
    both: Any = [(source.texts(), source.column(id))] if is_in_memory(source) else source.batches()  # type: ignore[union-attr]
    for texts, found in both:
        count += len(texts)
        names = found if given is None else given[count - len(texts) : count]
        if names is None:
            raise NotFoundError(f'the texts have no column "{id}"; give ids, one for each')
        if len(names) < len(texts) or (given is not None and is_in_memory(source) and len(given) > count):
            raise InvalidArgumentError(f"{len(given or ())} ids for {count} texts; give one for each")
        yield texts, list(map(name_of, names))
    if given is not None and len(given) > count:
        raise InvalidArgumentError(f"{len(given)} ids for {count} texts; give one for each")
