"""`leitong.Index`: has this text been seen?"""
from __future__ import annotations

import os
import pickle
import random
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import leitong
from conftest import DOUGH, FERRY, FERRY_TRADITIONAL


def versions(count: int) -> list[dict[str, str]]:
    """Texts of 120 characters, every third one an edited copy of an earlier one, every ninth an exact one."""
    draw = random.Random(5)
    texts: list[str] = []
    for number in range(count):
        text = "".join(chr(draw.randrange(0x4E00, 0x4E00 + 4000)) for _ in range(120))
        if number % 3 == 2:
            text = texts[draw.randrange(number)]
            if number % 9 != 2:
                at = draw.randrange(100)
                text = text[:at] + "改" + text[at + 2 :]
        texts.append(text)
    return [{"id": f"t{number}", "text": text} for number, text in enumerate(texts)]


@pytest.fixture
def on_redis(tmp_path: Path) -> Iterator[str]:
    """The place of an index on a server of its own."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is missing (scripts/install-packages --servers), so an index on Redis was NOT tried")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(["redis-server", "--bind", "127.0.0.1", "--port", str(port), "--dir", tmp_path, "--save", ""], stdout=subprocess.DEVNULL)
    try:
        for _ in range(200):
            if subprocess.run(["redis-cli", "-p", str(port), "PING"], capture_output=True, check=False).stdout.startswith(b"PONG"):
                break
            time.sleep(0.05)
        yield f"redis://127.0.0.1:{port}/seen"
    finally:
        server.kill()
        server.wait()


def test_two_indexes_share_a_place_on_redis(on_redis: str) -> None:
    rows = versions(200)
    with leitong.Index(on_redis) as one, leitong.Index(on_redis) as other, leitong.Index() as alone:
        for first in range(0, 200, 20):
            index = one if first % 40 == 0 else other
            batch = rows[first : first + 20]
            texts, ids = [row["text"] for row in batch], [row["id"] for row in batch]
            shared, own = index.check_and_add(texts, ids), alone.check_and_add(texts, ids)
            assert [(answer.verdict, answer.match and answer.match.id) for answer in shared] == [(answer.verdict, answer.match and answer.match.id) for answer in own]
        assert len(one) == len(other) == 200
        assert other.get("t0").text == rows[0]["text"]
        with pytest.raises(leitong.UnsupportedError, match="need an index in a folder"):
            one.begin("crawl")
    assert repr(one) == f"<Index in {on_redis}, closed>"


def test_a_text_is_new_near_or_the_same() -> None:
    with leitong.Index() as index:
        assert index.check_and_add(FERRY, "ferry") == leitong.Answer("new", version=1)
        near = index.check_and_add(FERRY_TRADITIONAL, "traditional")
        assert (near.verdict, near.is_new, near.match.id, near.match.measure) == ("near", False, "ferry", "jaccard")
        assert near.match.score == near.match.jaccard == pytest.approx(leitong.compare(FERRY, FERRY_TRADITIONAL).jaccard)
        same = index.check("　" + FERRY)
        assert (same.verdict, same.match.measure, same.match.score) == ("exact", "identical", 1)
        assert (same.match.loss, same.match.covered) == (0, True)
        copy = index.check(FERRY + "！")
        assert (copy.verdict, copy.match.measure, copy.match.score, copy.match.covered) == ("near", "copy", 1, True)
        assert index.check(DOUGH).is_new
        short = index.check("不足六个")
        assert (short.verdict, short.too_short, index.check(DOUGH).too_short) == ("new", True, False)
        assert len(index) == 2 and "ferry" in index and "dough" not in index


def test_batches_of_any_size_and_kind_have_the_same_answers() -> None:
    rows = versions(300)
    with leitong.Index() as index:
        expected = [index.check_and_add(row["text"], row["id"]) for row in rows]
    found = {answer.verdict for answer in expected}
    assert found == {"new", "near", "exact"}
    batches = {
        "dicts": rows,
        "polars": pl.DataFrame(rows),
        "pyarrow": pa.Table.from_pylist(rows),
        "reader": pa.Table.from_pylist(rows).to_reader(max_chunksize=7),
        "iterator": iter(rows),
    }
    for kind, data in batches.items():
        with leitong.Index(threads=2) as index:
            answers = index.check_and_add(data)
        assert [(a.verdict, a.match) for a in answers] == [(a.verdict, a.match) for a in expected], kind
    with leitong.Index() as index:
        texts = [row["text"] for row in rows]
        assert index.check_and_add(texts, range(300))[8].match == expected[8].match._replace(id=expected[8].match.id[1:])
        assert [a.verdict for a in index.check(texts)] == ["exact"] * 300


def test_it_is_kept_in_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "seen"
    with pytest.raises(leitong.NotFoundError):
        leitong.Index(folder, create=False)
    with leitong.Index(folder, durability="none") as index:
        index.add([FERRY, DOUGH], ["ferry", "dough"])
        assert repr(index) == f"<Index in {folder}: 2 texts>"
        with pytest.raises(leitong.InputOutputError):
            leitong.Index(folder)
    assert repr(index) == f"<Index in {folder}, closed>"
    with leitong.Index(folder, create=False) as again:
        again.verify()
        assert again.check(FERRY_TRADITIONAL).match.id == "ferry"
        assert again.check_and_add(FERRY, "ferry").known
        assert again.get("ferry") == leitong.Stored("ferry", FERRY, "new", None)
        assert again.get("no such id") is None


def test_another_process_finds_it(tmp_path: Path) -> None:
    with leitong.Index(tmp_path) as index:
        index.check_and_add(FERRY, "ferry")
    code = "import leitong, sys; print(leitong.Index(sys.argv[1]).check(sys.argv[2]).match.id)"
    run = subprocess.run([sys.executable, "-c", code, tmp_path, FERRY_TRADITIONAL], check=True, capture_output=True)
    assert run.stdout == b"ferry\n"


def test_a_text_can_be_taken_out() -> None:
    with leitong.Index() as index:
        index.check_and_add([FERRY, FERRY_TRADITIONAL], ["first", "second"])
        assert index.get("second").family == "first"
        assert index.remove("first") and not index.remove("first")
        assert index.check(FERRY).match.id == "second"


def test_an_id_stands_for_one_text() -> None:
    with leitong.Index() as index:
        index.check_and_add(FERRY, "page")
        refused = index.check_and_add(DOUGH, "page")
        assert refused.verdict == "refused" and refused.reason
        assert index.check_and_add(DOUGH, "i" * 1025).verdict == "refused"


def test_what_cannot_be_meant_is_refused() -> None:
    with leitong.Index() as index:
        with pytest.raises(leitong.InvalidArgumentError, match="under an id"):
            index.check_and_add(FERRY)  # type: ignore[call-overload]
        with pytest.raises(leitong.NotFoundError, match='no column "id"'):
            index.check_and_add([FERRY])
        with pytest.raises(leitong.InvalidArgumentError, match="2 ids for 1 texts"):
            index.check_and_add([FERRY], ["a", "b"])
        with pytest.raises(leitong.InvalidArgumentError, match="ids are str or int"):
            index.check_and_add([FERRY], [1.5])  # type: ignore[list-item]
        with pytest.raises(leitong.InvalidArgumentError, match="choose one of sync"):
            leitong.Index(durability="often")  # type: ignore[arg-type]
        assert len(index) == 0
    with pytest.raises(leitong.InvalidArgumentError, match="the index is closed"):
        index.check(FERRY)
    index.close()
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(index)


def test_an_answer_is_explained() -> None:
    with leitong.Index() as index:
        index.check_and_add(FERRY, "ferry")
        why = index.explain(FERRY_TRADITIONAL)
        assert why.answer == index.check(FERRY_TRADITIONAL)
        assert why.keys and why.keys[0].holders <= 1
        assert [(one.id, one.fate) for one in why.candidates] == [("ferry", "accepted")]
        assert pickle.loads(pickle.dumps(why)) == why


def test_other_matches_come_where_they_are_wanted() -> None:
    with leitong.Index() as index:
        index.add([FERRY, FERRY_TRADITIONAL], ["a", "b"])
        assert index.check(FERRY[:-1] + "，不要站在跳板上").others == ()
        answer = index.check(FERRY[:-1] + "，不要站在跳板上", matches=3)
        assert (answer.match.id, [other.id for other in answer.others]) == ("a", ["b"])


def test_a_source_appears_at_one_moment_and_leaves_as_one() -> None:
    with leitong.Index() as index:
        assert index.begin("crawl") and not index.begin("crawl")
        index.check_and_add([FERRY, FERRY_TRADITIONAL], [1, 2], source="crawl", time=datetime(2026, 11, 23))
        assert index.open_sources() == ["crawl"] and index.check(FERRY).is_new
        assert index.commit("crawl") == leitong.Committed(2, 1, 1, 0, 0, 0)
        assert index.check(FERRY).match[5:8] == ("crawl", 1795392000, None)
        index.begin("next")
        index.check_and_add(DOUGH, "dough", source="next")
        index.rollback("next")
        with pytest.raises(leitong.NotFoundError):
            index.commit("next")
        assert index.remove_source("crawl") == 2 and len(index) == 0


def test_a_follower_has_what_the_index_has(tmp_path: Path) -> None:
    rows = versions(60)
    copy: dict[str, str] = {}
    cursor = ""
    for round in range(3):
        with leitong.Index(tmp_path / "i") as index:
            index.check_and_add(rows[20 * round : 20 * round + 20])
            for number in range(0, 20 * round, 7):
                index.remove(f"t{number}")
            more = True
            while more:
                told, cursor, more = index.changes(cursor, limit=9, texts=True)
                for removed, stored in told:
                    if removed:
                        copy.pop(stored.id, None)
                    else:
                        copy[stored.id] = stored.text
            there = [stored for stored in map(index.get, (row["id"] for row in rows)) if stored is not None]
            assert copy == {stored.id: stored.text for stored in there}
    with leitong.Index() as other, pytest.raises(leitong.NotFoundError, match="another index"):
        other.changes(cursor)


def test_of_writers_who_saw_the_same_version_one_is_first() -> None:
    with leitong.Index() as index:
        seen = index.check(FERRY).version
        assert index.check_and_add(FERRY, "ferry", expected_version=seen).version == index.stats()["version"] == 1
        with pytest.raises(leitong.ConflictError, match="version 1"):
            index.add(DOUGH, "dough", expected_version=seen)
        assert index.add(FERRY, "ferry", expected_version=seen).known
        assert [answer.version for answer in index.add([DOUGH, "桥"], ["dough", "bridge"], expected_version=1)] == [2, 3]
        with pytest.raises(leitong.ConflictError):
            index.remove("dough", expected_version=2)
        assert index.remove("dough", expected_version=3)
        with pytest.raises(leitong.InvalidArgumentError, match="at once"):
            index.add(iter([{"id": 1, "text": FERRY}]), expected_version=4)


def test_texts_expire() -> None:
    with leitong.Index() as index:
        index.add(FERRY, "ferry", expires=datetime(2020, 1, 1, tzinfo=timezone(timedelta(hours=8))))
        index.add(DOUGH, "dough", expires=4e9)
        assert index.get("ferry").expires == 1577808000
        assert index.expire(1577808000) == 0
        assert index.expire() == 1 and "dough" in index and "ferry" not in index


def test_a_snapshot_is_an_index(tmp_path: Path) -> None:
    with leitong.Index(tmp_path / "seen") as index:
        index.add(FERRY, "ferry")
        index.compact()
        index.snapshot(tmp_path / "copy")
        index.remove("ferry")
        with leitong.Index(tmp_path / "copy", create=False) as copy:
            assert "ferry" in copy
        with pytest.raises(leitong.InvalidArgumentError):
            index.snapshot(tmp_path / "copy")


def test_figures_count_what_was_asked() -> None:
    with leitong.Index() as index:
        index.check_and_add([FERRY, FERRY_TRADITIONAL, FERRY], [1, 2, 3])
        index.check(DOUGH)
        stats = index.stats()
        assert [stats[name] for name in ("texts", "new", "near", "exact", "checks")] == [3, 1, 1, 1, 4]


def test_threads_may_check_and_add_at_once() -> None:
    rows = versions(400)
    with leitong.Index() as index:
        def work(part: int) -> None:
            for row in rows[part::4]:
                index.check(row["text"])
                index.check_and_add(row["text"], row["id"])

        threads = [threading.Thread(target=work, args=(part,)) for part in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        stats = index.stats()
        assert stats["texts"] == 400 and stats["new"] + stats["near"] + stats["exact"] == 400


@pytest.mark.parametrize("kept", [False, True])
def test_it_does_not_follow_a_fork(kept: bool, tmp_path: Path) -> None:
    index = leitong.Index(tmp_path if kept else None)
    index.check_and_add(FERRY, "ferry")
    child = os.fork()
    if child == 0:
        try:
            index.check(FERRY)
        except leitong.UnsupportedError:
            del index  # neither waits for threads that are not there nor writes to the folder
            os._exit(0)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    assert index.check(FERRY).verdict == "exact"
    index.close()


@pytest.fixture
def of_fingerprints(tmp_path: Path) -> Path:
    """The folder of an index whose distance decides."""
    pytest.importorskip("jieba")
    folder = tmp_path / "prints"
    subprocess.run([sys.executable, "-m", "leitong", "index", "create", "--index", folder, "--scheme", "simhash", "--param", "distance=10"],
                   check=True, env=without_data())
    return folder


def test_an_index_by_the_scheme_reuse_names_the_texts_that_hold_a_part() -> None:
    article = "".join(chr(0x3400 + 7 * i % 6007) for i in range(400))
    essay = "".join(chr(0x3400 + 11 * i % 6101) for i in range(200)) + article[100:250]
    with leitong.Index(scheme="reuse") as index:
        index.check_and_add(article, "a", source="site")
        answer = index.check(essay)
        assert answer.verdict == "parts" and answer.match is None and not answer.is_new
        [part] = answer.parts
        assert (part.id, part.source) == ("a", "site")
        [passage] = part.passages
        assert essay[passage.begin : passage.end] == article[passage.source_begin : passage.source_end]
        assert passage.units == part.units >= 150


def reuse_texts() -> tuple[str, str]:
    """An article, and an essay that quotes a part of it."""
    article = "".join(chr(0x3400 + 7 * i % 6007) for i in range(400))
    own = "".join(chr(0x3400 + 11 * i % 6101) for i in range(200))
    return article, own + "“" + article[100:250] + "”（某甲）"


def test_what_does_not_count_is_left_out_of_a_check() -> None:
    article, essay = reuse_texts()
    with leitong.Index(scheme="reuse") as index:
        index.check_and_add(article, "a", source="li")
        assert index.check(essay).verdict == "parts"
        assert index.check(essay, exclude="bibliography").verdict == "parts"
        assert index.check(essay, exclude=["quotations", "bibliography"]).is_new
        assert [answer.verdict for answer in index.check([essay, article], exclude="quotations")] == ["new", "exact"]
        assert index.check(essay, base=article[90:260]).is_new
        assert index.check(essay, exclude="same_source", source="li").is_new
        assert index.check(essay, exclude="same_source", source="wang").verdict == "parts"
        with pytest.raises(leitong.InvalidArgumentError, match="bibliography"):
            index.check(essay, exclude="all")
        with pytest.raises(TypeError, match="excluded"):
            index.check(essay, excluded="quotations")  # type: ignore[call-overload]


def test_a_new_index_has_the_scheme_that_is_named(tmp_path: Path) -> None:
    pytest.importorskip("jieba")
    words = tmp_path / "words.txt"
    words.write_text("北岸的石阶 5 n\n", encoding="utf-8")
    own = leitong.Dictionaries(user=(words,))
    folder = tmp_path / "seen"
    with leitong.Index(folder, scheme="simhash", params={"distance": 10}, dictionaries=own, keep_texts=False) as index:
        assert index.check_and_add(FERRY, "ferry").is_new
    with leitong.Index(folder) as index:  # it knows what it was made with
        answer = index.check(FERRY + "好")
        assert answer.match is not None and answer.match.measure == "hamming"
        stored = index.get("ferry")
        assert stored is not None and not stored.text
    with pytest.raises(leitong.InvalidArgumentError, match="is an index by simhash"):
        leitong.Index(folder, scheme="default")
    with pytest.raises(leitong.InvalidArgumentError, match="is an index by simhash"):
        leitong.Index(folder, scheme="simhash", params={"distance": 3})
    with pytest.raises(leitong.InvalidArgumentError, match="name the files that the index was made with"):
        leitong.Index(folder, dictionaries=leitong.Dictionaries(stop_words=words))
    with pytest.raises(leitong.InvalidArgumentError, match="no-such-scheme"):
        leitong.Index(scheme="no-such-scheme")


def without_data() -> dict[str, str]:
    """An environment in which the dictionaries are jieba's own."""
    return {name: value for name, value in os.environ.items() if name != "LEITONG_DATA"}


