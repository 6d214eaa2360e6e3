"""A run that is spread over many processes, on any machines that see one file system: for a shell loop, the array jobs of a batch
system, or tasks of a cluster (``leitong.ray.run_stages``, ``leitong.datatrove.RunStage``). The command ``leitong part`` does the
same.

    leitong.stages.plan(["crawl/"], work="work", output="out", parts=64)
    for stage, parts in leitong.stages.listed("work"):
        for part in range(parts):  # at the same time, on any machines
            leitong.stages.run(stage, "work", part)

docs/spread.md explains the stages."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from . import _leitong
from ._groups import refuse_groups
from ._session import ProgressOption, session
from ._settings import given
from ._texts import Dictionaries

__all__ = ["listed", "plan", "run"]


def plan(
    inputs: Sequence[str | os.PathLike[str]],
    *,
    work: str | os.PathLike[str],
    output: str | os.PathLike[str],
    parts: int,
    write_kept: bool = True,
    text: str | Sequence[str] = "text",
    id: str = "id",
    keep: str = "longest",
    **settings: Any,
) -> None:
    """Writes the plan of a run to the folder ``work``. A second call changes nothing; another plan for the same folder is refused.

    ``inputs`` are files of records and folders of them, ``text`` and ``id`` are fields, ``keep`` is ``"longest"`` or ``"first"``,
    and ``settings`` are those of ``leitong.dedup`` that a spread run knows (``remove``, ``loss``, ``measure``, ``threshold``, ..).
    ``output`` gets the folders ``kept`` (unless ``write_kept`` is False), ``removed``, ``pairs`` and ``quarantine``.
    """
    refuse_groups(settings)
    chosen = given(**settings, keep=keep)
    fields = given(text_fields=[text] if isinstance(text, str) else text, id_field=id)
    _leitong.plan_spread(
        session(threads=1), [os.fspath(path) for path in inputs], os.fspath(work), os.fspath(output), parts, write_kept, fields,
        _leitong.DedupSettings(chosen, Dictionaries().open(), False),
    )


def listed(work: str | os.PathLike[str]) -> list[tuple[str, int]]:
    """The stages of the planned run in their order, each with the number of its parts."""
    return _leitong.spread_stages(session(threads=1), os.fspath(work))


def run(
    stage: str,
    work: str | os.PathLike[str],
    part: int = 0,
    again: bool = False,
    *,
    threads: int = 1,
    memory: int = 0,
    progress: ProgressOption = None,
) -> bool:
    """Does one part of one stage. Parts of one stage may run at the same time, on any machines with the folder ``work``.

    Returns False if the part was done before; it is repeated only with ``again``. Raises NotFoundError if a part of an earlier
    stage is missing. A part that was killed leaves no results, and can be run again.
    """
    here = session(threads=threads, memory=memory, progress=progress)
    return _leitong.run_part(here, os.fspath(work), stage, part, again)
