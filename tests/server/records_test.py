#!/usr/bin/env python3
"""usage: records_test.py LEITONG

The same rules for the records of an index in all interfaces: the command accepts what the service accepts, each refuses what the other
refuses, and an import restores what the service acknowledged."""
import json
import subprocess
import unittest

import running
from running import Server, Texts

TEXT = "The ferry leaves the north bank at six in the morning, and at seven on foggy days"


def record(**members):
    """As JSON; NUL characters come as escapes."""
    return json.dumps({"id": "a", "text": TEXT, **members})


TAKEN = [
    record(), record(text=""), record(text=" \n"), record(id=7), record(id=2**64 - 1), record(source="crawl"), record(source=7), record(source=True),
    record(source=None, time=None, expires=None), record(time=0), record(time=-1), record(time=1000.5), record(time="1000.5"), record(time="1e9"),
    record(time=99_999_999_999), record(expires=-99_999_999_999), record(time=""), record(time="2026-11-22"), record(expires="2026-11-22T08:30:00+08:00"),
    record(time=20269922), record(verdict="new"), record(meta={"a": 1}), '{"id":"a","text":"' + TEXT + '","time":1e9}',
    # Keys that are not read are not compared.
    '{"id":"a","text":"' + TEXT + '","other":1,"other":1}',
    '{"id":"a","text":"' + TEXT + '","meta":{"k":1,"k":2}}',
    # What many writers produce and RFC 8259 lacks.
    '{"id":"a","text":"' + TEXT + '","score":NaN,"scores":[Infinity,-Infinity,{"x":NaN}],"note":"NaN \\" NaN"}',
    '{"id":"a","text":"' + TEXT + '","source":NaN}',
]
REFUSED = {
    # A key that occurs twice, also where escapes hide it.
    '{"id":"a","text":"' + TEXT + '","text":"another"}': 'the key "text" occurs twice',
    '{"id":"a","id":"b","text":"' + TEXT + '"}': 'the key "id" occurs twice',
    '{"id":"a","text":"' + TEXT + '","\\u0069d":"b"}': 'the key "id" occurs twice',
    '{"id":"a","text":"' + TEXT + '","source":"p","source":"q"}': 'the key "source" occurs twice',
    record(id="n\0ul"): "NUL",
    record(text="a\0b"): "NUL",
    record(source="a\0b"): "NUL",
    record(id="x" * 1025): "1025 bytes",
    record(source="x" * 1025): "1025 bytes",
    record(text=7): "string",
    record(expires=9223372036854775807): "",
    record(expires="9223372036854775807"): "",
    record(expires=100_000_000_000): "",
    record(time=1_764_000_000_000): "",  # milliseconds
    record(time="20261122"): "",
    record(time=20261122): "",
    record(time="yesterday"): "",
    record(time=True): "",
}


