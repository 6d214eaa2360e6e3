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
    """A failure. ``message`` names the thing, the place and, if there is one, the fix.

    >>> import leitong
    >>> try:
    ...     leitong.dedup(["a text"], method="no-such-method")
    ... except leitong.Error as error:
    ...     error.code
    'invalid_argument'
    """

    code = ""

    def __init__(self, message: str, setting: str = "") -> None:
        super().__init__(message)
        self.message = message
        #: The name of the setting that the failure concerns; "" if it concerns none.
        self.setting = setting

    def __reduce__(self) -> tuple[type[Error], tuple[str, str]]:
        return type(self), (self.message, self.setting)


class InvalidArgumentError(Error, ValueError):
    """An impossible option, name or value."""

    code = "invalid_argument"


class NotFoundError(Error, LookupError):
    """A file, a column or a method that does not exist."""

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
    """The request is not built in, or not possible with these settings."""

    code = "unsupported"


class ConflictError(Error):
    """The state is not what the caller expects: it has changed meanwhile."""

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


def error_of(code: str, message: str, setting: str, other: str) -> Error:
    """The exception for a failure, with the arguments that it concerns. The extension module calls this."""
    names = ", ".join(name for name in (setting, other) if name and name not in message)
    return _CLASSES[code](f"{message} ({names})" if names else message, setting)
