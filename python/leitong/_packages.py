"""Packages that only some calls need."""
from __future__ import annotations

from importlib import import_module
from typing import Any

from ._errors import UnsupportedError


def package(name: str, what: str, install: str) -> Any:
    """A module of another package. If it is missing, UnsupportedError names the command that installs it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        root = name.partition(".")[0]
        if (error.name or "").partition(".")[0] != root:  # the package lacks something that it needs
            raise
        raise UnsupportedError(f"{what} need the package {root}: pip install {install}") from None