def test_an_index_of_fingerprints_tells_the_distance(of_fingerprints: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It needs words: jieba's dictionaries are found, as a run finds them."""
    monkeypatch.delenv("LEITONG_DATA", raising=False)
    with leitong.Index(of_fingerprints) as index:
        assert index.check_and_add(FERRY, "ferry").is_new
        answer = index.check(FERRY + "好")
        assert answer.verdict == "near" and answer.match == leitong.Match("ferry", "hamming", 1.0, distance=0)
        assert (answer.match.jaccard, answer.match.containment) == (None, None)
        assert index.explain(FERRY + "好").candidates == [leitong.CandidateText("ferry", None, None, None, "accepted", None, None, 0)]


def test_a_match_of_texts_has_no_distance() -> None:
    with leitong.Index() as index:
        index.add(FERRY, "ferry")
        assert index.check(FERRY_TRADITIONAL).match.distance is None
        candidate = index.explain(FERRY_TRADITIONAL).candidates[0]
        assert candidate.distance is None and 0 < candidate.sketch <= 1


def test_a_folder_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for make in (leitong.Index, lambda folder: leitong.hamming.Index(folder=folder)):
        with pytest.raises(leitong.InvalidArgumentError, match="the folder has no name; give one, or None for an index in memory"):
            make("")


def test_unknown_options_are_heard() -> None:
    with leitong.Index() as index:
        with pytest.raises(TypeError, match="unexpected keyword argument 'sorce'"):
            index.check_and_add(FERRY, "ferry", sorce="crawl")  # type: ignore[call-overload]
        with pytest.raises(TypeError, match="unexpected keyword argument 'matches'"):
            index.add(FERRY, "ferry", matches=2)  # type: ignore[call-overload]
        assert len(index) == 0


def test_ids_may_be_int_everywhere() -> None:
    with leitong.Index() as index:
        index.add([{"id": 7, "text": FERRY}])
        index.add(DOUGH, 8)
        assert 7 in index and "8" in index and 9 not in index and 7.0 not in index and True not in index
        assert index.get(7) == index.get("7") and index.get(9) is None
        assert index.remove(7) and not index.remove(7)
        with pytest.raises(leitong.InvalidArgumentError, match="ids are str or int"):
            index.get(None)  # type: ignore[arg-type]


def test_nothing_is_a_batch_too() -> None:
    with leitong.Index() as index:
        assert index.check_and_add([]) == index.add(iter([])) == index.check([]) == []


def test_ids_may_come_once() -> None:
    with leitong.Index() as index:
        assert index.check_and_add([FERRY], (id for id in ["ferry"]))[0].is_new and "ferry" in index
        assert index.add(iter([DOUGH, FERRY_TRADITIONAL]), iter("ab"))[1].is_new
        for ids in (["a"], ["a", "b", "c"]):
            with pytest.raises(leitong.InvalidArgumentError, match=f"{len(ids)} ids for 2 texts"):
                index.add(["eins", "zwei"], iter(ids))
        assert len(index) == 3
        table = pa.table({"id": [1.5], "text": [DOUGH + "!"]})  # whose ids nobody asks for
        assert index.check_and_add(table.to_reader(), ["table"])[0].verdict == "near"
        assert index.check(table.to_reader())[0].verdict == "exact"


def test_moments_are_of_several_kinds() -> None:
    with leitong.Index() as index:
        for moment in (datetime(2026, 1, 1), np.datetime64("2026-01-01", "ns"), 1767225600, 1767225600.9):
            index.add(FERRY, "ferry", expires=moment, time=moment)
            assert (index.get("ferry").expires, index.get("ferry").time) == (1767225600, 1767225600)
            index.remove("ferry")
        for moment in ("2026-01-01", date(2026, 1, 1), float("nan"), np.datetime64("NaT"), 1e20):
            with pytest.raises(leitong.InvalidArgumentError, match="a moment is .*; give a datetime"):
                index.add(FERRY, "ferry", time=moment)  # type: ignore[call-overload]


def test_moments_of_pandas_are_datetimes() -> None:
    pandas = pytest.importorskip("pandas")
    with leitong.Index() as index:
        index.add(FERRY, "ferry", time=pandas.Timestamp("2026-01-01T08:00+08:00"))
        assert index.get("ferry").time == 1767225600
        with pytest.raises(leitong.InvalidArgumentError, match="a moment is NaT"):
            index.add(DOUGH, "dough", time=pandas.NaT)


def test_numbers_have_bounds() -> None:
    with leitong.Index() as index:
        for matches in (0, -1, 2**32, "3"):
            with pytest.raises(leitong.InvalidArgumentError, match="matches is"):
                index.check(FERRY, matches=matches)  # type: ignore[call-overload]
            with pytest.raises(leitong.InvalidArgumentError, match="matches is"):
                index.check_and_add(FERRY, "ferry", matches=matches)  # type: ignore[call-overload]
        with pytest.raises(leitong.InvalidArgumentError, match="limit is -1"):
            index.changes(limit=-1)
        with pytest.raises(leitong.InvalidArgumentError, match="a cursor is 0; give that of an earlier answer"):
            index.changes(0)  # type: ignore[arg-type]
        with pytest.raises(leitong.InvalidArgumentError, match="expected_version is -1"):
            index.remove("ferry", expected_version=-1)
        assert len(index) == 0
