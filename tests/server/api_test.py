#!/usr/bin/env python3
"""usage: api_test.py LEITONG

What the server answers to correct requests: indexes, texts one by one and in batches, words, the server itself."""
import gzip
import json
import re
import signal
import socket
import subprocess
import threading
import time
import unittest
import urllib.parse

import running
from running import Server, Texts

FERRY = "渡船清晨六点开第一班，雾大的日子改到七点，乘客请在北岸的石阶旁排队等候，不要站在跳板上。"
FERRY_TW = "渡船清晨六點開第一班，霧大的日子改在七點，乘客請在北岸的石階旁排隊等候，不要站在跳板上。"


class Service(unittest.TestCase):
    """One server for all tests of the class."""

    @classmethod
    def setUpClass(cls):
        import tempfile
        cls.made = tempfile.TemporaryDirectory(prefix="leitong-server-")
        idf = running.Path(cls.made.name) / "small.idf"
        idf.write_text("渡船 9.5\n清晨 7\n的 0.5\n乘客 6\n", encoding="utf-8")
        cls.server = Server(running.Path(cls.made.name) / "data", config=f'[idf]\nsmall = "{idf}"\n[limits]\nrecords = 1000\n')
        cls.server.start()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.made.cleanup()

    def setUp(self):
        self.index = "t-" + re.sub(r"[^a-z0-9]", "-", self.id().rsplit(".", 1)[1].lower())[:60]
        self.assertEqual(self.server.ask("PUT", f"/v1/indexes/{self.index}").status, 201)

    def post(self, operation, body, **more):
        return self.server.post(f"/v1/indexes/{self.index}/{operation}", body, **more)

    def test_a_text_is_new_then_seen_and_near_ones_are_found_with_their_figures(self):
        self.assertEqual(self.post("check", {"text": FERRY}).json, {"verdict": "new", "version": 0})
        self.assertEqual(self.post("check-and-add", {"id": "a", "text": FERRY}).json, {"id": "a", "verdict": "new", "version": 1})
        near = self.post("check-and-add", {"id": "b", "text": FERRY_TW}).json
        self.assertEqual((near["id"], near["verdict"], near["match"]["id"]), ("b", "near", "a"))
        self.assertGreater(near["match"]["jaccard"], 0.7)
        again = self.post("check-and-add", {"id": "b", "text": FERRY_TW}).json
        self.assertTrue(again["known"])
        self.assertEqual(again["match"], near["match"])
        self.assertEqual(self.post("check", {"id": 17, "text": FERRY}).json["id"], "17")

    def test_the_form_of_the_answer_is_that_of_the_question(self):
        records = [{"id": str(i), "text": Texts(i).text()} for i in range(5)]
        array = self.post("add", records)
        self.assertEqual([answer["verdict"] for answer in array.json], ["new"] * 5)
        lines = self.post("check", "\n".join(json.dumps(record) for record in records).encode() + b"\n\n",
                          fields={"Content-Type": "application/x-ndjson"})
        self.assertEqual(lines.fields["Content-Type"], "application/x-ndjson")
        self.assertEqual([(answer["id"], answer["verdict"], answer["match"]["id"]) for answer in lines.lines],
                         [(str(i), "exact", str(i)) for i in range(5)])
        self.assertEqual(self.post("check", []).json, [])
        self.assertEqual(self.post("check", b"", fields={"Content-Type": "application/x-ndjson"}).body, b"")

    def test_a_bad_record_costs_itself_alone(self):
        answer = self.post("check-and-add", [{"id": "a", "text": FERRY}, {"text": FERRY}, {"id": "c"}, 7, {"id": "x" * 1025, "text": FERRY}, {"id": "b", "text": FERRY}])
        self.assertEqual([each["verdict"] for each in answer.json], ["new", "refused", "refused", "refused", "refused", "exact"])
        self.assertEqual([each.get("reason") for each in answer.json[1:4]],
                         ['"id" is missing', '"text", "html" or "fingerprint" is missing, or not a string', "the record is not an object"])
        lines = self.post("check", b'{"text":"' + FERRY.encode() + b'"}\n{"text":\n{"text":"\xff"}\n',
                          fields={"Content-Type": "application/x-ndjson"}).lines
        self.assertEqual([line["verdict"] for line in lines], ["exact", "refused", "refused"])
        self.assertEqual(self.post("check", {"text": 5}).status, 422)
        self.assertEqual(self.post("check", b'{"text": "a"').status, 400)

    def test_a_page_is_read_as_its_text(self):
        body = "".join(f"<p>The ferry leaves pier {i} at six, and on foggy days at seven.</p>" for i in range(20))
        page = f"<html><title>Ferry</title><nav>Home | Maps</nav><script>x()</script><main>{body}</main></html>"
        text = "Ferry\nHome | Maps\n" + "\n".join(f"The ferry leaves pier {i} at six, and on foggy days at seven." for i in range(20))
        self.post("add", {"id": "page", "html": page})
        self.assertEqual(self.post("get", {"id": "page"}).json["text"], text)
        self.assertEqual(self.post("check", {"text": text}).json["verdict"], "exact")
        self.post("add?html=main", {"id": "main", "html": page})
        self.assertEqual(self.post("get", {"id": "main"}).json["text"], text.replace("Home | Maps\n", ""))
        self.assertIn("nest", self.post("check", [{"html": "<div>" * 100_000}]).json[0]["reason"])
        self.assertEqual(self.post("check?html=whole", {"html": page}).status, 422)

    def test_an_index_of_fingerprints_takes_them_without_their_texts(self):
        made = self.server.ask("PUT", f"/v1/indexes/{self.index}-f", {"scheme": "simhash", "params": ["distance=3"], "keep_texts": False})
        self.assertEqual((made.status, made.json["scheme"]), (201, "simhash"))
        ask = lambda operation, body: self.server.post(f"/v1/indexes/{self.index}-f/{operation}", body)  # noqa: E731
        signed = self.server.post("/v1/sign", {"texts": [FERRY], "method": "simhash"}).json["signatures"][0]
        fingerprint = signed if isinstance(signed, str) else signed[0]
        near = f"{int(fingerprint, 16) ^ 0b101:016x}"
        self.assertEqual(ask("check-and-add", {"id": "a", "fingerprint": fingerprint}).json["verdict"], "new")
        answers = ask("check", [{"fingerprint": near}, {"text": FERRY}, {"fingerprint": "0123"}]).json
        self.assertEqual([answer["verdict"] for answer in answers], ["near", "near", "refused"])
        self.assertEqual([answers[i]["match"]["distance"] for i in range(2)], [2, 0])
        self.assertIn("32 hexadecimal digits", answers[2]["reason"])
        self.assertEqual(ask("get", {"id": "a"}).json["fingerprint"], fingerprint)
        self.assertEqual(ask("explain", {"text": FERRY}).json["candidates"], [{"id": "a", "fate": "accepted", "distance": 0}])
        self.assertEqual(self.post("check", {"fingerprint": fingerprint}).json["verdict"], "refused")
        again = self.server.ask("PUT", f"/v1/indexes/{self.index}-f", {"scheme": "simhash", "params": ["distance=4"]})
        self.assertEqual((again.status, "distance=3" in again.json["detail"]), (409, True))
        self.assertEqual(self.server.ask("PUT", f"/v1/indexes/{self.index}-g", {"scheme": "wimhash"}).status, 400)

    def test_an_id_stands_for_one_text(self):
        self.post("add", {"id": "a", "text": FERRY})
        other = self.post("add", {"id": "a", "text": Texts(1).text()}).json
        self.assertEqual(other["verdict"], "refused")
        self.assertIn("another text under this id", other["reason"])

    def test_texts_leave_and_are_shown(self):
        self.post("check-and-add", [{"id": "a", "text": FERRY}, {"id": "b", "text": FERRY_TW}])
        got = self.post("get", [{"id": "b"}, {"id": "nobody"}]).json
        self.assertEqual(got[0], {"id": "b", "found": True, "verdict": "near", "family": "a", "text": FERRY_TW})
        self.assertEqual(got[1], {"id": "nobody", "found": False})
        self.assertEqual(self.post("remove", [{"id": "a"}, {"id": "a"}]).json, [{"id": "a", "removed": True}, {"id": "a", "removed": False}])
        self.assertEqual(self.post("check", {"text": FERRY}).json["match"]["id"], "b")

    def changes(self, **asked):
        return self.server.get(f"/v1/indexes/{self.index}/changes?{urllib.parse.urlencode(asked)}")

    def test_a_follower_is_told_what_came_and_left(self):
        self.post("check-and-add", [{"id": "a", "text": FERRY, "source": "crawl", "time": 7}, {"id": "b", "text": FERRY_TW}, {"id": "c", "text": Texts(1).text()}])
        first = self.changes(limit=2, texts="true").json
        self.assertEqual(first["changes"], [{"change": "added", "id": "a", "verdict": "new", "source": "crawl", "time": 7, "text": FERRY},
                                            {"change": "added", "id": "b", "verdict": "near", "family": "a", "text": FERRY_TW}])
        self.assertTrue(first["more"])
        now = self.changes(since="now").json
        self.assertEqual((now["changes"], now["more"]), ([], False))
        self.post("remove", {"id": "a"})  # b represents the family from then on, and comes again
        told = [{"change": "removed", "id": "a"}, {"change": "added", "id": "b", "verdict": "near"}]
        self.assertEqual(self.changes(since=now["cursor"]).json["changes"], told)
        rest = self.changes(since=first["cursor"]).json
        self.assertEqual(rest["changes"], [{"change": "added", "id": "c", "verdict": "new"}, *told])
        self.assertEqual((self.changes(since=rest["cursor"]).json), {"changes": [], "cursor": rest["cursor"], "more": False})
        for asked, status in (({"since": "x"}, 400), ({"limit": 0}, 422), ({"limit": 10001}, 422), ({"limit": "x"}, 422), ({"since": "1." + now["cursor"].split(".", 1)[1]}, 410), ({"since": "1.99999999999999999999.0"}, 400), ({"texts": "yes"}, 422)):
            self.assertEqual(self.changes(**asked).status, status, asked)
        self.assertEqual(self.server.get(f"/v1/indexes/{self.index}/changes?texts=true&texts=false").status, 422)
        # An index that was made again under the name.
        self.server.ask("DELETE", f"/v1/indexes/{self.index}")
        self.server.ask("PUT", f"/v1/indexes/{self.index}")
        self.assertEqual(self.changes(since=now["cursor"]).status, 410)

    def test_of_writers_who_expect_a_version_one_is_first(self):
        seen = self.post("check", {"text": FERRY}).json["version"]
        answers = [None] * 8

        def write(i):
            answers[i] = self.post(f"check-and-add?expected_version={seen}", {"id": str(i), "text": Texts(i).text()})
        writers = [threading.Thread(target=write, args=(i,)) for i in range(8)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        self.assertEqual(sorted(answer.status for answer in answers), [200] + [409] * 7)
        winner = next(i for i in range(8) if answers[i].status == 200)
        self.assertEqual(answers[winner].json["version"], 1)
        again = self.post(f"check-and-add?expected_version={seen}", {"id": str(winner), "text": Texts(winner).text()})
        self.assertTrue(again.json["known"], "sent again it changes nothing")
        self.assertEqual(self.post("add?expected_version=1", [{"id": "x", "text": FERRY}, {"id": "y", "text": FERRY}]).json[1]["version"], 3)
        self.assertEqual(self.post("remove?expected_version=2", {"id": "x"}).status, 409)
        self.assertEqual(self.post("remove?expected_version=3", [{"id": "x"}, {"id": "y"}]).status, 413)
        self.assertEqual(self.post("remove?expected_version=-1", {"id": "x"}).status, 422)

    def test_passages_come_on_request_and_lie_in_both_texts(self):
        self.post("add", {"id": "a", "text": "前言。" + FERRY})
        answer = self.post("check?passages=true", {"text": FERRY_TW}).json
        passages = answer["match"]["passages"]
        self.assertGreater(len(passages), 1)
        stored, asked = ("前言。" + FERRY).encode(), FERRY_TW.encode()
        first = passages[0]
        self.assertTrue(asked[slice(*first["a"])].decode().startswith("渡船清晨六"))
        self.assertTrue(stored[slice(*first["b"])].decode().startswith("渡船清晨六"))

    def test_an_index_by_the_scheme_reuse_names_the_texts_that_hold_a_part(self):
        made = self.server.ask("PUT", f"/v1/indexes/{self.index}-r", {"scheme": "reuse"})
        self.assertEqual((made.status, made.json["scheme"]), (201, "reuse"))
        article = "".join(chr(0x3400 + 7 * i % 6007) for i in range(400))
        essay = "".join(chr(0x3400 + 11 * i % 6101) for i in range(200)) + article[100:250]
        self.server.post(f"/v1/indexes/{self.index}-r/add", {"id": "a", "text": article, "source": "site"})
        answer = self.server.post(f"/v1/indexes/{self.index}-r/check", {"text": essay}).json
        self.assertEqual(answer["verdict"], "parts")
        [part] = answer["parts"]
        self.assertEqual((part["id"], part["source"], part["measure"]), ("a", "site", "containment"))
        [passage] = part["passages"]
        (begin, end), (there, to) = passage["a_characters"], passage["b_characters"]
        self.assertEqual(essay[begin:end], article[there:to])
        self.assertGreaterEqual(end - begin, 150)
        self.assertEqual([3 * begin, 3 * end, 3 * there, 3 * to], passage["a"] + passage["b"])
        self.assertEqual(part["units"], passage["units"])
        self.assertAlmostEqual(part["share"], part["units"] / 350, 3)
        self.assertAlmostEqual(part["share_of_source"], part["units"] / 400, 3)
        self.assertEqual(self.post("check", {"text": essay}).json["verdict"], "new")

    def test_what_teachers_know_not_to_count_is_left_out(self):
        index = f"/v1/indexes/{self.index}-x"
        self.server.ask("PUT", index, {"scheme": "reuse"})
        article = "".join(chr(0x3400 + 7 * i % 6007) for i in range(400))
        other = "".join(chr(0x3400 + 13 * i % 6007) for i in range(400))
        own = "".join(chr(0x3400 + 11 * i % 6101) for i in range(300))
        self.server.post(index + "/add", [{"id": "a", "text": article, "source": "site"}, {"id": "o", "text": other, "source": "li"}])
        copied = article[100:250]

        def asked(text, query="", **more):
            answer = self.server.post(index + "/check" + query, {"text": text, **more}).json
            return answer["verdict"], [part["id"] for part in answer.get("parts", [])]
        for quoted in ("“{}”（某甲，2020）", "「{}」[3]", "某甲《某书》说：“{}”。", '"{}" (A. 2020)', "“{}”①"):
            text = own[:150] + quoted.format(copied) + own[150:]
            self.assertEqual(asked(text), ("parts", ["a"]), quoted)
            self.assertEqual(asked(text, "?exclude=quotations"), ("new", []), quoted)
            self.assertEqual(asked(text, "?exclude=bibliography"), ("parts", ["a"]), quoted)
        for plain in ("{}", "“{}”", "“{}", "“{}”\n（另一段）"):
            self.assertEqual(asked(own[:150] + plain.format(copied) + own[150:], "?exclude=quotations"), ("parts", ["a"]), f"no source: {plain}")
        for heading in ("参考文献", "  References: ", "五、参考文献", "【參考文獻】", "6. Works Cited"):
            text = own + f"\n{heading}\n" + copied
            self.assertEqual(asked(text), ("parts", ["a"]))
            self.assertEqual(asked(text, "?exclude=bibliography"), ("new", []), heading)
        early = "参考文献\n" + copied + "\n" + own
        self.assertEqual(asked(early, "?exclude=bibliography"), ("parts", ["a"]), "a heading of the first half begins no bibliography")
        both = own[:100] + copied + own[100:] + other[50:220]
        self.assertEqual(set(asked(both)[1]), {"a", "o"})
        self.assertEqual(asked(both, base=article[80:300]), ("parts", ["o"]), "a handout")
        self.assertEqual(asked(both, "?exclude=same_source", source="li"), ("parts", ["a"]))
        self.assertEqual(asked(own[:150] + other[50:220], "?exclude=same_source,quotations", source="li"), ("new", []))
        answer = self.server.post(index + "/check", {"text": both, "base": article[80:300]}).json
        [passage] = answer["parts"][0]["passages"]
        begin, end = passage["a_characters"]
        self.assertEqual(both[begin:end], other[passage["b_characters"][0]:passage["b_characters"][1]], "places are those of the whole text")
        self.assertEqual(self.server.post(index + "/check?exclude=all", {"text": own}).status, 422)
        self.assertEqual(self.server.post(index + "/check", {"text": own, "base": 1}).status, 422)
        self.assertEqual(self.server.post(index + "/add?exclude=quotations", {"id": "x", "text": own}).status, 422, "what is added is whole")

    def test_other_matches_come_on_request(self):
        text = Texts(3).text(400)
        self.post("add", [{"id": "a", "text": text[:300]}, {"id": "b", "text": text[100:]}, {"id": "c", "text": FERRY}])
        answer = self.post("check?matches=5", {"text": text}).json
        self.assertEqual({answer["match"]["id"], *(other["id"] for other in answer["others"])}, {"a", "b"})
        self.assertNotIn("others", self.post("check", {"text": text}).json)
        for wrong in ("0", "33", "x", ""):
            self.assertEqual(self.post(f"check?matches={wrong}", {"text": text}).status, 422)

    def test_a_text_is_compared_with_a_stored_one(self):
        self.post("add", [{"id": "a", "text": FERRY}, {"id": "b", "text": FERRY_TW}])
        by_text = self.post("compare", {"id": "a", "text": FERRY_TW}).json
        by_id = self.post("compare", {"id": "a", "other_id": "b"}).json
        self.assertEqual(by_text, by_id)
        self.assertEqual(by_text["jaccard"], self.server.post("/v1/compare", {"a": FERRY, "b": FERRY_TW}).json["jaccard"])
        self.assertEqual(self.post("compare", {"id": "nobody", "text": FERRY}).status, 404)
        self.assertEqual(self.post("compare", {"id": "a"}).status, 422)

    def test_an_answer_is_explained(self):
        self.post("add", {"id": "a", "text": FERRY})
        explained = self.post("explain", {"text": FERRY_TW}).json
        self.assertEqual(explained["candidates"][0]["fate"], "accepted")
        self.assertEqual(explained["answer"]["match"]["id"], "a")
        self.assertEqual(self.post("explain", {"text": FERRY, "txet": 1}).status, 422)

    def test_an_index_is_made_shown_and_removed(self):
        made = self.server.ask("PUT", "/v1/indexes/quick", {"durability": "none"})
        self.assertEqual((made.status, made.json["durability"]), (201, "none"))
        self.assertEqual(self.server.ask("PUT", "/v1/indexes/quick", {"durability": "none"}).status, 200)
        self.assertEqual(self.server.ask("PUT", "/v1/indexes/quick", {"durability": "sync"}).status, 409)
        for name in ("", "..", "A", "a.b", "a%2fb", "x" * 65, "-a"):
            self.assertIn(self.server.ask("PUT", f"/v1/indexes/{name}").status, (400, 404, 405), name)
        self.assertIn("quick", [index["name"] for index in self.server.get("/v1/indexes").json["indexes"]])
        self.server.post("/v1/indexes/quick/add", {"id": "a", "text": FERRY})
        self.assertEqual(self.server.get("/v1/indexes/quick").json["figures"]["texts"], 1)
        self.assertEqual(self.server.ask("DELETE", "/v1/indexes/quick").status, 204)
        self.assertEqual(self.server.get("/v1/indexes/quick").status, 404)
        self.assertFalse((self.server.data / "quick").exists())
        self.assertEqual(self.server.ask("DELETE", "/v1/indexes/quick").status, 404)

    def test_compressed_bodies(self):
        body = gzip.compress(json.dumps([{"id": str(i), "text": Texts(i).text()} for i in range(300)]).encode())
        self.assertEqual(len(self.post("add", body, fields={"Content-Encoding": "gzip"}).json), 300)
        zstd = subprocess.run(["zstd", "-q", "-c"], input=json.dumps({"text": FERRY}).encode(), capture_output=True, check=True).stdout
        self.assertEqual(self.post("check", zstd, fields={"Content-Encoding": "zstd"}).json["verdict"], "new")

    def test_texts_of_a_source_appear_together_or_not_at_all(self):
        records = [{"id": f"s{i}", "text": Texts(50 + i).text(), "source": "crawl/7"} for i in range(20)]
        self.assertEqual(self.post("sources/begin", {"source": "crawl/7"}).json, {"source": "crawl/7", "begun": True})
        self.assertEqual(self.post("sources/begin", {"source": "crawl/7"}).json["begun"], False)
        self.assertEqual({answer["verdict"] for answer in self.post("check-and-add", records).json}, {"new"})
        sources = f"/v1/indexes/{self.index}/sources"
        self.assertEqual(self.server.get(sources).json, {"open": ["crawl/7"]})
        self.assertEqual(self.post("check", {"text": records[0]["text"]}).json["verdict"], "new", "nobody sees it yet")
        self.assertEqual(self.post("sources/commit", {"source": "crawl/7"}).json["committed"], {"texts": 20, "new": 20, "near": 0, "exact": 0, "known": 0, "refused": 0})
        seen = self.post("check", {"text": records[0]["text"]}).json
        self.assertEqual((seen["verdict"], seen["match"]["source"]), ("exact", "crawl/7"))
        self.assertEqual(self.post("sources/commit", {"source": "crawl/7"}).status, 404)

        self.post("sources/begin", {"source": "bad"})
        self.post("check-and-add", {"id": "b", "text": FERRY, "source": "bad"})
        self.assertEqual(self.post("sources/rollback", {"source": "bad"}).json, {"source": "bad", "forgotten": True})
        self.assertEqual(self.post("check", {"text": FERRY}).json["verdict"], "new")
        self.assertEqual(self.post("sources/remove", {"source": "crawl/7"}).json, {"source": "crawl/7", "removed": 20})
        self.assertEqual(self.server.get(f"/v1/indexes/{self.index}").json["figures"]["texts"], 0)
        self.assertEqual(self.post("sources/begin", {}).status, 422)

    def test_texts_expire(self):
        self.post("add", [{"id": "old", "text": Texts(1).text(), "time": "2026-01-01", "expires": "2026-02-01T00:00:00Z"},
                          {"id": "new", "text": Texts(2).text(), "expires": 4102444800}, {"id": "for ever", "text": Texts(3).text()},
                          {"id": "wrong", "text": Texts(4).text(), "expires": "tomorrow"}])
        got = self.post("get", [{"id": "old"}, {"id": "new"}, {"id": "wrong"}]).json
        self.assertEqual((got[0]["time"], got[0]["expires"], got[1]["expires"], got[2]["found"]), (1767225600, 1769904000, 4102444800, False))
        self.assertEqual(self.post("expire", {"before": "2026-01-31"}).json, {"removed": 0})
        self.assertEqual(self.post("expire", {}).json, {"removed": 1})
        self.assertEqual([each["found"] for each in self.post("get", [{"id": "old"}, {"id": "new"}, {"id": "for ever"}]).json], [False, True, True])
        self.assertEqual(self.post("expire", {"before": "soon"}).status, 422)

    def test_the_whole_index_at_a_glance(self):
        texts = Texts(9)
        original = texts.text(300)
        self.post("check-and-add", [{"id": "a", "text": original, "source": "one"}] + [{"id": f"b{i}", "text": texts.edited(original), "source": "two"} for i in range(3)] +
                  [{"id": "c", "text": FERRY}])
        seen = self.server.get(f"/v1/indexes/{self.index}/overview").json
        self.assertEqual((seen["texts"], [(row["id"], row["members"]) for row in seen["largest"]]), (5, [("a", 4)]))
        self.assertEqual(seen["sources"], [{"source": "two", "of": "one", "texts": 3}])
        self.assertEqual([row["id"] for row in seen["newest"]], ["c", "b2", "b1", "b0", "a"])
        self.assertTrue(original.startswith(seen["largest"][0]["opening"]))
        self.assertEqual(len(seen["largest"][0]["opening"]), 50, "150 bytes, whole characters")

    def test_an_index_gives_up_the_space_of_what_left(self):
        self.post("add", [{"id": str(i), "text": Texts(i).text()} for i in range(50)])
        self.post("remove", [{"id": str(i)} for i in range(40)])
        self.assertEqual(self.post("compact", None).json["texts"], 10)

    def test_words_are_the_text_whatever_has_to_be_escaped(self):
        # Words are written eight bytes at a time: each kind of byte at each place, inside of texts and at their end.
        escaped = ['"', "\\", "\n", "\x01", "\x1f", "\x7f", "!", "é", "渡", "𠀀"]
        texts = [before + letter + after for letter in escaped for before in ("", "a", "abcdefg", "abcdefgh", "渡船", "渡船 ab")
                 for after in ("", "x", "xyzwvut", "xyzwvuts", letter, "停航" + letter, "雾大的日子停航")]
        for each in (texts, ["".join(texts)], ["\n".join(texts) * 3]):
            words = self.server.post("/v1/segment", {"texts": each}).json["words"]
            self.assertEqual(["".join(some) for some in words], each)

    def test_words(self):
        post = self.server.post
        cut = post("/v1/segment", {"texts": ["乘客请在北岸的石阶旁排队", ""]}).json
        self.assertEqual(cut, {"words": [["乘客", "请", "在", "北岸", "的", "石阶", "旁", "排队"], []]})
        self.assertIn("石阶", [each["word"] for each in post("/v1/keywords", {"texts": [FERRY], "count": 8}).json["keywords"][0]])
        weights = post("/v1/weights", {"texts": ["渡船的渡船，清晨的乘客们"], "idf": "small"}).json["weights"][0]
        # 9.5 twice; 7; 6; what is not in the dictionary has the median, 7; 的 0.5 twice. Punctuation has none.
        self.assertEqual({each["word"]: each["weight"] for each in weights}, {"渡船": 19, "清晨": 7, "乘客": 6, "们": 7, "的": 1})
        self.assertEqual([each["word"] for each in weights][:2], ["渡船", "清晨"])
        self.assertEqual(post("/v1/weights", {"texts": ["乘客"], "idf": "nobody"}).status, 404)
        self.assertEqual(post("/v1/normalise", {"texts": ["ＡＢＣ　雷同", "溫"], "simplify": "characters"}).json,
                         {"texts": ["abc 雷同", "温"], "cut_short": 0})
        signed = post("/v1/sign", {"texts": [FERRY, FERRY_TW], "method": "simhash"}).json
        self.assertEqual(signed["bits"], 64)
        self.assertRegex(signed["signatures"][0][0], r"^[0-9a-f]{16}$")
        self.assertTrue(signed["scheme"].startswith("simhash/"))

    def test_options_that_do_not_exist_are_errors(self):
        for path, body in (("/v1/segment", {"texts": [], "modus": "mix"}), ("/v1/segment", {"texts": [], "mode": "nix"}),
                           ("/v1/keywords", {"texts": ["a"], "count": -1}), ("/v1/normalise", {"texts": "a"}),
                           ("/v1/sign", {"texts": ["a"], "method": "e-simhash", "params": ["model=/etc/passwd"]}),
                           ("/v1/sign", {"texts": ["a"], "method": "simhash", "params": ["thesaurus=x"]}),
                           ("/v1/sign", {"texts": ["a"], "method": "simhash", "params": ["synonyms=x"]}), ("/v1/compare", {"a": "x"}),
                           (f"/v1/indexes/{self.index}/explain", {"texts": "a"})):
            answer = self.server.post(path, body)
            self.assertEqual(answer.status, 422, f"{path} {body} {answer}")
            self.assertEqual(answer.fields["Content-Type"], "application/problem+json")
            self.assertEqual(set(answer.json), {"type", "title", "status", "detail"})
        self.assertEqual(self.server.post("/v1/sign", {"texts": ["a"], "method": "nobody"}).status, 400)

    def test_limits_of_a_request(self):
        self.assertEqual(self.post("check", [{"text": "x"}] * 1001).status, 413)
        self.assertEqual(self.post("check", b'{"text":"x"}\n' * 1001, fields={"Content-Type": "application/x-ndjson"}).status, 413)
        self.assertEqual(self.post("check", b'[' * 40 + b']' * 40).status, 400)
        self.assertEqual(self.post("check", {"text": FERRY}, fields={"Content-Type": "image/png"}).status, 415)
        self.assertEqual(self.post("check", {"text": FERRY}, fields={"Content-Encoding": "br"}).status, 415)

    def test_what_is_not_there(self):
        self.assertEqual(self.server.get("/nothing").status, 404)
        wrong = self.server.get("/v1/indexes/x/check")
        self.assertEqual((wrong.status, wrong.fields["Allow"]), (405, "POST"))
        self.assertEqual(self.server.post("/v1/indexes/x", {}).fields["Allow"], "GET, HEAD, PUT, DELETE")
        self.assertEqual(self.server.post("/v1/indexes/nobody/check", {"text": FERRY}).status, 404)
        self.assertEqual(self.server.get("/v1/../../etc/passwd").status, 404)

    def test_the_server_speaks_of_itself(self):
        self.assertEqual(self.server.get("/healthz").json["status"], "ok")
        self.assertEqual(self.server.get("/readyz").status, 200)
        self.post("check", {"text": FERRY})
        text = self.server.get("/metrics").body.decode()
        self.assertRegex(text, r'leitong_requests_total\{operation="check",status="200"\} \d+')
        self.assertRegex(text, rf'leitong_index_texts\{{index="{self.index}"\}} 0')
        self.assertRegex(text, r"process_resident_memory_bytes \d+")
        for line in text.splitlines():
            self.assertRegex(line, r'^(# (HELP|TYPE) \w+ .*|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [-+0-9.e]+)$')
        head = self.server.ask("HEAD", "/healthz")
        self.assertEqual((head.status, head.body), (200, b""))

    def test_many_singles_are_gathered_into_few_calls(self):
        texts = [Texts(1000 + i).text() for i in range(32 * 20)]

        def figure(name):
            return int(re.search(rf'{name}\{{index="{self.index}"\}} (\d+)', self.server.get("/metrics").body.decode())[1])

        before = figure("leitong_gathered_calls_total")
        answers = {}

        def send(thread):
            connection = self.server.connect()
            for i in range(thread, len(texts), 32):
                answers[i] = self.server.post(f"/v1/indexes/{self.index}/check-and-add", {"id": str(i), "text": texts[i]}, connection=connection).json
            connection.close()

        threads = [threading.Thread(target=send, args=(i,)) for i in range(32)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual({answer["verdict"] for answer in answers.values()}, {"new"})
        self.assertEqual([answers[i]["id"] for i in range(len(texts))], [str(i) for i in range(len(texts))])
        self.assertEqual(figure("leitong_gathered_texts_total"), len(texts))
        self.assertLess(figure("leitong_gathered_calls_total") - before, len(texts))

    def test_of_many_who_post_one_text_one_is_told_that_it_is_new(self):
        verdicts = []

        def send(i):
            verdicts.append(self.post("check-and-add", {"id": f"id{i}", "text": FERRY}).json["verdict"])

        threads = [threading.Thread(target=send, args=(i,)) for i in range(64)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(verdicts), ["exact"] * 63 + ["new"])


class Life(unittest.TestCase):
    """From the first start to the last answer."""

    def test_without_anything_there_is_an_index_and_it_is_there_again(self):
        home = running.folder(self)
        environment = {"HOME": str(home), "XDG_DATA_HOME": "", "STATE_DIRECTORY": ""}
        server = Server("unused", environment=environment)
        server.arguments = [running.LEITONG, "serve", "--listen", "127.0.0.1:0"]
        with server:
            self.assertEqual([index["name"] for index in server.get("/v1/indexes").json["indexes"]], ["default"])
            server.post("/v1/indexes/default/add", {"id": "a", "text": FERRY})
            server.ask("PUT", "/v1/indexes/other")
        self.assertTrue((home / ".local/share/leitong/default").is_dir())
        with server:
            self.assertEqual([index["name"] for index in server.get("/v1/indexes").json["indexes"]], ["default", "other"])
            self.assertEqual(server.post("/v1/indexes/default/check", {"text": FERRY}).json["verdict"], "exact")
        self.assertNotIn("渡船", server.log)

    def test_an_index_that_is_damaged_is_named_and_others_go_on(self):
        data = running.folder(self) / "data"
        with Server(data) as server:
            server.ask("PUT", "/v1/indexes/broken")
        (data / "broken/index/secret").unlink()
        server = Server(data)
        server.get = lambda path, get=server.get: running.Answer(200, {}, b"") if path == "/readyz" else get(path)
        with server:
            del server.get
            running.wait_until(lambda: server.get("/v1/indexes/default").status == 200, 20)
            while (ready := server.get("/readyz")).status == 503 and b"being opened" in ready.body:
                time.sleep(0.02)
            self.assertEqual(ready.status, 503)
            self.assertIn("broken", ready.json["detail"])
            self.assertIn("secret", server.post("/v1/indexes/broken/check", {"text": FERRY}).json["detail"])
            self.assertEqual(server.post("/v1/indexes/default/check", {"text": FERRY}).status, 200)

    def test_what_was_unfinished_is_gone_and_what_is_not_ours_stays(self):
        data = running.folder(self) / "data"
        with Server(data):
            pass
        (data / "half").mkdir()
        (data / "half/unfinished").touch()
        (data / "photos").mkdir()
        (data / "photos/cat.png").touch()
        with Server(data) as server:
            self.assertEqual(len(server.get("/v1/indexes").json["indexes"]), 1)
            self.assertEqual(server.ask("PUT", "/v1/indexes/photos").status, 409)
        self.assertFalse((data / "half").exists())
        self.assertTrue((data / "photos/cat.png").exists())

    def test_a_snapshot_takes_the_place_of_an_index(self):
        data = running.folder(self) / "data"
        with Server(data) as server:
            records = [{"id": str(i), "text": Texts(i).text()} for i in range(100)]
            server.post("/v1/indexes/default/add", records)
            made = server.post("/v1/indexes/default/snapshot", None).json["snapshot"]
            server.post("/v1/indexes/default/add", {"id": "later", "text": FERRY})
            server.post("/v1/indexes/default/remove", [{"id": "1"}, {"id": "2"}])
        (data / "default").rename(data.parent / "lost")
        (data / ".snapshots" / made).rename(data / "default")
        with server:
            self.assertEqual(server.get("/v1/indexes/default").json["figures"]["texts"], 100)
            self.assertEqual({answer["verdict"] for answer in server.post("/v1/indexes/default/check", records).json}, {"exact"})
            self.assertEqual(server.post("/v1/indexes/default/check", {"text": FERRY}).json["verdict"], "new")

    def test_what_has_expired_leaves_by_itself(self):
        with Server(running.folder(self) / "data", config="[index]\nexpire_seconds = 1\n") as server:
            server.post("/v1/indexes/default/add", {"id": "a", "text": FERRY, "expires": int(time.time()) + 1})
            running.wait_until(lambda: server.get("/v1/indexes/default").json["figures"]["texts"] != 1, 20)
            self.assertEqual(server.get("/v1/indexes/default").json["figures"]["texts"], 0)

    def test_sigterm_answers_what_is_at_work(self):
        data = running.folder(self) / "data"
        with Server(data) as server:
            body = json.dumps([{"id": str(i), "text": Texts(i).text(500)} for i in range(2000)]).encode()
            with socket.create_connection(("127.0.0.1", server.port)) as connection:
                connection.sendall(b"POST /v1/indexes/default/add HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body))
                connection.sendall(body[:1000])
                time.sleep(0.2)
                server.process.send_signal(signal.SIGTERM)
                time.sleep(0.2)
                with self.assertRaises(OSError):
                    server.connect()
                connection.sendall(body[1000:])
                got = b""
                while part := connection.recv(65536):
                    got += part
            self.assertEqual(running.status_of(got), 200)
            self.assertIn(b"Connection: close", got)
            self.assertEqual(server.process.wait(20), 0)
        with server:
            self.assertEqual(server.get("/v1/indexes/default").json["figures"]["texts"], 2000)

    def test_sigterm_is_never_lost(self):
        command = Server(running.folder(self) / "data").arguments
        for waits in (True, False) * 6:
            with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
                if waits:
                    while "the page is at" not in process.stderr.readline():
                        self.assertIsNone(process.poll())
                else:
                    time.sleep(0.01)  # it may not have its handlers yet
                process.send_signal(signal.SIGTERM)
                self.assertIn(process.wait(20), (0,) if waits else (0, -signal.SIGTERM))

    def test_sighup_reads_the_configuration_again(self):
        data = running.folder(self) / "data"
        with Server(data, config="[limits]\nrecords = 2\n") as server:
            three = [{"text": FERRY}] * 3
            self.assertEqual(server.post("/v1/indexes/default/check", three).status, 413)
            server.config.write_text("[limits]\nrecords = 3\n")
            server.process.send_signal(signal.SIGHUP)
            running.wait_until(lambda: server.post("/v1/indexes/default/check", three).status != 413, 20)
            self.assertEqual(server.post("/v1/indexes/default/check", three).status, 200)
            server.config.write_text("[limits]\nrecord = 3\n")
            server.process.send_signal(signal.SIGHUP)
            running.wait_until(lambda: "not reloaded" in server.log, 20)
            self.assertIn('did you mean \\"records\\"', server.log)
            self.assertEqual(server.post("/v1/indexes/default/check", three).status, 200)

    def test_a_supervisor_is_told(self):
        place = running.folder(self)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
            supervisor.bind(str(place / "notify"))
            supervisor.settimeout(20)
            with Server(place / "data", environment={"NOTIFY_SOCKET": str(place / "notify")}):
                self.assertEqual(supervisor.recv(100), b"READY=1")
            self.assertEqual(supervisor.recv(100), b"STOPPING=1")

    def test_the_sample_configuration_is_what_the_server_takes(self):
        place = running.folder(self)
        run = lambda *arguments: subprocess.run([running.LEITONG, "serve", *arguments], capture_output=True, text=True)
        sample = run("--sample-config")
        (place / "leitong.toml").write_text(sample.stdout)
        self.assertEqual(run("--config", place / "leitong.toml", "--check-config").returncode, 0)
        for text, words in (("[server]\nlisten = 5\n", "server.listen has to be"), ("[servre]\n", 'did you mean "server"'),
                            ("[limits]\nbody = \"16 XB\"\n", ":2: limits.body"), ("[index]\ndurability = \"sometimes\"\n", ":2: index.durability: \"sometimes\" is none of sync, everysec"),
                            ("[server]\nlisten = \":8380\"\n", "there are no tokens"), ("[idf]\nnews = \"missing.idf\"\n", "missing.idf"),
                            ("[server]\ntokens = \"nobody\"\n", "nobody")):
            (place / "leitong.toml").write_text(text)
            wrong = run("--config", place / "leitong.toml", "--check-config")
            self.assertNotEqual(wrong.returncode, 0, text)
            self.assertIn(words, wrong.stderr)


if __name__ == "__main__":
    running.main()
