"""Restores the input of ``leitong dedup --restorable`` from what it kept and what it removed."""
from __future__ import annotations

import os
from typing import NamedTuple

from . import _leitong
from ._session import ProgressOption, session


class Restored(NamedTuple):
    """What was restored."""

    files: int
    """Files of the input."""
    bytes: int
    """Bytes written, before they were compressed."""
    records: int
    """Removed records among them."""
    lost: dict[str, str]
    """Files of which not all could be read, when the run read them, each with the reason."""


def restore(
    kept: str | os.PathLike[str],
    restorable: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    id: str | None = None,
    force: bool = False,
    threads: int = 0,
    work_folder: str | os.PathLike[str] | None = None,
    progress: ProgressOption = None,
) -> Restored:
    """Writes the input of a run of ``leitong dedup`` again, byte for byte and in its order.

    ``kept`` and ``restorable`` are what the run wrote to ``-o`` (a file, also compressed; a list of paths; a folder) and to
    ``--restorable``. ``output`` is a file, compressed according to its name, or a folder if it ends in "/" or is a folder. The
    folder has to be new or empty, and gets a file for each input file, under the same path. With ``id`` only the removed record
    that has this id (or place, "file:line") is written. A file that exists is replaced if ``force`` is set.

    Input that was compressed, or in another encoding than UTF-8, is restored as unpacked text in UTF-8. Files that are one document
    each are restored unchanged; of tables the rows are restored. All bytes are verified by checksums, and the output appears when
    it is complete. Memory grows with the number of files, not with their bytes.

    Raises ``NotFoundError`` and ``InputOutputError`` for files, and ``NotFoundError`` for an id that no removed record has;
    ``CorruptError``, which names the file and the place, if a byte of either input is not what the run wrote;
    ``InvalidArgumentError`` for an impossible output.
    """
    with_ = session(threads=threads, work_folder=work_folder, progress=progress)
    return Restored(*_leitong.restore(with_, os.fspath(kept), os.fspath(restorable), os.fspath(output), id or "", force))
