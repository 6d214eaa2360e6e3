"""The environment of one call: threads, memory, folders, progress and log."""
from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import NamedTuple, Never

from . import _leitong
from ._numbers import bytes_of, threads_of

log = logging.getLogger("leitong")


class Progress(NamedTuple):
    """One stage of a run. ``total`` is 0 if it is unknown."""

    stage: str
    done: int
    total: int
    unit: str


ProgressOption = bool | Callable[[Progress], object] | None


def session(
    *,
    threads: int = 0,
    memory: int = 0,
    work_folder: str | os.PathLike[str] | None = None,
    data_folder: str = "",
    progress: ProgressOption = None,
) -> _leitong.Session:
    """A context of the library for one call. Nothing of it outlives the call, so that a process may be forked afterwards."""
    folder = os.fspath(work_folder) if work_folder else ""
    return _leitong.Session(threads_of(threads), bytes_of(memory), folder, data_folder, _reporter(progress), _log)


def _log(is_warning: bool, message: str) -> None:
    log.log(logging.WARNING if is_warning else logging.INFO, message)


def _reporter(progress: ProgressOption) -> Callable[[str, int, int, str], None] | None:
    if not progress:
        return None
    if callable(progress):
        report = progress

        def pass_on(stage: str, done: int, total: int, unit: str) -> None:
            report(Progress(stage, done, total, unit))

        return pass_on
    try:
        return _bars()
    except ImportError:
        return None


def _bars() -> Callable[[str, int, int, str], None]:
    from tqdm.auto import tqdm

    current: list[tuple[str, tqdm[Never]]] = []

    def report(stage: str, done: int, total: int, unit: str) -> None:
        if not current or current[0][0] != stage:
            if current:
                current.pop()[1].close()
            current.append((stage, tqdm(desc=stage, total=total or None, unit=f" {unit}", leave=False)))
        bar = current[0][1]
        bar.total = total or None
        bar.update(done - bar.n)

    return report
