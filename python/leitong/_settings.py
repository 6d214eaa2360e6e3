"""The settings in the form that the library reads: names, each with its values as texts."""
from __future__ import annotations

import os
from collections.abc import Sequence
from numbers import Real
from typing import Any

from ._errors import InvalidArgumentError

Given = list[tuple[str, list[str]]]


def given(**settings: Any) -> Given:
    """The settings that are not None. The library checks their values.

    >>> given(threshold=0.8, measure=None, verify=False, params=["k=3"])
    [('threshold', ['0.8']), ('verify', ['false']), ('params', ['k=3'])]
    """
    return [(name, _texts(name, value)) for name, value in settings.items() if value is not None]


def _texts(name: str, value: Any) -> list[str]:
    if isinstance(value, bool):
        return [str(value).lower()]
    if isinstance(value, str | os.PathLike):
        return [os.fspath(value)]
    if isinstance(value, Real):
        return [repr(float(value))]
    if isinstance(value, Sequence):
        return [text for one in value for text in _texts(name, one)]
    raise InvalidArgumentError(f"{name} is {value!r}; give a str, a number or a bool", name)
