"""What may be lost of a text that leaves."""
from __future__ import annotations

from typing import Literal

from . import _leitong
from ._errors import InvalidArgumentError
from ._numbers import real

#: A name, or the part of a text's own units that may be lost and the part of them that may be lost in long stretches.
Remove = Literal["lossless", "careful", "wide", "similar"] | tuple[float, float]


def limits_of(remove: Remove) -> tuple[float, float]:
    if isinstance(remove, str):
        limits = _leitong.loss_limits(remove)
        if limits is None:
            names = ", ".join(f'"{name}"' for name in _leitong.loss_limit_names())
            raise InvalidArgumentError(f"remove is {remove!r}; choose one of {names}, or give two parts of a text")
        return limits
    loss, run = remove
    return real(loss, "remove", "give a number from 0 to 1"), real(run, "remove", "give a number from 0 to 1")
