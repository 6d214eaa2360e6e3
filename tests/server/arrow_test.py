#!/usr/bin/env python3
"""usage: arrow_test.py BUILD-FOLDER

Texts sent as columns, and answers that come as columns, with pyarrow at the other end. Ends with 77, which CTest shows as skipped, where pyarrow
can't be had or the component is not built."""
import random
import shutil
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import environment  # noqa: E402

BUILD = Path(sys.argv[1]).resolve()
environment.need_arrow(BUILD)
environment.enter(BUILD, Path(__file__).parents[1] / "cli/tables_requirements.txt", "texts as columns were NOT sent to the server")
sys.argv[1:] = sys.argv[2:]

import pyarrow as pa  # noqa: E402
import pyarrow.ipc  # noqa: E402

import running  # noqa: E402
from running import Server, Texts  # noqa: E402

FIELDS = {"Content-Type": "application/vnd.apache.arrow.stream"}


def stream(table, compression=None):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as writer:
        writer.write_table(table, max_chunksize=7)
    return sink.getvalue().to_pybytes()


class Arrow(unittest.TestCase):
    def setUp(self):
        self.server = Server(running.folder(self) / "data", config='[limits]\nrecords = 100\nbody = "1 MB"\n')
        self.server.start()
        self.addCleanup(self.server.stop)

    def ask(self, operation, body):
        return self.server.post(f"/v1/indexes/default/{operation}", body, fields=FIELDS)

    def rows(self, operation, table, compression=None):
        answer = self.ask(operation, stream(table, compression))
        self.assertEqual((answer.status, answer.fields["Content-Type"]), (200, FIELDS["Content-Type"]), answer)
        return pa.ipc.open_stream(answer.body).read_all().to_pylist()

    def test_answers_are_those_to_json(self):
        texts = Texts(1)
        bodies = [texts.text(300) for _ in range(20)]
        bodies += [texts.edited(body) for body in bodies[:10]]
        records = [{"id": str(i), "text": body} for i, body in enumerate(bodies)]
        self.server.ask("PUT", "/v1/indexes/json")
        wanted = self.server.post("/v1/indexes/json/check-and-add", records).json
        for compression in (None, "zstd", "lz4"):
            rows = self.rows("check-and-add", pa.Table.from_pylist(records), compression)
            self.assertEqual([row["id"] for row in rows], [record["id"] for record in records])
            self.assertEqual([row["verdict"] for row in rows], [answer["verdict"] for answer in wanted])
            for row, answer in zip(rows, wanted, strict=True):
                match = answer.get("match", {})
                self.assertEqual((row["match"], row["measure"]), (match.get("id"), match.get("measure")))
                for name in ("score", "jaccard", "containment"):
                    self.assertEqual(row[name] if row[name] is None else round(row[name], 4), match.get(name))
                self.assertEqual(row["known"], None if compression is None else 1)
                self.assertEqual(row["version"], answer["version"] if compression is None else len(records))

    def test_an_answer_says_what_was_left_out_and_why(self):
        """Pages of one frame whose own texts differ: some are refused because of templates, and texts that hold their keys are left out."""
        texts = Texts(4)
        frame = texts.text(600)
        records = [{"id": str(i), "text": frame[:300] + texts.text(150) + frame[300:]} for i in range(90)]
        self.server.post("/v1/indexes/default/check-and-add", records[:60])
        wanted = self.server.post("/v1/indexes/default/check", records[60:]).json
        rows = self.rows("check", pa.Table.from_pylist(records[60:]))
        for row, answer in zip(rows, wanted, strict=True):
            self.assertEqual(row["refused_as_template"], answer.get("refused_as_template"))
            refused = answer.get("refused", {})
            self.assertEqual(row["refused"], refused.get("id"))
            for name in ("template_share", "own_jaccard", "own_containment"):
                self.assertEqual(row[name] if row[name] is None else round(row[name], 4), refused.get(name))
            bounded = answer.get("bounded", {})
            self.assertEqual([row[f"bounded_{name}"] for name in ("candidates", "ids", "keys")],
                             [bounded.get("candidates"), bounded.get("ids"), bounded.get("keys")])
        self.assertTrue(any(row["refused"] for row in rows))
        self.assertTrue(any(row["bounded_candidates"] is not None for row in rows))

    def test_rows_have_one_match(self):
        body = stream(pa.table({"text": [Texts(5).text()]}))
        for asked in ("check?matches=2", "check?passages=true"):
            answer = self.ask(asked, body)
            self.assertEqual(answer.status, 422, answer)

    def test_types_of_columns(self):
        text = Texts(2).text()
        table = pa.table({
            "other": pa.array([[1], None]), "id": pa.array([7, 8], pa.int64()), "source": pa.array(["a", None]).dictionary_encode(),
            "text": pa.array([text, None], pa.large_string()), "html": pa.array([None, f"<p>{text}</p>"]),
            "time": pa.array([1_700_000_000, None], pa.timestamp("s", "UTC")), "expires": pa.array([None, 4_000_000_000], pa.int64()),
        })
        self.assertEqual([row["verdict"] for row in self.rows("check-and-add", table)], ["new", "exact"])
        first, second = self.server.post("/v1/indexes/default/get", [{"id": 7}, {"id": 8}]).json
        self.assertEqual((first["source"], first["time"]), ("a", 1_700_000_000))
        self.assertEqual((second["text"], second["expires"]), (text, 4_000_000_000))

    def test_a_bad_row_costs_itself_alone(self):
        text = Texts(3).text()
        table = pa.table({
            "id": pa.array(["a", None, "c", "d", "e"]), "text": pa.array([text.encode(), text.encode(), None, b"\xff", text.encode()]),
            "time": pa.array([None, None, None, None, "soon"]),
        })
        rows = self.rows("check-and-add", table)
        self.assertEqual([row["verdict"] for row in rows], ["new", "refused", "refused", "refused", "refused"])
        self.assertEqual([row["reason"] for row in rows[1:]], ['"id" is missing', '"text", "html" or "fingerprint" is missing, or not a string',
                                                               '"text" is not valid UTF-8', '"time" can\'t be read'])
        self.assertEqual(self.rows("check", table.slice(0, 0)), [])

    def test_limits(self):
        self.assertEqual(self.ask("check", stream(pa.table({"text": ["a"] * 101}))).status, 413)
        bomb = stream(pa.table({"text": ["a" * 300_000] * 100}), "zstd")
        self.assertLess(len(bomb), 100_000)
        self.assertEqual(self.ask("check", bomb).status, 413)
        self.assertEqual(self.ask("get", stream(pa.table({"id": ["a"]}))).status, 415)

    def test_damaged_streams_are_refused_and_the_server_goes_on(self):
        whole = stream(pa.table({"id": [str(i) for i in range(30)], "text": [Texts(i).text() for i in range(30)]}), "zstd")
        chosen = random.Random(1)
        for _ in range(150):
            damaged = bytearray(whole)
            for _ in range(chosen.randint(1, 4)):
                damaged[chosen.randrange(len(damaged))] = chosen.randrange(256)
            damaged = damaged[: chosen.randint(1, len(damaged))]
            self.assertIn(self.ask("check", bytes(damaged)).status, (200, 400, 413, 501))
        self.assertEqual(self.ask("check", b"").status, 400)
        self.assertEqual(self.ask("check", b"no Arrow").status, 400)
        self.assertEqual(self.server.get("/readyz").status, 200)


class WithoutTheComponent(unittest.TestCase):
    def test_it_is_named(self):
        place = running.folder(self)
        shutil.copy(BUILD / "leitong", place / "leitong")
        there, running.LEITONG = running.LEITONG, str(place / "leitong")
        self.addCleanup(setattr, running, "LEITONG", there)
        with Server(place / "data", environment={"LEITONG_DATA": ""}) as server:
            answer = server.post("/v1/indexes/default/check", stream(pa.table({"text": ["a"]})), fields=FIELDS)
            self.assertEqual(answer.status, 501)
            self.assertIn("leitong-arrow", answer.json["detail"])


running.LEITONG = str(BUILD / "leitong")
unittest.main(verbosity=2, warnings="ignore")
