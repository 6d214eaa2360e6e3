"""Has this text been seen, or one nearly like it? An index that can be queried while it grows."""
from __future__ import annotations

import os
import re
import time as clock
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Literal, Unpack, overload

from . import _leitong
from ._answering import answering
from ._answers import (
    Answer,
    Bounds,
    CandidateText,
    Change,
    Changes,
    Committed,
    CopiedPassage,
    IndexExplanation,
    Key,
    Match,
    Part,
    Stored,
)
from ._data import is_in_memory, source_of
from ._dedup import Params, params_list
from ._dictionaries import data_folder
from ._errors import InvalidArgumentError, NotFoundError
from ._given import (
    Asked,
    Checked,
    Details,
    Moment,
    cursor_of,
    folder_of,
    id_of_one,
    limit_of,
    listed,
    may_be_id,
    name_of,
    named,
    only,
    seconds,
    texts_alone,
    version_of,
)
from ._numbers import matches_of, whole
from ._session import session
from ._texts import Dictionaries, choice

_LONG = 100_000  # a text of at least so many characters is checked in another thread, so that Ctrl-C works meanwhile


class Index:
    """Texts that are compared with all that came before, one at a time or in batches.

    ``folder`` is where the index is kept. It is made if it is missing, except with ``create=False``. With None the index is only in
    memory. One process at a time can open a folder, with any number of threads. ``"redis://host:port/name"`` is an index on a Redis
    server and ``"hbase://host:port/name"`` one on HBase; any number of processes can open these, but the server decides what is
    durable, sources can't be set aside, and no snapshots can be made. ``durability`` says when an addition counts as done: "sync"
    (it survives a power failure), "everysec" or "none"; at each level it survives the end of the process. Answers depend only on
    the texts and the order of their arrival, not on batches.

    ``scheme`` says how texts are compared: "default", by the rule of ``leitong.dedup``; "reuse", which also finds the texts that
    hold a part of another one, for an index in memory or in a folder; or by a fingerprint such as "simhash", whose ``distance`` in
    ``params`` decides. ``dictionaries`` and ``synonyms`` are for schemes that use words. ``marks`` and ``numbers`` are those of
    ``leitong.dedup``; ``numbers`` is "same" or "masked". All of these are stored in a new index. For an existing index leave them
    out, or give the same ones. Without ``keep_texts`` a new index of fingerprints does not keep the texts.

    Use it in a ``with`` block or call ``close()``. A stop by Ctrl-C ends the object: open the folder again. A forked child cannot
    use it.

    >>> import leitong
    >>> with leitong.Index() as index:
    ...     first = index.check_and_add("渡船清晨六点开第一班，雾大的日子停航。乘客请在北岸的石阶旁排队等候。", "a")
    ...     second = index.check("渡船清晨六點開第一班，霧大的日子停航。乘客請在北岸的石階旁排隊。")
    >>> first.verdict, second.verdict, second.match.id, round(second.match.jaccard, 2)
    ('new', 'near', 'a', 0.93)
    """

    def __init__(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        create: bool = True,
        durability: Literal["sync", "everysec", "none"] = "sync",
        threads: int = 0,
        postings_in_memory: int = 1_000_000,
        scheme: str = "",
        params: Params = None,
        dictionaries: Dictionaries | None = None,
        synonyms: str | os.PathLike[str] | None = None,
        keep_texts: bool = True,
        marks: Literal["fold", "keep"] = "fold",
        numbers: Literal["same", "masked"] = "same",
    ) -> None:
        #: The folder of the index; None if it is only in memory.
        self.folder = folder_of(folder)
        kind = choice(_leitong.Durability, durability, "durability")
        postings = whole(postings_in_memory, "postings_in_memory", 0, 2**32 - 1, "give a number; each takes 40 bytes")

        given, files = params_list(params, synonyms), (dictionaries or Dictionaries()).open()

        def opened(words: str) -> _leitong.OnlineIndex:
            return _leitong.OnlineIndex(
                session(threads=threads, data_folder=words), self.folder or "", create, kind, postings, scheme, given, files, keep_texts,
                marks, numbers,
            )

        try:
            self._index = opened("")
        except NotFoundError:  # an index of fingerprints may need dictionaries, and only its folder says which
            words = data_folder()
            if not words:
                raise
            self._index = opened(words)

    def __repr__(self) -> str:
        place = "in memory" if self.folder is None else f"in {re.sub('//.*@', '//', self.folder)}"
        return f"<Index {place}, closed>" if self._index.is_closed else f"<Index {place}: {len(self)} texts>"

    def __enter__(self) -> Index:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("an open Index cannot be pickled; one process at a time has its folder open")

    def close(self) -> None:
        """Closes the folder, after the calls in progress in other threads have ended. May be repeated."""
        self._index.close()

    @overload
    def check(self, data: str, **details: Unpack[Checked]) -> Answer: ...  # pyright: ignore[reportOverlappingOverload]
    @overload
    def check(self, data: Any, **details: Unpack[Checked]) -> list[Answer]: ...
    def check(self, data: Any, **details: Unpack[Checked]) -> Answer | list[Answer]:
        """Checks a text, or each text of data of any kind that ``leitong.dedup`` takes, against the index.

        ``text`` names a column; ``matches`` is the number of similar texts that are returned, the match included.

        ``exclude`` names parts that do not count: "quotations" (text in quotation marks beside a source), "bibliography" (the list
        of sources at the end), "same_source" (parts of texts whose source is ``source``). Text of ``base``, such as a handout, does
        not count either. Places are those of the whole text.
        """
        only(details, Checked, "check")
        wanted, source = matches_of(details.get("matches", 1)), details.get("source", "")
        exclude, base = listed(details.get("exclude", ())), "\n".join(listed(details.get("base", ())))

        def check(texts: _leitong.Texts) -> Any:
            return self._index.check(texts, wanted, exclude, base, source)

        if isinstance(data, str):
            return _answer(check(_texts((data,)))[0])
        return [_answer(row) for texts in texts_alone(data, details.get("text", "text")) for row in check(texts)]

    @overload
    def check_and_add(self, data: str, ids: str | int, **details: Unpack[Asked]) -> Answer: ...  # pyright: ignore[reportOverlappingOverload]
    @overload
    def check_and_add(
        self, data: Any, ids: Iterable[str | int] | None = ..., **details: Unpack[Asked]
    ) -> list[Answer]: ...
    def check_and_add(
        self, data: Any, ids: str | int | Iterable[str | int] | None = None, **details: Unpack[Asked]
    ) -> Answer | list[Answer]:
        """Checks each text against the index and the earlier texts of the batch, and adds all of them.

        ``data`` is a text, or data of any kind that ``leitong.dedup`` takes; ``ids`` are their ids, or None if the column ``id``
        has them. An id is a str of 1 to 1024 bytes, or an int, which becomes a str. A text that was seen before joins the family of
        its match. A text that the index has under the same id changes nothing; another text under this id is refused. A batch is
        added as a whole or, after a failure, not at all; data that can be read only once are added batch by batch.

        ``text`` and ``id`` name columns. ``source`` (a crawl, a customer), ``time`` and ``expires`` belong to all texts of
        the call: ``remove_source`` and ``expire`` take them out together. Moments are a datetime (UTC unless it says
        otherwise; numpy's, too) or seconds since 1970. ``matches`` is as in ``check``.

        With ``expected_version``, the version of an earlier answer, the texts are added only if the index still has this version;
        otherwise ConflictError is raised. A batch of texts that are all known succeeds with any version.
        """
        only(details, Asked, "check_and_add")
        matches = matches_of(details.get("matches", 1))

        def add(
            ids: _leitong.Texts, texts: _leitong.Texts, source: str, time: int | None, expires: int | None, expected: int | None
        ) -> Any:
            return self._index.check_and_add(ids, texts, source, time, expires, expected, matches)

        return self._add(add, data, ids, details)

    @overload
    def add(self, data: str, ids: str | int, **details: Unpack[Details]) -> Answer: ...  # pyright: ignore[reportOverlappingOverload]
    @overload
    def add(
        self, data: Any, ids: Iterable[str | int] | None = ..., **details: Unpack[Details]
    ) -> list[Answer]: ...
    def add(
        self, data: Any, ids: str | int | Iterable[str | int] | None = None, **details: Unpack[Details]
    ) -> Answer | list[Answer]:
        """Adds texts without a search for similar texts: each text except an exact copy represents itself."""
        only(details, Details, "add")
        return self._add(self._index.add, data, ids, details)

    def begin(self, source: str) -> bool:
        """From now on, added texts of this source are set aside: checks do not find them until ``commit``.

        Answers for these texts are provisional. Returns False if the source is already open; then it keeps its texts.
        """
        return self._index.begin(source)

    def commit(self, source: str) -> Committed:
        """Adds the texts that were set aside, in the order of their arrival, and shows all of them at one moment."""
        return Committed(*self._index.commit(source))

    def rollback(self, source: str) -> None:
        """Discards what was set aside."""
        self._index.rollback(source)

    def open_sources(self) -> list[str]:
        """The sources that are open, by name."""
        return list(self._index.open_sources())

    def remove_source(self, source: str) -> int:
        """Removes all texts of a source; returns their number."""
        return self._index.remove_source(source)

    def expire(self, before: Moment = None) -> int:
        """Removes all texts that expired before this moment, or before now; returns their number."""
        return self._index.expire(int(clock.time()) if before is None else seconds(before) or 0)

    def snapshot(self, folder: str | os.PathLike[str]) -> None:
        """Copies the index at one moment to a folder that does not exist yet."""
        self._index.snapshot(os.fspath(folder))

    def compact(self) -> None:
        """Frees the space of removed texts, and merges all files of keys into one."""
        self._index.compact()

    def remove(self, id: str | int, *, expected_version: int | None = None) -> bool:
        """Removes a text; returns False if the id is unknown. ``expected_version`` is as in ``check_and_add``."""
        return self._index.remove(name_of(id), version_of(expected_version))

    def changes(self, since: str = "", *, limit: int = 1000, texts: bool = False) -> Changes:
        """Additions and removals since a cursor, or since "now". Without a cursor it begins with all texts of the index.

        A follower that applies these changes in their order ends with the contents of the index. A cursor outlives the process.
        NotFoundError means that the cursor is too old, or of another index; then begin again without a cursor.

        >>> import leitong
        >>> with leitong.Index() as index:
        ...     answers = index.add(["渡船停航", "桥已封闭"], ["a", "b"])
        ...     cursor = index.changes().cursor
        ...     removed = index.remove("a")
        ...     [(change.removed, change.stored.id) for change in index.changes(cursor).changes]
        [(True, 'a')]
        """
        told: Any = self._index.changes(cursor_of(since), limit_of(limit), texts)
        rows, cursor, more = told
        return Changes([Change(removed, Stored(*row)) for removed, row in rows], cursor, more)

    def get(self, id: str | int) -> Stored | None:
        """The text as it was added; None if the id is unknown."""
        row: Any = self._index.get(name_of(id))
        return None if row is None else Stored(*row)

    def __contains__(self, id: object) -> bool:
        return may_be_id(id) and self._index.get(name_of(id)) is not None

    def __len__(self) -> int:
        return self.stats()["texts"]

    def explain(self, text: str) -> IndexExplanation:
        """How ``check`` finds its answer."""
        asked = _texts((text,))
        found = self._index.explain(asked) if len(text) <= _LONG else answering(lambda: self._index.explain(asked))
        answer, units, keys, candidates = found
        return IndexExplanation(
            _answer(answer), units, [Key(*key) for key in keys], [CandidateText(*one) for one in candidates]
        )

    def stats(self) -> dict[str, int]:
        """The contents of the index, and its work since it was opened.

        >>> import leitong
        >>> with leitong.Index() as index:
        ...     answers = index.check_and_add([{"id": 1, "text": "渡船停航"}, {"id": 2, "text": "渡船停航 "}])
        ...     {name: index.stats()[name] for name in ("texts", "new", "exact", "checks")}
        {'texts': 2, 'new': 1, 'exact': 1, 'checks': 2}
        """
        return dict(self._index.figures())

    def verify(self) -> None:
        """Verifies the checksums of all files, and the index against the texts; CorruptError names the file."""
        self._index.verify()

    def _add(
        self,
        add: Callable[[_leitong.Texts, _leitong.Texts, str, int | None, int | None, int | None], Any],
        data: Any,
        ids: Any,
        details: Details,
    ) -> Answer | list[Answer]:
        source, id = details.get("source", ""), details.get("id", "id")
        time, expires = seconds(details.get("time")), seconds(details.get("expires"))
        expected = version_of(details.get("expected_version"))
        if isinstance(data, str):
            return _answer(add(_texts((id_of_one(ids),)), _texts((data,)), source, time, expires, expected)[0])
        rows: Any = source_of(data, details.get("text", "text"), id if ids is None else None)
        if expected is not None and not is_in_memory(rows):
            raise InvalidArgumentError("an expected version is for texts that are added at once; read them into memory first")
        answers: list[Answer] = []
        for texts, names in named(rows, ids, id):
            answers += map(_answer, add(_texts(names), texts, source, time, expires, expected))
        return answers


def _texts(strings: Any) -> _leitong.Texts:
    return _leitong.Texts.from_strings(strings)


def _answer(row: Any) -> Answer:
    verdict, match, others, candidates, ids, keys, templates, known, reason, version, too_short, parts = row
    return Answer(
        verdict,
        None if match is None else Match(*match),
        tuple(Match(*other) for other in others),
        Bounds(candidates, ids, keys),
        templates,
        known,
        reason,
        version,
        too_short,
        tuple(Part._make((*part[:-1], tuple(map(CopiedPassage._make, part[-1])))) for part in parts),
    )
