"""Checks numbers of a caller before the library receives them."""
from __future__ import annotations

import operator
from numbers import Real
from typing import Any

from ._errors import InvalidArgumentError

MOST_THREADS = 4096  # the same limit as in the command


def whole(value: Any, name: str, least: int, most: int, fix: str) -> int:
    """An int within the range. InvalidArgumentError names the option and the fix.

    >>> whole(3, "matches", 1, 10, "give 1 to 10")
    3
    >>> whole(-1, "matches", 1, 10, "give 1 to 10")
    Traceback (most recent call last):
        ..
    leitong._errors.InvalidArgumentError: matches is -1; give 1 to 10
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if not least <= number <= most:
        raise InvalidArgumentError(f"{name} is {value!r}; {fix}")
    return number


def real(value: Any, name: str, fix: str) -> float:
    """A number; the library checks its range."""
    if not isinstance(value, Real):
        raise InvalidArgumentError(f"{name} is {value!r}; {fix}")
    return float(value)


def threads_of(threads: Any) -> int:
    """The number of threads; 0 for all cores."""
    return whole(threads, "threads", 0, MOST_THREADS, f"give a number up to {MOST_THREADS}, or 0 for all cores")


def bytes_of(memory: Any) -> int:
    """A memory budget; 0 for one that grows with the input."""
    return whole(memory, "memory", 0, 2**64 - 1, "give bytes as an int, such as 200 << 20, or 0 for a budget that grows with the input")


def matches_of(matches: Any) -> int:
    """How many similar texts are wanted."""
    return whole(matches, "matches", 1, 2**32 - 1, "give 1 for the best one, or more for others beside it")
