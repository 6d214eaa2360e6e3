"""The index of a `leitong serve` on this machine or another one."""
from __future__ import annotations

import asyncio
import functools
import http.client
import json
import threading
import time as clock
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, TypeVar, Unpack, overload
from urllib.parse import quote, urlencode, urlsplit

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
from ._data import source_of
from ._errors import (
    ConflictError,
    CorruptError,
    Error,
    InputOutputError,
    InvalidArgumentError,
    LimitError,
    NotFoundError,
)
from ._given import (
    Asked,
    Checked,
    Details,
    Moment,
    id_of_one,
    limit_of,
    listed,
    may_be_id,
    name_of,
    named,
    only,
    seconds,
    strings,
    texts_alone,
    version_of,
)
from ._numbers import matches_of

Value = TypeVar("Value")

# The limits of one request, well below the server's default limits of 10,000 records and 16 MB.
MOST_RECORDS, MOST_BYTES = 1000, 4 << 20
PAUSE = 0.05  # seconds, before a request is sent again


class Client:
    """An index behind ``leitong serve``, with the calls of ``Index``. Thread-safe.

    ``address`` is http or https; ``token`` is what the server's file of tokens has; ``timeout`` is in seconds, for a request with
    all its repetitions. A request is sent again if the connection was lost or the server was too busy; texts that the index has
    already change nothing. Scores have four digits.

    Failures are those of ``leitong.Error``: InputOutputError if the server can't be reached, LimitError if it is too busy,
    NotFoundError if it has no index of this name.
    """

    def __init__(
        self,
        address: str = "http://127.0.0.1:8380",
        index: str = "default",
        *,
        token: str | None = None,
        timeout: float = 60,
    ) -> None:
        refused = InvalidArgumentError(f"{address!r} is no address of a server; they are like http://127.0.0.1:8380")
        try:
            parts = urlsplit(address)
            port = parts.port
        except ValueError:
            raise refused from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise refused
        self.address, self.index, self.timeout = address.rstrip("/"), index, timeout
        self._kind: Callable[..., http.client.HTTPConnection] = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        self._host, self._port, self._path = parts.hostname, port, parts.path.rstrip("/")
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._local = threading.local()
        self._all: list[http.client.HTTPConnection] = []

    def __repr__(self) -> str:
        return f"<Client of {self.index} at {self.address}>"

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections of all threads. The next call opens a new one."""
        while self._all:
            self._all.pop().close()

    @overload
    def check(self, data: str, **details: Unpack[Checked]) -> Answer: ...  # pyright: ignore[reportOverlappingOverload]
    @overload
    def check(self, data: Any, **details: Unpack[Checked]) -> list[Answer]: ...
    def check(self, data: Any, **details: Unpack[Checked]) -> Answer | list[Answer]:
        """Checks a text, or each text of data of any kind that ``leitong.dedup`` takes, against the index: see ``Index``."""
        only(details, Checked, "check")
        wanted, exclude = matches_of(details.get("matches", 1)), ",".join(listed(details.get("exclude", ())))
        given = {"base": "\n".join(listed(details.get("base", ()))), "source": details.get("source", "")}
        more = {name: value for name, value in given.items() if value}
        if isinstance(data, str):
            return _answer(self._post("check", {"text": data, **more}, matches=wanted, exclude=exclude))
        rows = ({"text": one, **more} for texts in texts_alone(data, details.get("text", "text")) for one in strings(texts))
        return self._answers("check", rows, wanted, exclude)

    @overload
    def check_and_add(self, data: str, ids: str | int, **details: Unpack[Asked]) -> Answer: ...  # pyright: ignore[reportOverlappingOverload]
    @overload
    def check_and_add(
        self, data: Any, ids: Iterable[str | int] | None = ..., **details: Unpack[Asked]
    ) -> list[Answer]: ...
    def check_and_add(
        self, data: Any, ids: str | int | Iterable[str | int] | None = None, **details: Unpack[Asked]
    ) -> Answer | list[Answer]:
        """Checks each text against the index and the earlier texts of the batch, and adds all of them: see ``Index``."""
        only(details, Asked, "check_and_add")
        return self._add("check-and-add", data, ids, details, matches_of(details.get("matches", 1)))

    @overload
    def add(self, data: str, ids: str | int, **details: Unpack[Details]) -> Answer: ...  # pyright: ignore[reportOverlappingOverload]
    @overload
    def add(self, data: Any, ids: Iterable[str | int] | None = ..., **details: Unpack[Details]) -> list[Answer]: ...
    def add(
        self, data: Any, ids: str | int | Iterable[str | int] | None = None, **details: Unpack[Details]
    ) -> Answer | list[Answer]:
        """Adds texts without a search for similar texts: see ``Index``."""
        only(details, Details, "add")
        return self._add("add", data, ids, details, 1)

    def begin(self, source: str) -> bool:
        """From now on texts of this source are set aside until ``commit``: see ``Index``. Returns False if the source is already
        open."""
        return bool(self._post("sources/begin", {"source": source})["begun"])

    def commit(self, source: str) -> Committed:
        """Adds the texts that were set aside, and shows all of them at one moment."""
        return Committed(**self._post("sources/commit", {"source": source})["committed"])

    def rollback(self, source: str) -> None:
        """Discards what was set aside."""
        self._post("sources/rollback", {"source": source})

    def open_sources(self) -> list[str]:
        """The sources that are open, by name."""
        names: list[str] = self._get("/sources")["open"]
        return names

    def remove_source(self, source: str) -> int:
        """Removes all texts of a source; returns their number."""
        return int(self._post("sources/remove", {"source": source})["removed"])

    def expire(self, before: Moment = None) -> int:
        """Removes all texts that expired before this moment, or before now; returns their number."""
        return int(self._post("expire", {"before": int(clock.time()) if before is None else seconds(before)})["removed"])

    def snapshot(self) -> str:
        """Copies the index to the server's folder of snapshots; returns the copy's name."""
        return str(self._post("snapshot", None)["snapshot"])

    def remove(self, id: str | int, *, expected_version: int | None = None) -> bool:
        """Removes a text; returns False if the id is unknown. ``expected_version``: see ``Index``."""
        return bool(self._post("remove", {"id": name_of(id)}, expected_version=version_of(expected_version))["removed"])

    def get(self, id: str | int) -> Stored | None:
        """The text as it was added; None if the id is unknown."""
        found = self._post("get", {"id": name_of(id)})
        return _stored(found) if found["found"] else None

    def changes(self, since: str = "", *, limit: int = 1000, texts: bool = False) -> Changes:
        """Additions and removals since a cursor, or since "now": see ``Index``."""
        asked = urlencode({"since": since, "limit": limit_of(limit), "texts": str(texts).lower()})
        found = self._get(f"/changes?{asked}")
        return Changes(
            [Change(one["change"] == "removed", _stored(one)) for one in found["changes"]], found["cursor"], found["more"]
        )

    def __contains__(self, id: object) -> bool:
        return may_be_id(id) and bool(self._post("get", {"id": name_of(id)})["found"])

    def __len__(self) -> int:
        return self.stats()["texts"]

    def explain(self, text: str) -> IndexExplanation:
        """How ``check`` finds its answer."""
        found = self._post("explain", {"text": text})
        return IndexExplanation(
            _answer(found["answer"]),
            found["units"],
            [Key(**key) for key in found["keys"]],
            list(map(_candidate, found["candidates"])),
        )

    def stats(self) -> dict[str, int]:
        """The contents of the index, and its work since the server was started."""
        figures: dict[str, int] = self._get("")["figures"]
        return figures

    def _add(self, operation: str, data: Any, ids: Any, details: Details, matches: int) -> Answer | list[Answer]:
        expected = version_of(details.get("expected_version"))
        times = {"time": seconds(details.get("time")), "expires": seconds(details.get("expires"))}
        more: dict[str, Any] = {name: value for name, value in times.items() if value is not None}
        if of := details.get("source"):
            more["source"] = of
        if isinstance(data, str):
            one = {"id": id_of_one(ids), "text": data, **more}
            return _answer(self._post(operation, one, matches=matches, expected_version=expected))
        id = details.get("id", "id")
        source = source_of(data, details.get("text", "text"), id if ids is None else None)
        rows = (
            {"id": name, "text": text, **more}
            for texts, names in named(source, ids, id)
            for name, text in zip(names, strings(texts), strict=True)
        )
        # A batch with an expected version is added in one request.
        if expected is not None:
            held = list(rows)
            return list(map(_answer, self._post(operation, held, matches=matches, expected_version=expected))) if held else []
        return self._answers(operation, rows, matches)

    def _answers(self, operation: str, rows: Iterable[dict[str, Any]], matches: int, exclude: str = "") -> list[Answer]:
        answers: list[Answer] = []
        batch: list[dict[str, Any]] = []
        size = 0
        for row in rows:
            bytes_of_row = 4 * (len(row["text"]) + len(row.get("base", "")))
            if batch and (len(batch) == MOST_RECORDS or size + bytes_of_row > MOST_BYTES):
                answers += map(_answer, self._post(operation, batch, matches=matches, exclude=exclude))
                batch, size = [], 0
            batch.append(row)
            size += bytes_of_row
        if batch:
            answers += map(_answer, self._post(operation, batch, matches=matches, exclude=exclude))
        return answers

    def _get(self, what: str) -> Any:
        return self._request("GET", f"/v1/indexes/{quote(self.index, safe='')}{what}", None)

    def _post(
        self, operation: str, body: Any, *, matches: int = 1, exclude: str = "", expected_version: int | None = None
    ) -> Any:
        asked = {"matches": matches if matches > 1 else None, "exclude": exclude or None, "expected_version": expected_version}
        query = urlencode({name: value for name, value in asked.items() if value is not None}, safe=",")
        target = f"/v1/indexes/{quote(self.index, safe='')}/{operation}" + (f"?{query}" if query else "")
        try:
            sent = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise CorruptError('a text or an id holds a lone surrogate, which has no UTF-8; read it with errors="replace"') from None
        return self._request("POST", target, sent)

    def _request(self, method: str, target: str, body: bytes | None) -> Any:
        until = clock.monotonic() + self.timeout
        while True:
            try:
                status, wait, answer = self._send(method, target, body)
            except (OSError, http.client.HTTPException) as lost:
                self._forget()
                # A server closes connections that were idle for long, and all connections when it ends.
                again = isinstance(lost, ConnectionError | http.client.HTTPException)
                if isinstance(lost, ConnectionRefusedError) or not again or clock.monotonic() > until:
                    raise InputOutputError(f"{self.address} can't be reached: {lost}; is leitong serve at work there?") from lost
                clock.sleep(PAUSE)
                continue
            if status in (429, 503) and wait is not None and clock.monotonic() + wait < until:
                clock.sleep(wait)
                continue
            if status >= 300:
                raise _failure(status, answer)
            return json.loads(answer)

    def _forget(self) -> None:
        lost = self._local.__dict__.pop("connection", None)
        if lost is not None:
            lost.close()
        if lost in self._all:
            self._all.remove(lost)

    def _send(self, method: str, target: str, body: bytes | None) -> tuple[int, float | None, bytes]:
        connection: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._kind(self._host, self._port, timeout=self.timeout)
            self._all.append(connection)
        connection.request(method, self._path + target, body, self._headers)
        response = connection.getresponse()
        wait = response.getheader("Retry-After")
        return response.status, None if wait is None else float(wait), response.read()


class AsyncClient:
    """``Client`` for asyncio: each call waits in a thread of its own, at most ``connections`` at once.

    Use it as ``async with leitong.AsyncClient() as client:``.
    """

    def __init__(
        self,
        address: str = "http://127.0.0.1:8380",
        index: str = "default",
        *,
        token: str | None = None,
        timeout: float = 60,
        connections: int = 8,
    ) -> None:
        self._client = Client(address, index, token=token, timeout=timeout)
        self._threads = ThreadPoolExecutor(connections, "leitong")

    def __repr__(self) -> str:
        return f"<Async{repr(self._client)[1:]}"

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Waits for calls in progress, and closes the connections."""
        await asyncio.to_thread(self._threads.shutdown)
        self._client.close()

    @overload
    async def check(self, data: str, **details: Unpack[Checked]) -> Answer: ...  # pyright: ignore[reportOverlappingOverload]
    @overload
    async def check(self, data: Any, **details: Unpack[Checked]) -> list[Answer]: ...
    async def check(self, data: Any, **details: Unpack[Checked]) -> Answer | list[Answer]:
        """As ``Client.check``."""
        return await self._call(lambda: self._client.check(data, **details))

    @overload
    async def check_and_add(self, data: str, ids: str | int, **details: Unpack[Asked]) -> Answer: ...  # pyright: ignore[reportOverlappingOverload]
    @overload
    async def check_and_add(
        self, data: Any, ids: Iterable[str | int] | None = ..., **details: Unpack[Asked]
    ) -> list[Answer]: ...
    async def check_and_add(self, data: Any, ids: Any = None, **details: Unpack[Asked]) -> Answer | list[Answer]:
        """As ``Client.check_and_add``."""
        return await self._call(lambda: self._client.check_and_add(data, ids, **details))

    @overload
    async def add(self, data: str, ids: str | int, **details: Unpack[Details]) -> Answer: ...  # pyright: ignore[reportOverlappingOverload]
    @overload
    async def add(
        self, data: Any, ids: Iterable[str | int] | None = ..., **details: Unpack[Details]
    ) -> list[Answer]: ...
    async def add(self, data: Any, ids: Any = None, **details: Unpack[Details]) -> Answer | list[Answer]:
        """As ``Client.add``."""
        return await self._call(lambda: self._client.add(data, ids, **details))

    async def begin(self, source: str) -> bool:
        """As ``Client.begin``."""
        return await self._call(functools.partial(self._client.begin, source))

    async def commit(self, source: str) -> Committed:
        """As ``Client.commit``."""
        return await self._call(functools.partial(self._client.commit, source))

    async def rollback(self, source: str) -> None:
        """As ``Client.rollback``."""
        await self._call(functools.partial(self._client.rollback, source))

    async def open_sources(self) -> list[str]:
        """As ``Client.open_sources``."""
        return await self._call(self._client.open_sources)

    async def remove_source(self, source: str) -> int:
        """As ``Client.remove_source``."""
        return await self._call(functools.partial(self._client.remove_source, source))

    async def expire(self, before: Moment = None) -> int:
        """As ``Client.expire``."""
        return await self._call(functools.partial(self._client.expire, before))

    async def snapshot(self) -> str:
        """As ``Client.snapshot``."""
        return await self._call(self._client.snapshot)

    async def remove(self, id: str | int, *, expected_version: int | None = None) -> bool:
        """As ``Client.remove``."""
        return await self._call(functools.partial(self._client.remove, id, expected_version=expected_version))

    async def changes(self, since: str = "", *, limit: int = 1000, texts: bool = False) -> Changes:
        """As ``Client.changes``."""
        return await self._call(functools.partial(self._client.changes, since, limit=limit, texts=texts))

    async def get(self, id: str | int) -> Stored | None:
        """As ``Client.get``."""
        return await self._call(functools.partial(self._client.get, id))

    async def explain(self, text: str) -> IndexExplanation:
        """As ``Client.explain``."""
        return await self._call(functools.partial(self._client.explain, text))

    async def stats(self) -> dict[str, int]:
        """As ``Client.stats``."""
        return await self._call(self._client.stats)

    async def _call(self, work: Callable[[], Value]) -> Value:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


