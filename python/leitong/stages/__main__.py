"""The command line of the stages.

Each stage reads what earlier stages wrote to the folder --work, and writes its own files there, which appear complete. Parts of
one stage may run at the same time, on any machines with the folder. A finished part is not repeated; one that was
killed is run again."""
from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from .._errors import Error, InvalidArgumentError, NotFoundError
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


def run(stage: str, work: Path, part: int, again: bool = False) -> bool:
    """Returns whether there was anything to do."""
    plan = _plan.read(work)
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


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m leitong.stages", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="stage", required=True, metavar="STAGE")
    planned = commands.add_parser("plan", help="says what the run is about")
    planned.add_argument("inputs", nargs="+", metavar="INPUT", help=f"files ({', '.join(_plan.KINDS)}) and folders of them")
    planned.add_argument("--parts", type=int, required=True, help="of the inputs, whole files each, and of every other stage")
    planned.add_argument("--output", type=Path, required=True, help="a folder, which gets kept/, removed/ and pairs/")
    planned.add_argument("--text", default="text", metavar="FIELD", help="of the texts")
    planned.add_argument("--id", default="id", metavar="FIELD", help="of the ids; without one a record is named by its place")
    planned.add_argument("--keep", choices=["longest", "first"], default="longest", help="which text of a cluster stays")
    planned.add_argument("--remove", choices=["lossless", "careful", "wide", "similar"], default="careful", help="what may be lost of a text that leaves")
    planned.add_argument("--loss", type=float, metavar="L", help="the part of its own units that may be lost, in the place of a name")
    planned.add_argument("--loss-run", type=float, metavar="R", help="with a loss: the part that may be lost in long stretches")
    planned.add_argument("--numbers", choices=["same", "text", "masked"], default="same", help="what a number counts that differs")
    planned.add_argument("--marks", choices=["fold", "keep"], default="fold", help="what becomes of accents and other marks that may be left out")
    planned.add_argument("--measure", help="jaccard or containment, which the threshold applies to")
    planned.add_argument("--threshold", type=float, metavar="T", help="in the place of the default rule")
    planned.add_argument("--strict-match", action="store_true", help="ask for more of short texts")
    planned.add_argument("--template-text", choices=["automatic", "ignored", "counted"], default="automatic", help="text that many hold")
    for name in GROUPS:  # refused by name
        planned.add_argument(f"--{name.replace('_', '-')}", metavar="FIELD", help=argparse.SUPPRESS)
    commands.add_parser("list", help="prints the stages in their order, each with the number of its parts")
    for stage, (function, in_parts) in STAGES.items():
        parser_of = commands.add_parser(stage, help=(function.__doc__ or "").split("\n\n")[0].replace("\n    ", " "))
        parser_of.add_argument("--part", type=int, default=0, help="0 and on" if in_parts else "0, the only one")
        parser_of.add_argument("--again", action="store_true", help="even if it was done")
    for one in commands.choices.values():
        one.add_argument("--work", type=Path, required=True, metavar="DIR", help="where the artifacts are, which all machines see")
    given = parser.parse_args()
    try:
        if given.stage == "plan":
            refuse_groups(vars(given))
            settings = Settings(
                given.threshold, given.measure, given.strict_match, given.template_text, given.remove, given.loss, given.loss_run, given.numbers,
                given.marks)
            _plan.make(given.work, given.output, given.inputs, given.parts, given.text, given.id, given.keep, settings)
        elif given.stage == "list":
            plan = _plan.read(given.work)
            for stage, (_, in_parts) in STAGES.items():
                print(stage, plan.parts if in_parts else 1)
        else:
            run(given.stage, given.work, given.part, given.again)
    except (Error, OSError) as error:
        print(f"leitong.stages {given.stage}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
