"""The command line of the stages.

Each stage reads what earlier stages wrote to the folder --work, and writes its own files there, which appear complete. Parts of
one stage may run at the same time, on any machines with the folder. A finished part is not repeated; one that was
killed is run again."""
from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .._errors import Error
from ..spark._rows import GROUPS
from . import _plan
from ._run import STAGES, listed, plan, run


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
            plan(**{name: value for name, value in vars(given).items() if name != "stage"})
        elif given.stage == "list":
            for stage, parts in listed(given.work):
                print(stage, parts)
        else:
            run(given.stage, given.work, given.part, given.again)
    except (Error, OSError) as error:
        print(f"leitong.stages {given.stage}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
