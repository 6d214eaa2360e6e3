"""A result as a page."""
from __future__ import annotations

import html
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _leitong
from ._errors import InvalidArgumentError
from ._session import log, session

if TYPE_CHECKING:
    from ._result import Result

RANK = "rank"


class Page(NamedTuple):
    """The settings of a run, for the report of the same run over files."""

    settings: _leitong.DedupSettings
    ranks: NDArray[np.uint64] | None
    vectors: NDArray[Any] | None
    groups: dict[str, NDArray[np.uint32]]
    threads: int
    memory: int
    work_folder: str | os.PathLike[str] | None
    data_folder: str

    def write(
        self,
        to: str | os.PathLike[str],
        overwrite: bool,
        texts: Iterable[str],
        names: Sequence[str],
        references: int,
    ) -> None:
        """The first `references` texts are references."""
        import tempfile

        if not overwrite and os.path.lexists(to):
            raise InvalidArgumentError(f"{os.fspath(to)} exists; overwrite=True replaces it")
        with tempfile.TemporaryDirectory(prefix="leitong-", dir=self.work_folder) as folder:
            rows, known = Path(folder) / "texts.jsonl", Path(folder) / "references.jsonl"
            unread = 0
            with rows.open("w", encoding="utf-8") as of_rows, known.open("w", encoding="utf-8") as of_references:
                for position, (name, text) in enumerate(zip(names, texts, strict=True)):
                    unread += not text.strip() or "\0" in text
                    record: dict[str, str | int] = {"id": name, "text": text}
                    if position >= references and self.ranks is not None:
                        record[RANK] = -int(self.ranks[position - references])
                    for field, numbers in self.groups.items():
                        record[field] = int(numbers[position])
                    line = json.dumps(record, ensure_ascii=False)
                    print(line, file=of_references if position < references else of_rows)
            if unread:
                log.warning("%d texts are blank or hold a NUL character: the page counts them as records that could not be read", unread)
            here = session(
                threads=self.threads, memory=self.memory, work_folder=self.work_folder, data_folder=self.data_folder
            )
            of_vectors = Path(folder) / "vectors.npy"
            if self.vectors is not None:
                np.save(of_vectors, self.vectors)
            _leitong.write_report(
                here, [str(rows)], [str(known)] if references else [], self.settings, RANK,
                "" if self.vectors is None else str(of_vectors), os.fspath(to), overwrite
            )


def overview(result: Result) -> str:
    """The display of a result in a notebook."""
    recall = result.recall
    facts = [f"<b>{len(result.kept_for)}</b> texts, <b>{len(result.kept_positions)}</b> kept, "
             f"<b>{len(result.removed_positions)}</b> removed"]
    if recall.value is not None:
        facts.append(f"recall {recall.value:.3f} ({recall.low:.3f} to {recall.high:.3f}), measured on "
                     f"{recall.sampled} texts")
    rows = [
        f"<tr><td>{_name(removal.id, removal.position)}</td><td>{_name(removal.kept_id, removal.kept)}</td>"
        f"<td>{html.escape(removal.measure)}</td><td>{removal.score:.2f}</td></tr>"
        for removal in result.least_similar(5)
    ]
    table = (
        "<table><thead><tr><th>removed</th><th>kept</th><th>measure</th><th>score</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>" if rows else ""
    )
    note = "<p>The least similar of the removed texts:</p>" if rows else ""
    return f"<div><p>{'; '.join(facts)}</p>{note}{table}</div>"


def _name(id: object, row: int) -> str:
    return html.escape(f"row {row}" if id is None else str(id))
