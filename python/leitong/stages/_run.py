"""The stages in their order, and a run of one part of one of them."""
from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .._errors import InvalidArgumentError, NotFoundError
from ..spark._rows import GROUPS, Settings, refuse_groups
from . import _plan
from ._families import complete, families
from ._files import write_json
from ._search import join, sketch, verify, weigh
from ._settle import keep, settle
from ._templates import bare, count, mark, question, shingles

#: In their order: does a stage have as many parts as the run, or one?
STAGES: dict[str, tuple[Callable[[_plan.Plan, int], None], bool]] = {
    "sketch": (sketch, True), "join": (join, True), "weigh": (weigh, True), "verify": (verify, True), "families": (families, False),
    "complete": (complete, True), "question": (question, False), "shingles": (shingles, True), "count": (count, True),
    "bare": (bare, False), "mark": (mark, True), "settle": (settle, True), "keep": (keep, True),
}


def plan(
    inputs: Sequence[str | os.PathLike[str]], *, work: str | os.PathLike[str], output: str | os.PathLike[str], parts: int, text: str = "text",
    id: str = "id", keep: str = "longest", **settings: Any,
) -> None:
    """Says what the run in the folder ``work`` is about. Repeating it changes nothing; another plan for the same folder is refused.

    ``inputs`` are files and folders of them, ``text`` and ``id`` are fields of their records, ``settings`` those of ``leitong.dedup`` that
    the stages know (``remove``, ``loss``, ``measure``, ``threshold``, ..). ``output`` gets the folders ``kept``, ``removed`` and ``pairs``.
    """
    refuse_groups(settings)
    asked = Settings(**{name: value for name, value in settings.items() if name not in GROUPS})
    _plan.make(Path(work), Path(output), [os.fspath(path) for path in inputs], parts, text, id, keep, asked)


def listed(work: str | os.PathLike[str]) -> list[tuple[str, int]]:
    """The stages of the planned run in their order, each with the number of its parts."""
    parts = _plan.read(Path(work)).parts
    return [(stage, parts if in_parts else 1) for stage, (_, in_parts) in STAGES.items()]


def run(stage: str, work: str | os.PathLike[str], part: int = 0, again: bool = False) -> bool:
    """Does one part of one stage. Parts of one stage may run at the same time, on any machines with the folder ``work``.

    Returns False where the part was done before, which is not repeated unless ``again``. Fails with NotFoundError where a part of an earlier
    stage is missing. A part that was killed left nothing, and is run again.
    """
    plan = _plan.read(Path(work))
    function, in_parts = STAGES[stage]
    parts = plan.parts if in_parts else 1
    if not 0 <= part < parts:
        raise InvalidArgumentError(f"part {part} of {stage}: its parts are 0 to {parts - 1}")
    done = plan.done(stage, part)
    if done.exists() and not again:
        return False
    before = list(STAGES)[: list(STAGES).index(stage)]
    for name in before:
        for number in range(plan.parts if STAGES[name][1] else 1):
            if not plan.done(name, number).exists():
                raise NotFoundError(f"part {number} of {name} has not been done, which comes before {stage}")
    begun = time.monotonic()
    function(plan, part)
    write_json(done, {"seconds": round(time.monotonic() - begun, 3)})
    return True
