"""Failures: one class for each kind, with the code and the message of the library."""
from __future__ import annotations

__all__ = [
    "CancelledError",
    "ConflictError",
    "CorruptError",
    "Error",
    "InputOutputError",
    "InvalidArgumentError",
    "LimitError",
    "NotFoundError",
    "UnsupportedError",
]


class Error(Exception):
    """What failed. ``message`` names the thing, the place and, where there is one, the fix.

    >>> import leitong
    >>> try:
    ...     leitong.dedup(["a text"], method="no-such-method")
    ... except leitong.Error as error:
    ...     error.code
    'invalid_argument'
    """

    code = ""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidArgumentError(Error, ValueError):
    """An option, a name or a value that cannot be meant."""

    code = "invalid_argument"


class NotFoundError(Error, LookupError):
    """A file, a column or a method that is not there."""

    code = "not_found"


class InputOutputError(Error):
    """The system refused a read or a write: a full disk, a permission, a file that vanished."""

    code = "io"


class CorruptError(Error, ValueError):
    """Bytes that break their own format, such as a text that is not valid UTF-8."""

    code = "corrupt"


class LimitError(Error):
    """A stated bound was exceeded: the memory budget, the number of texts."""

    code = "limit"


class CancelledError(Error):
    """The run was stopped."""

    code = "cancelled"


class UnsupportedError(Error):
    """Not built in, or not possible with these settings."""

    code = "unsupported"


class ConflictError(Error):
    """What is there is not what the caller expects: it has changed meanwhile."""

    code = "conflict"


_CLASSES: dict[str, type[Error]] = {
    kind.code: kind
    for kind in (
        InvalidArgumentError,
        NotFoundError,
        InputOutputError,
        CorruptError,
        LimitError,
        CancelledError,
        UnsupportedError,
        ConflictError,
    )
}


def error_of(code: str, message: str) -> Error:
    """The exception of a failure; the extension module calls this."""
    return _CLASSES[code](message)