class Doors(unittest.TestCase):
    def setUp(self):
        self.place = running.folder(self)

    def imported(self, lines, index="ix"):
        """The exit code of an import, what it says, and what the index holds then."""
        file = self.place / "in.jsonl"
        file.write_text("".join(line + "\n" for line in lines))
        ran = subprocess.run([running.LEITONG, "index", "import", file, "--index", self.place / index], capture_output=True, text=True)
        return ran.returncode, ran.stderr

    def exported(self, index):
        return subprocess.run([running.LEITONG, "index", "export", "--index", index], capture_output=True, text=True, check=True).stdout.splitlines()

    def test_the_service_and_the_command_take_the_same(self):
        with Server(self.place / "data") as server:
            for number, line in enumerate(TAKEN):
                server.ask("PUT", f"/v1/indexes/t{number}")
                answer = server.post(f"/v1/indexes/t{number}/check-and-add", line.encode()).json
                self.assertEqual(answer.get("verdict"), "new", (line, answer))
                status, said = self.imported([line], f"taken-{number}")
                self.assertEqual(status, 0, (line, said))
        for number, line in enumerate(TAKEN):
            of_service = self.exported(self.place / f"data/t{number}/index")
            self.assertEqual(of_service, self.exported(self.place / f"taken-{number}"), line)
            self.assertEqual(len(of_service), 1)

    def test_and_they_refuse_the_same(self):
        with Server(self.place / "data") as server:
            for line, why in REFUSED.items():
                alone = server.post("/v1/indexes/default/check-and-add", line.encode())
                said = alone.json.get("detail") or alone.json.get("reason")
                self.assertTrue(alone.status == 422 or alone.json["verdict"] == "refused", (line, alone))
                self.assertIn(why, said, line)
                # In an array only this record is affected.
                both = server.post("/v1/indexes/default/check-and-add", f'[{line},{{"id":"b","text":"fine"}}]'.encode()).json
                self.assertEqual([answer["verdict"] == "refused" for answer in both], [True, False], line)
                status, said = self.imported([line, '{"id":"b","text":"fine"}'], "import")
                self.assertEqual(status, 1, (line, said))
                self.assertIn("1 record was not imported", said)
                self.assertIn(why, said, line)
            self.assertEqual(server.get("/v1/indexes/default").json["figures"]["texts"], 1)
        self.assertEqual(len(self.exported(self.place / "import")), 1)

    def test_a_fingerprint_or_a_page_does_not_hide_a_text_that_is_none(self):
        with Server(self.place / "data") as server:
            self.assertEqual(server.post("/v1/indexes/default/check", {"text": 5, "html": "<p>page</p>"}).status, 422)

    def test_what_the_service_acknowledged_comes_through_export_and_import(self):
        texts = Texts(5)
        records = [{"id": f"t{i}", "text": texts.text(50 + i), "source": f"s{i % 3}", "time": i * 1000 - 5, "expires": 1_900_000_000 + i} for i in range(100)]
        records.append({"id": "1970", "text": texts.text(), "time": "1970-08-23T12:12:01Z"})
        with Server(self.place / "data") as server:
            answers = server.post("/v1/indexes/default/check-and-add", records).json
            self.assertEqual({answer["verdict"] for answer in answers}, {"new"})
        lines = self.exported(self.place / "data/default/index")
        self.assertEqual(len(lines), len(records))
        status, said = self.imported(lines)
        self.assertEqual(status, 0, said)
        self.assertEqual(self.exported(self.place / "ix"), lines)
        # Another text under a known id is left out, with a message.
        status, said = self.imported([json.dumps({"id": "t0", "text": "another"})])
        self.assertEqual(status, 1, said)

    def test_an_option_that_occurs_twice_is_refused(self):
        with Server(self.place / "data") as server:
            for path, body in (("/v1/compare", b'{"a":"x","b":"y","a":"z"}'), ("/v1/indexes/default/expire", b'{"before":1,"before":2}'),
                               ("/v1/segment", b'{"texts":["a"],"texts":["b"]}')):
                answer = server.post(path, body)
                self.assertEqual((answer.status, "occurs twice" in answer.json["detail"]), (422, True), path)
            answer = server.ask("PUT", "/v1/indexes/two", b'{"scheme":"simhash","scheme":"default"}')
            self.assertEqual(answer.status, 422)

    def test_an_address_takes_no_parameter_that_is_not_known(self):
        with Server(self.place / "data") as server:
            text = {"id": "a", "text": TEXT}
            for path in ("add?expectedversion=999", "check-and-add?expected_versoin=999", "check?expected_version=1", "add?passages=true", "check?&", "check?=1"):
                answer = server.post(f"/v1/indexes/default/{path}", text)
                self.assertEqual(answer.status, 422, path)
            self.assertEqual(server.post("/v1/indexes/default/expire?expected_version=999", {}).status, 422)
            self.assertEqual(server.ask("PUT", "/v1/indexes/other?scheme=simhash").status, 422)
            self.assertEqual(server.get("/v1/indexes?x=1").status, 422)
            self.assertEqual(server.get("/v1/indexes/default/changes?limit=1&texts=true&since=now").status, 200)
            self.assertEqual(server.get("/v1/indexes/default").json["figures"]["texts"], 0)


