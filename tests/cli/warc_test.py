#!/usr/bin/env python3
"""WARC files of an independent writer (warcio), deduplicated, and what is kept read by it again.

usage: tests/cli/warc_test.py BUILD-FOLDER
Ends with 77, which CTest shows as skipped, where warcio can't be had.
"""
import gzip
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from io import BytesIO
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import environment  # noqa: E402

BUILD = Path(sys.argv[1]).resolve()
environment.enter(BUILD, Path(__file__).with_name("warc_requirements.txt"), "WARC files were NOT tried on another program's")
sys.argv[1:] = []

from warcio.archiveiterator import ArchiveIterator  # noqa: E402
from warcio.statusandheaders import StatusAndHeaders  # noqa: E402
from warcio.warcwriter import WARCWriter  # noqa: E402

SENTENCES = ["The ferry leaves at six and returns at nine in the evening",
             "Passengers wait at the north bank below the stone steps",
             "渡船清晨六点开第一班，雾大的日子改到七点", "乘客请在北岸的石阶旁排队等候，不要站在跳板上"]
STORY = "".join(f"<p>{sentence} ({n}).</p>" for n in range(6) for sentence in SENTENCES)
OTHER = "".join(f"<p>Dough rises twice, once in a bowl and once in a tin; step {n} of the recipe.</p>" for n in range(9))


def page(body):
    return f"<html><head><title>t</title></head><body>{body}</body></html>".encode()


class Warc(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, gzipped):
        with open(self.folder / name, "wb") as file:
            writer = WARCWriter(file, gzip=gzipped)
            writer.write_record(writer.create_warcinfo_record(name, {"software": "a test"}))

            def response(url, body, *headers):
                fields = [("Content-Type", "text/html; charset=utf-8"), *headers]
                http = StatusAndHeaders("200 OK", fields, protocol="HTTP/1.1")
                record = writer.create_warc_record(url, "response", payload=BytesIO(body), http_headers=http)
                writer.write_record(record)
                return record

            first = response("http://one.example/", page(STORY))
            response("http://two.example/", gzip.compress(page(STORY + "<p>Reprinted.</p>")),
                     ("Content-Encoding", "gzip"))
            chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (page(OTHER)[:100], page(OTHER)[100:]))
            response("http://three.example/", chunks + b"0\r\n\r\n", ("Transfer-Encoding", "chunked"))
            writer.write_record(writer.create_warc_record(
                "http://one.example/", "request",
                http_headers=StatusAndHeaders("GET / HTTP/1.1", [("Host", "one.example")], is_http_request=True)))
            writer.write_record(writer.create_revisit_record(
                "http://four.example/", first.rec_headers.get_header("WARC-Payload-Digest"), "http://one.example/",
                "2024-05-01T00:00:00Z", http_headers=StatusAndHeaders("200 OK", [], protocol="HTTP/1.1")))
        return self.folder / name

    def records(self, path):
        with open(path, "rb") as file:
            return [(record.rec_headers.get_header("WARC-Target-URI"), record.rec_headers.to_str(),
                     record.raw_stream.read()) for record in ArchiveIterator(file, no_record_parse=True)]

    def dedup(self, *arguments):
        done = subprocess.run([BUILD / "leitong", "dedup", *arguments], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_what_is_kept_are_the_same_records_in_the_same_packing(self):
        for name, gzipped in (("a.warc.gz", True), ("a.warc", False)):
            with self.subTest(name):
                path, kept = self.write(name, gzipped), self.folder / ("kept-" + name)
                summary = self.dedup(path, "-o", kept, "--site-field", "url", "--json")
                self.assertEqual((summary["documents"], summary["removed"], summary["quarantined"],
                                  summary["other_records"]), (3, 1, 0, 3))
                before = self.records(path)
                # The reprint is longer, and stays.
                self.assertEqual(self.records(kept), [before[2], before[3]])
                if not gzipped:
                    self.assertIn(kept.read_bytes(), path.read_bytes(), "neighbours stay neighbours, byte for byte")

    def test_each_kept_record_is_a_member_of_its_own(self):
        kept = self.folder / "kept.warc.gz"
        self.dedup(self.write("a.warc.gz", True), "-o", kept, "--json")
        with open(kept, "rb") as file:
            iterator = ArchiveIterator(file)
            offsets = []
            for record in iterator:
                record.raw_stream.read()
                offsets.append(iterator.get_record_offset())
        for offset in offsets:
            self.assertEqual(kept.read_bytes()[offset:offset + 2], b"\x1f\x8b")
        self.assertEqual(len(offsets), 2)

    def test_an_archive_in_zstd_is_read_and_written(self):
        if shutil.which("zstd") is None:
            self.skipTest("no zstd on the PATH")
        before = self.records(self.write("a.warc", False))
        subprocess.run(["zstd", "-q", self.folder / "a.warc", "-o", self.folder / "a.warc.zst"], check=True)
        kept = self.folder / "kept.warc.zst"
        summary = self.dedup(self.folder / "a.warc.zst", "-o", kept, "--json")
        self.assertEqual((summary["documents"], summary["removed"], summary["other_records"]), (3, 1, 3))
        frames = kept.read_bytes().count(b"\x28\xb5\x2f\xfd")
        self.assertGreaterEqual(frames, 2, "each record is a frame of its own")
        subprocess.run(["zstd", "-q", "-d", kept, "-o", self.folder / "kept.warc"], check=True)
        self.assertEqual(self.records(self.folder / "kept.warc"), [before[2], before[3]])
        packed = self.folder / "packed.warc.zst"
        self.dedup(self.folder / "a.warc", "-o", packed, "--json")
        subprocess.run(["zstd", "-q", "-d", packed, "-o", self.folder / "packed.warc"], check=True)
        self.assertEqual(self.records(self.folder / "packed.warc"), [before[2], before[3]])

    def test_texts_of_a_wet_file_are_those_of_its_conversion_records(self):
        texts = [" ".join(SENTENCES), " ".join(SENTENCES) + " Reprinted.", "Dough rises twice, once in a bowl and once in a tin."]
        path = self.folder / "a.warc.wet.gz"
        with open(path, "wb") as file:
            writer = WARCWriter(file, gzip=True)
            writer.write_record(writer.create_warcinfo_record("a.warc.wet.gz", {"software": "a test"}))
            for number, text in enumerate(texts):
                writer.write_record(writer.create_warc_record(
                    f"http://{number}.example/", "conversion", payload=BytesIO(text.encode()), warc_content_type="text/plain",
                    warc_headers_dict={"WARC-Date": f"2024-05-0{number + 1}T00:00:00Z"}))
        kept = self.folder / "kept.warc.wet.gz"
        summary = self.dedup(path, "-o", kept, "--keep", "newest:date", "--id-field", "url", "--removed", self.folder / "removed", "--json")
        self.assertEqual((summary["documents"], summary["quarantined"], summary["other_records"]), (3, 0, 1))
        self.assertEqual([(url, body.decode()) for url, _, body in self.records(kept)],
                         [(f"http://{number}.example/", texts[number]) for number in (1, 2)])
        removed = json.loads((self.folder / "removed").read_text())
        self.assertEqual((removed["id"], removed["kept"]), ("http://0.example/", "http://1.example/"))

    def test_a_pipe_is_known_by_its_content(self):
        with open(self.write("a.warc.gz", True), "rb") as file:
            done = subprocess.run([BUILD / "leitong", "pairs", "-"], stdin=file, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("urn:uuid:"), 2, done.stdout)


if __name__ == "__main__":
    unittest.main(warnings="ignore")