def _match(found: dict[str, Any]) -> Match:
    """Uses only the members that this version knows, because another version of the server may send more."""
    return Match(**{name: value for name, value in found.items() if name in Match._fields})


def _candidate(found: dict[str, Any]) -> CandidateText:
    members: Any = map(found.get, CandidateText._fields)
    return CandidateText(*members)


def _part(found: dict[str, Any]) -> Part:
    passages = tuple(CopiedPassage._make((*p["a_characters"], *p["b_characters"], p["units"])) for p in found["passages"])
    return Part(**{name: found[name] for name in Part._fields if name in found and name != "passages"}, passages=passages)


def _answer(found: dict[str, Any]) -> Answer:
    return Answer(
        found["verdict"],
        _match(found["match"]) if "match" in found else None,
        tuple(map(_match, found.get("others", ()))),
        Bounds(**found.get("bounded", {})),
        found.get("refused_as_template", 0),
        found.get("known", False),
        found.get("reason", ""),
        found.get("version"),
        found.get("too_short", False),
        tuple(map(_part, found.get("parts", ()))),
    )


def _stored(found: dict[str, Any]) -> Stored:
    return Stored(
        found["id"],
        found.get("text", ""),
        found.get("verdict", "new"),
        found.get("family"),
        found.get("source", ""),
        found.get("time"),
        found.get("expires"),
    )


def _failure(status: int, answer: bytes) -> Error:
    try:
        message = f"{json.loads(answer)['detail']} (status {status})"
    except (ValueError, KeyError, TypeError):
        message = f"the server answered with status {status}"
    if status == 409:
        return ConflictError(message)
    if status in (404, 410):
        return NotFoundError(message)
    if status in (413, 429, 503):
        return LimitError(message)
    return InvalidArgumentError(message) if status < 500 else InputOutputError(message)