class Bytes(unittest.TestCase):
    """A document as bytes is read as a file would be."""
    FERRY = "渡船清晨六点开第一班，雾大的日子改到七点，乘客请在北岸的石阶旁排队等候，不要站在跳板上。" * 3

    def check(self, server, kind, content, path="/v1/indexes/default/check"):
        return server.ask("POST", path, content, fields={"Content-Type": kind})

    def test_a_check_takes_texts_in_any_encoding_and_pages(self):
        with Server(running.folder(self) / "data") as server:
            server.post("/v1/indexes/default/add", {"id": "ferry", "text": self.FERRY})
            page = f"<title></title><style>p {{}}</style><p>{self.FERRY}".encode()
            for kind, content in (("application/octet-stream", self.FERRY.encode("gb18030")), ("application/octet-stream; charset=GBK", self.FERRY.encode("gbk")), ("application/octet-stream", self.FERRY.encode("utf-16")),
                                  ("application/octet-stream;charset=\"utf-8\"", self.FERRY.encode()), ("text/html", page), ("application/octet-stream", page),
                                  ("Text/HTML; charset=gb18030", page.decode().encode("gb18030"))):
                answer = self.check(server, kind, content)
                self.assertEqual((answer.status, answer.json.get("verdict")), (200, "exact"), (kind, answer))
            self.assertEqual(self.check(server, "text/plain", page).status, 415, "a form of another site could send it")

    def test_the_text_of_a_document_is_told(self):
        with Server(running.folder(self) / "data") as server:
            answer = self.check(server, "application/octet-stream", self.FERRY.encode("gb18030"), "/v1/text")
            self.assertEqual(answer.json, {"text": self.FERRY, "kind": "text", "encoding": "GB18030"})
            menu = b"<nav><a href=/>Home</a></nav><main><p>" + b"The ferry leaves the north bank at six. " * 20 + b"</main>"
            self.assertNotIn("Home", self.check(server, "text/html", menu, "/v1/text?html=main").json["text"])

    def test_what_is_no_text_is_refused_with_the_reason(self):
        with Server(running.folder(self) / "data") as server:
            for kind, content, status, why in (("application/octet-stream", b"\x89PNG\r\n\x1a\n....", 422, "a picture"), ("application/octet-stream", b"a\0b", 422, ""),
                                               ("application/octet-stream; charset=utf-8", self.FERRY.encode("gbk"), 422, "invalid UTF-8"), ("application/octet-stream; charset=nothing", b"a", 422, "is unknown"),
                                               ("application/octet-stream", ("a\ufffd" * 9).encode(), 422, "U+FFFD"), ("image/png", b"a", 415, "Content-Type")):
                answer = self.check(server, kind, content)
                self.assertEqual((answer.status, why in answer.json["detail"]), (status, True), answer)
            self.assertEqual(self.check(server, "application/octet-stream", b"a text", "/v1/indexes/default/add").status, 415)
            answer = server.post("/v1/indexes/default/check", {"text": "a\ufffd" * 9}).json
            self.assertEqual((answer["verdict"], "U+FFFD" in answer["reason"]), ("refused", True))

    def test_a_text_that_is_too_short_says_so(self):
        with Server(running.folder(self) / "data") as server:
            answers = server.post("/v1/indexes/default/check", [{"text": "不足六个"}, {"text": "Five letter"}, {"text": "这里有六个字"}]).json
            self.assertEqual([answer.get("too_short") for answer in answers], [True, True, None])
            server.post("/v1/indexes/default/add", {"id": "a", "text": "Five letter"})
            self.assertNotIn("too_short", server.post("/v1/indexes/default/check", {"text": "five letter"}).json, "an equal text is found")


class OfOpenApi(unittest.TestCase):
    def test_every_operation_takes_the_parameters_that_openapi_names_and_no_other(self):
        with Server(running.folder(self) / "data") as server:
            api = server.get("/openapi.json").json
            for path, operations in api["paths"].items():
                for method, operation in operations.items():
                    named = {each["name"] for each in operation.get("parameters", []) if each["in"] == "query"}
                    for name in named | {"surely_unknown"}:
                        answer = server.ask(method.upper(), f"{path.replace('{index}', 'nobody')}?{name}=x", {} if "requestBody" in operation else None)
                        is_unknown = answer.status == 422 and "in its address" in answer.json["detail"]
                        self.assertEqual(is_unknown, name == "surely_unknown", (operation["operationId"], name, answer))


class Tables(unittest.TestCase):
    def test_a_column_that_occurs_twice_is_refused(self):
        place = running.folder(self)
        (place / "in.csv").write_text("id,text,text\na,one,two\n")
        ran = subprocess.run([running.LEITONG, "dedup", place / "in.csv", "-o", place / "out.csv"], capture_output=True, text=True)
        self.assertEqual((ran.returncode != 0, 'the column "text" occurs twice' in ran.stderr), (True, True), ran.stderr)
        # A column that is not read may occur twice.
        (place / "in.csv").write_text("id,text,other,other\na,one,two,three\n")
        subprocess.run([running.LEITONG, "dedup", place / "in.csv", "-o", place / "out.csv"], capture_output=True, check=True)


if __name__ == "__main__":
    running.main()
