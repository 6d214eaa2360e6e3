"""`leitong.Client` and `leitong.AsyncClient`, with a server of the package's own command."""
from __future__ import annotations

import asyncio
import http.client
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import polars as pl
import pytest

import leitong
from conftest import DOUGH, FERRY, FERRY_TRADITIONAL, Server
from index_test import reuse_texts, versions


@pytest.fixture
def client(server: Server) -> Iterator[leitong.Client]:
    with leitong.Client(f"http://127.0.0.1:{server.port}", timeout=30) as client:
        yield client


def rounded(answer: leitong.Answer) -> leitong.Answer:
    """As a server writes it."""
    if answer.match is None:
        return answer
    match = answer.match
    return answer._replace(match=match._replace(
        score=round(match.score, 4), jaccard=round(match.jaccard, 4), containment=round(match.containment, 4),
        loss=None if match.loss is None else round(match.loss, 4)))


def test_it_answers_as_an_index_does(client: leitong.Client) -> None:
    rows = versions(120)
    with leitong.Index() as index:
        assert client.check_and_add(rows) == [rounded(one) for one in index.check_and_add(rows)]
        texts = [row["text"] for row in rows[:30]]
        assert client.check(pl.Series(texts)) == [rounded(one) for one in index.check(texts)]
        assert client.get("t1") == index.get("t1")
    assert client.check_and_add(FERRY, "ferry").verdict == "new"
    assert client.check(FERRY_TRADITIONAL).match.id == "ferry"
    assert client.check_and_add(DOUGH, "ferry").verdict == "refused"
    assert client.explain(FERRY_TRADITIONAL).candidates[0].id == "ferry"
    assert client.add([DOUGH], [7])[0].is_new
    assert len(client) == client.stats()["texts"] == 122
    assert "7" in client and client.remove("7") and not client.remove("7") and client.get("7") is None


def test_what_does_not_count_is_left_out_of_a_check(server: Server) -> None:
    article, essay = reuse_texts()
    address = f"http://127.0.0.1:{server.port}"
    made = http.client.HTTPConnection("127.0.0.1", server.port)
    made.request("PUT", "/v1/indexes/articles", json.dumps({"scheme": "reuse"}), {"Content-Type": "application/json"})
    assert made.getresponse().status == 201
    with leitong.Client(address, "articles", timeout=30) as client:
        client.check_and_add(article, "a", source="li")
        assert client.check(essay).verdict == "parts"
        assert client.check(essay, exclude=["quotations", "bibliography"]).is_new
        assert [answer.verdict for answer in client.check([essay, article], exclude="quotations")] == ["new", "exact"]
        assert client.check(essay, base=article[90:260]).is_new
        assert client.check(essay, exclude="same_source", source="li").is_new
        with pytest.raises(leitong.InvalidArgumentError, match="bibliography"):
            client.check(essay, exclude="all")


def test_a_source_appears_at_one_moment_and_leaves_as_one(client: leitong.Client) -> None:
    assert client.begin("crawl") and not client.begin("crawl") and client.open_sources() == ["crawl"]
    client.check_and_add([FERRY, FERRY_TRADITIONAL], [1, 2], source="crawl", time=datetime(2026, 11, 23))
    assert client.check(FERRY).is_new
    assert client.commit("crawl") == leitong.Committed(2, 1, 1, 0, 0, 0)
    assert client.check(FERRY).match[5:8] == ("crawl", 1795392000, None)
    client.begin("next")
    client.rollback("next")
    with pytest.raises(leitong.NotFoundError):
        client.commit("next")
    assert client.remove_source("crawl") == 2
    client.add(DOUGH, "dough", expires=4_000_000_000)
    stored = client.get("dough")
    assert stored == leitong.Stored("dough", DOUGH, "new", None, "", None, 4_000_000_000)
    assert client.expire() == 0 and client.expire(4_000_000_001) == 1
    assert client.snapshot().startswith("default-")


def test_changes_and_versions_are_those_of_an_index(client: leitong.Client) -> None:
    seen = client.check(FERRY).version
    assert client.check_and_add(FERRY, "ferry", source="crawl", expected_version=seen).version == client.stats()["version"] == 1
    with pytest.raises(leitong.ConflictError, match=r"version 1.*409"):
        client.add([DOUGH], ["dough"], expected_version=seen)
    assert client.add([DOUGH], ["dough"], expected_version=1)[0].version == 2
    told = client.changes(limit=1, texts=True)
    assert told.changes == [leitong.Change(False, client.get("ferry"))] and told.more
    with pytest.raises(leitong.ConflictError):
        client.remove("ferry", expected_version=1)
    assert client.remove("ferry", expected_version=2)
    told = client.changes(told.cursor)
    assert [(change.removed, change.stored.id, change.stored.text) for change in told.changes] == [(False, "dough", ""), (True, "ferry", "")]
    assert not told.more and client.changes(told.cursor).changes == client.changes("now").changes == []
    with pytest.raises(leitong.NotFoundError, match="another index.*410"):
        client.changes("1." + told.cursor.split(".", 1)[1])


