"""Cuts repeated parts out of texts, and keeps the texts."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from . import _leitong
from ._data import texts_of
from ._session import ProgressOption, session
from ._settings import given


class Cut(NamedTuple):
    """A piece that was cut out of a text; all places are in characters."""

    position: int
    """The text."""
    begin: int
    end: int
    text: str
    """What was cut."""
    units: int
    """Units of it: Chinese characters, or pairs of letters or digits."""
    documents: int
    """Texts that hold the part; of a passage, its first run; of a template, families of texts."""
    kept: int | None
    """The text in which an equal part stays, from ``kept_begin`` to ``kept_end``; None with ``kept_part="none"``."""
    kept_begin: int | None
    kept_end: int | None


class Trimmed:
    """What is left of texts."""

    def __init__(self, texts: list[str | None], cuts: list[Cut], removed: list[int]) -> None:
        #: What is left of each text; None for texts that were removed.
        self.texts = texts
        #: All cuts, by their places.
        self.cuts = cuts
        #: Positions of the texts that were removed, because fewer than ``least_left`` units were left.
        self.removed = removed

    def __repr__(self) -> str:
        changed = len({cut.position for cut in self.cuts})
        return f"<Trimmed: {len(self.texts)} texts, {changed} changed in {len(self.cuts)} places, {len(self.removed)} of them removed>"


def trim(
    data: Any,
    text: str = "text",
    *,
    part: Literal["line", "paragraph", "sentence", "passage", "template"] = "line",
    kept_part: Literal["first", "none"] = "first",
    least_documents: int = 1,
    least_units: int | None = None,
    border: Literal["sentence", "word", "character"] = "sentence",
    least_left: int = 1,
    base: Sequence[str] = (),
    threads: int = 0,
    memory: int = 0,
    work_folder: str | os.PathLike[str] | None = None,
    progress: ProgressOption = None,
) -> Trimmed:
    r"""Cuts out of texts the lines, paragraphs, sentences, passages or templates that repeat, as ``leitong trim`` does with files.

    ``data`` and ``text`` are those of ``leitong.dedup``, in memory. Parts are equal whatever their case, width, punctuation and
    white space, in traditional or simplified characters. A "passage" is any run of ``least_units`` units (100, which are 100
    Chinese characters or 200 letters), wherever it begins. A "template" is text that ``leitong.dedup`` recognises in many unrelated
    texts; for it ``least_documents`` counts families of texts. Text of ``base`` (a question sheet, a licence) is never cut, and a
    passage ends where such text begins. ``kept_part`` is "first" if the first of several equal parts stays, and "none" if none of
    them stays, for frames of pages. Only parts that at least ``least_documents`` texts hold are cut, and only parts of at least
    ``least_units`` units. ``border`` says where cuts of passages and templates begin and end. A text is removed if parts of it are
    cut and fewer than ``least_left`` units stay.

    >>> import leitong
    >>> trimmed = leitong.trim(["Home | News\nThe ferry leaves at six.", "home, news\nBread takes two hours."])
    >>> trimmed.texts
    ['Home | News\nThe ferry leaves at six.', 'Bread takes two hours.']
    >>> [(cut.position, cut.text, cut.kept) for cut in trimmed.cuts]
    [(1, 'home, news\n', 0)]

    Raises ``InvalidArgumentError`` for impossible settings, and ``CorruptError`` for texts that are not Unicode.
    """
    texts = texts_of(data, text)
    here = session(threads=threads, memory=memory, work_folder=work_folder, progress=progress)
    settings = given(
        part=part,
        kept_part=kept_part,
        least_documents=least_documents,
        least_units=least_units,
        border=border,
        least_left=least_left,
    )
    left: list[str | None] = [texts[position] for position in range(len(texts))]
    cuts: list[Cut] = []
    removed: list[int] = []
    for position, is_removed, rest, places in _leitong.trim(here, texts, _leitong.Texts.from_strings(tuple(base)), settings):
        whole = texts[position]
        for begin, end, units, documents, kept, kept_begin, kept_end in places:
            stays = (None, None, None) if kept_part == "none" else (kept, kept_begin, kept_end)
            cuts.append(Cut(position, begin, end, whole[begin:end], units, documents, *stays))
        left[position] = None if is_removed else rest
        if is_removed:
            removed.append(position)
    return Trimmed(left, cuts, removed)
