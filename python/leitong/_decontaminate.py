"""Which texts hold items of a benchmark?"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from . import _leitong
from ._data import is_in_memory, source_of
from ._errors import InvalidArgumentError, NotFoundError
from ._session import ProgressOption, session
from ._settings import given


class Leak(NamedTuple):
    """An item that a text holds."""

    position: int
    """The text."""
    item: int
    """The item's position in ``against``."""
    kind: Literal["leak", "doubt"]
    match: Literal["equal", "edited"]
    share: float
    """The part of the item's shingles, or of its n-grams, that stands in the passage."""
    begin: int
    end: int
    """The passage, in characters of the text."""
    passage: str
    why: str
    """Why it is a doubt; empty for a leak."""


class Leaks:
    """The items that texts hold."""

    def __init__(self, data: Any, size: int, hits: list[Leak], too_short: list[int]) -> None:
        #: A row for each text and each item that it holds, by their positions.
        self.hits = hits
        #: Positions of the texts that hold a leaked item.
        self.leaking = sorted({hit.position for hit in hits if hit.kind == "leak"})
        #: Positions of the leaked items.
        self.leaked = sorted({hit.item for hit in hits if hit.kind == "leak"})
        #: Positions of the items that are too short to be looked for.
        self.too_short = too_short
        self._data, self._size = data, size

    @property
    def kept(self) -> Any:
        """The rows without leaks, of the kind of the data."""
        leaking = set(self.leaking)
        return self._data.take([position for position in range(self._size) if position not in leaking])

    def __repr__(self) -> str:
        return f"<Leaks: {len(self.leaking)} of {self._size} texts hold {len(self.leaked)} items>"


def decontaminate(
    data: Any,
    against: Any,
    text: str = "text",
    *,
    against_fields: str | Sequence[str] = "text",
    share: float | None = None,
    ngram: int | None = None,
    common: int = 100,
    threads: int = 0,
    progress: ProgressOption = None,
) -> Leaks:
    """Finds the items of a benchmark in texts, as ``leitong decontaminate`` does in files.

    ``data`` and ``text`` are those of ``leitong.dedup``; the data must be in memory. ``against`` are data of the same kinds, in
    which each row holds an item, such as a question. ``against_fields`` names the field of the question, or a list of it and of the
    fields of answers: then a question that stands in a text is a "leak" only if one of its answers stands near it, and otherwise a
    "doubt". An item is found if ``share`` of its shingles stand in one window of the text (0.9 for items of up to 12 shingles,
    falling to 0.7 for items of 60 and more), or, with ``ngram``, if so many words of it stand there in a row. An item that more
    than ``common`` texts hold is a doubt.

    >>> import leitong
    >>> pages = ["题：河南省的省会是哪一座城市？答：鄭州。", "没有题目的一页。"]
    >>> leaks = leitong.decontaminate(pages, [{"q": "河南省的省会是哪一座城市", "a": "郑州"}], against_fields=["q", "a"])
    >>> leaks
    <Leaks: 1 of 2 texts hold 1 items>
    >>> leaks.hits[0].passage, leaks.hits[0].match, leaks.kept
    ('河南省的省会是哪一座城市', 'equal', ['没有题目的一页。'])

    Raises ``InvalidArgumentError`` for impossible settings and if every item is too short; ``NotFoundError`` for a missing field.
    """
    fields = [against_fields] if isinstance(against_fields, str) else list(against_fields)
    if not fields:
        raise InvalidArgumentError("name the field of the questions", "against_fields")
    source, items = source_of(data, text, None), source_of(against, fields[0], None)
    if not is_in_memory(source) or not is_in_memory(items):
        raise InvalidArgumentError("texts that come once are not possible here; give a list or a table")
    answers = []
    for field in fields[1:]:
        column = items.column(field)
        if column is None:
            raise NotFoundError(items.lacks(field))
        answers.append(_leitong.Texts.from_strings("" if value is None else str(value) for value in column))
    texts = source.texts()
    found, too_short = _leitong.leaks(
        session(threads=threads, progress=progress),
        texts,
        items.texts(),
        answers,
        given(share=share, ngram=ngram, common=common),
    )
    hits = [
        Leak(position, item, "leak" if leak else "doubt", "equal" if equal else "edited", part, begin, end,
             texts[position][begin:end], why)
        for position, item, leak, equal, part, begin, end, why in found
    ]
    return Leaks(source, len(texts), hits, too_short)