def test_data_are_sent_in_parts(client: leitong.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leitong._client.MOST_RECORDS", 7)
    rows = versions(50)
    with leitong.Index() as index:
        assert client.check_and_add(iter(rows)) == [rounded(one) for one in index.check_and_add(rows)]
    with pytest.raises(leitong.InvalidArgumentError, match="3 ids for 2 texts"):
        client.add([FERRY, DOUGH], [1, 2, 3])
    with pytest.raises(leitong.NotFoundError, match='no column "id"'):
        client.add([FERRY])


def test_threads_share_a_client(client: leitong.Client) -> None:
    rows = versions(200)
    threads = [threading.Thread(target=client.check_and_add, args=(rows[part::4],)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(client) == 200


def test_a_server_that_began_again_is_found_again(server: Server, client: leitong.Client) -> None:
    client.check_and_add(FERRY, "ferry")
    server.stop()
    with pytest.raises(leitong.InputOutputError, match="can't be reached"):
        client.check(FERRY)
    server.start()
    assert client.check(FERRY).match.id == "ferry"
    assert client.check_and_add(FERRY, "ferry").known


def test_problems_are_exceptions(client: leitong.Client) -> None:
    with pytest.raises(leitong.NotFoundError, match="status 404"):
        leitong.Client(client.address, "no-such-index").check(FERRY)
    with pytest.raises(leitong.InvalidArgumentError, match="status 422"):
        client.check(FERRY, matches=10**6)
    with pytest.raises(leitong.LimitError, match="status 413"):
        client.check("x" * (17 << 20))
    with pytest.raises(leitong.InvalidArgumentError, match="is no address"):
        leitong.Client("localhost:8380")


def test_a_token_opens_the_door(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text("read token-of-sixteen-letters reader\n")
    tokens.chmod(0o600)
    (tmp_path / "leitong.toml").write_text(f'[server]\ntokens = "{tokens}"\n')
    server = Server(tmp_path / "data", "--config", str(tmp_path / "leitong.toml"))
    address = server.start()
    try:
        assert leitong.Client(address, token="token-of-sixteen-letters").check(FERRY).is_new
        with pytest.raises(leitong.InvalidArgumentError, match="status 401"):
            leitong.Client(address).check(FERRY)
        with pytest.raises(leitong.InvalidArgumentError, match="status 403"):
            leitong.Client(address, token="token-of-sixteen-letters").add(FERRY, "ferry")
    finally:
        server.stop()


def test_asyncio_asks_many_at_once(server: Server) -> None:
    rows = versions(60)

    async def ask() -> list[leitong.Answer]:
        async with leitong.AsyncClient(f"http://127.0.0.1:{server.port}", connections=4) as client:
            await client.add(rows)
            answers = await asyncio.gather(*(client.check(row["text"]) for row in rows))
            assert (await client.stats())["texts"] == 60 and await client.remove("t0")
            assert await client.get("t0") is None and (await client.explain(rows[1]["text"])).answer.match is not None
            assert (await client.check_and_add(FERRY, "ferry")).is_new
            return answers

    assert {answer.verdict for answer in asyncio.run(ask())} == {"exact"}


def test_an_index_of_fingerprints_answers_as_an_index_does(server: Server, client: leitong.Client, tmp_path: Path) -> None:
    pytest.importorskip("jieba")
    asked = http.client.HTTPConnection("127.0.0.1", server.port)
    asked.request("PUT", "/v1/indexes/prints", json.dumps({"scheme": "simhash", "params": ["distance=10"], "keep_texts": True}),
                  {"Content-Type": "application/json"})
    assert asked.getresponse().status in (200, 201)
    asked.close()
    subprocess.run([sys.executable, "-m", "leitong", "index", "create", "--index", tmp_path / "prints", "--scheme", "simhash", "--param", "distance=10"],
                   check=True)
    rows = [{"id": "a", "text": FERRY}, {"id": "b", "text": FERRY + "好"}, {"id": "c", "text": DOUGH}]
    with leitong.Client(client.address, "prints") as prints, leitong.Index(tmp_path / "prints") as index:
        answers = prints.check_and_add(rows)
        assert answers == index.check_and_add(rows)
        assert answers[1].match == leitong.Match("a", "hamming", 1.0, distance=0)
        assert prints.explain(FERRY) == index.explain(FERRY)


def test_unknown_options_are_heard(client: leitong.Client) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'sorce'"):
        client.check_and_add(FERRY, "ferry", sorce="crawl")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="unexpected keyword argument 'matches'"):
        client.add(FERRY, "ferry", matches=2)  # type: ignore[call-overload]
    assert len(client) == 0


def test_ids_and_batches_are_those_of_an_index(client: leitong.Client) -> None:
    client.add([{"id": 7, "text": FERRY}])
    client.add(DOUGH, 8)
    assert 7 in client and "8" in client and 9 not in client and client.get(7) == client.get("7")
    assert client.remove(7) and not client.remove(7)
    assert client.check_and_add([]) == client.add([], expected_version=2) == client.check([]) == []
    assert client.add(["eins"], (id for id in ["one"]))[0].is_new


def test_what_cannot_be_meant_is_refused(client: leitong.Client) -> None:
    assert client.check(FERRY).is_new
    for call in (client.check, client.explain, lambda text: client.add(text, "id"), lambda text: client.get(text)):
        with pytest.raises(leitong.CorruptError, match="lone surrogate"):
            call("\ud800")
    for address in ("http://127.0.0.1:abc", "http://[", "http://127.0.0.1:99999"):
        with pytest.raises(leitong.InvalidArgumentError, match="is no address"):
            leitong.Client(address)
    with pytest.raises(leitong.InvalidArgumentError, match="matches is 0"):
        client.check(FERRY, matches=0)
    with pytest.raises(leitong.InvalidArgumentError, match="limit is -1"):
        client.changes(limit=-1)
    with pytest.raises(leitong.InvalidArgumentError, match="a moment is '2026-01-01'"):
        client.add(FERRY, "ferry", time="2026-01-01")  # type: ignore[call-overload]
