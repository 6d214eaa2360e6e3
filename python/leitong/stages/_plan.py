"""The plan of a run: its inputs, in parts, and its settings. Every stage reads it, and refuses other inputs or settings."""
from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from .. import _leitong
from .._errors import InvalidArgumentError, NotFoundError
from ..spark._rows import Settings, here
from ._files import write_json

KINDS = (".parquet", ".jsonl", ".jsonl.gz", ".jsonl.zst")
KEY_BITS = 40


@dataclass(frozen=True)
class Input:
    path: str
    bytes: int
    part: int


@dataclass(frozen=True)
class Plan:
    """`work` holds the artifacts; `output` gets kept/, removed/ and pairs/. `text` and `id` are fields."""

    work: Path
    output: Path
    parts: int
    text: str
    id: str
    keep: str
    settings: Settings
    inputs: tuple[Input, ...]

    def at(self, stage: str, part: int | str, kind: str = ".arrow") -> Path:
        return self.work / stage / f"{part}{kind}"

    def all_of(self, stage: str) -> list[Path]:
        return [self.at(stage, part) for part in range(self.parts)]

    def done(self, stage: str, part: int) -> Path:
        return self.at("done", f"{stage}-{part}", "")

    def files_of(self, part: int) -> list[int]:
        """The numbers of a part's inputs."""
        return [number for number, one in enumerate(self.inputs) if one.part == part]

    def check_input(self, number: int) -> None:
        one = self.inputs[number]
        if not os.path.exists(one.path):
            raise NotFoundError(f"{one.path} is missing, an input of this run")
        if os.path.getsize(one.path) != one.bytes:
            raise InvalidArgumentError(f"{one.path} has changed since the run was planned; plan a new one in a folder of its own")


def listed(paths: Sequence[str]) -> list[str]:
    """Files, and those in folders, in the order of their names."""
    found: list[str] = []
    for path in paths:
        if os.path.isdir(path):
            found += sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith(KINDS))
        else:
            found.append(path)
    for path in found:
        if not os.path.exists(path):
            raise NotFoundError(f"{path} is missing")
        if not path.endswith(KINDS):
            raise InvalidArgumentError(f"{path}: inputs are files {', '.join(KINDS)}")
    names = [os.path.basename(path) for path in found]
    for name in names:
        if names.count(name) > 1:
            raise InvalidArgumentError(f"two inputs have the name {name}, which is that of the file of their rows that stay")
    if not found:
        raise InvalidArgumentError(f"there is no input; inputs are files {', '.join(KINDS)}, and folders of them")
    return found


def make(
    work: Path, output: Path, inputs: Sequence[str], parts: int, text: str, id: str, keep: str, settings: Settings
) -> Plan:
    """Plans a run. Repeating it changes nothing; a different plan in the same folder is refused."""
    if parts < 1:
        raise InvalidArgumentError(f"a run has 1 part and more, not {parts}")
    if keep not in ("longest", "first"):
        raise InvalidArgumentError(f"keep is {keep!r}; the stages know longest and first, leitong.spark knows columns as well")
    paths = [os.path.abspath(path) for path in listed(inputs)]
    sizes = [os.path.getsize(path) for path in paths]
    loads = [0] * parts  # each file, the largest first, goes where least is
    part_of = [0] * len(paths)
    for number in sorted(range(len(paths)), key=lambda n: (-sizes[n], n)):
        part_of[number] = loads.index(min(loads))
        loads[part_of[number]] += max(sizes[number], 1)
    planned = tuple(Input(*one) for one in zip(paths, sizes, part_of, strict=True))
    plan = Plan(work.absolute(), output.absolute(), parts, text, id, keep, settings, planned)
    value = _value(plan)
    path = plan.work / "plan.json"
    if path.exists():
        if json.loads(path.read_text(encoding="utf-8")) != value:
            raise InvalidArgumentError(f"{work} holds another run; give this one a folder of its own")
    else:
        write_json(path, value)
    return plan


def read(work: Path) -> Plan:
    path = work / "plan.json"
    if not path.exists():
        raise NotFoundError(f"{path} is missing; plan the run first: python -m leitong.stages plan")
    value = json.loads(path.read_text(encoding="utf-8"))
    settings = Settings(**value["settings"])
    plan = Plan(
        work.absolute(), Path(value["output"]), value["parts"], value["text"], value["id"], value["keep"], settings,
        tuple(Input(**one) for one in value["inputs"]),
    )
    if _value(plan) != value:
        raise InvalidArgumentError(
            f"{path} was made by leitong {value['leitong']} with {value['scheme']}; this is {_leitong.version()} with "
            f"{settings.steps().scheme(here())}. All stages of a run need one version"
        )
    return plan


def _value(plan: Plan) -> dict[str, object]:
    return {
        "leitong": _leitong.version(), "scheme": plan.settings.steps().scheme(here()), "parts": plan.parts, "text": plan.text,
        "id": plan.id, "keep": plan.keep, "settings": asdict(plan.settings), "output": str(plan.output),
        "inputs": [asdict(one) for one in plan.inputs],
    }
